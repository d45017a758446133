# SPDX-License-Identifier: Apache-2.0
"""Programs that are not ours use ``libcside`` as their PKCS #11 module, and find nothing wrong with it."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cside_native
import pytest
from cside_suite.subjects.pkcs11_modules import MODULES, SO_PIN, USER_PIN, Unavailable, locate

Tool = Callable[..., str]

SHIM = str(cside_native.library())


def missing(what: str, package: str) -> None:
    """Skip for want of a program; where CI promised it, fail."""
    reason = f"{what} is not installed: {package}"
    if os.environ.get("CI"):
        pytest.fail(f"CI promises it: {reason}")
    pytest.skip(reason)


@pytest.fixture(params=MODULES)
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """Variables for a program that is to find an empty module behind ``libcside``."""
    try:
        path = locate(request.param)
    except Unavailable as error:
        missing(request.param, str(error))
    variables = dict(os.environ)
    variables.pop("CSIDE_PKCS11_MODULE", None)
    store = tmp_path / "store"
    store.mkdir()
    if request.param == "token":  # what libcside has behind it by itself
        # these programs make keys that encrypt and wrap, and read what they derive, as the standard allows
        variables |= {"CSIDE_TOKEN_DIR": str(store), "CSIDE_TOKEN_POLICY": "standard"}
    else:
        config = tmp_path / "softhsm2.conf"
        config.write_text(f"directories.tokendir = {store}\n")
        variables |= {"CSIDE_PKCS11_MODULE": str(path), "SOFTHSM2_CONF": str(config)}
    return variables


@pytest.fixture
def pkcs11_tool(environment: dict[str, str]) -> Tool:
    """OpenSC's ``pkcs11-tool`` on ``libcside``, with a token that has both PINs."""
    program = shutil.which("pkcs11-tool")
    if program is None:
        missing("pkcs11-tool", "apt-get install opensc")

    def run(*words: str, login: bool = True, may_fail: bool = False) -> str:
        command = [str(program), "--module", SHIM, *(["--login", "--pin", USER_PIN] if login else []), *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert may_fail or done.returncode == 0, f"{' '.join(words)}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    run("--init-token", "--slot-index", "0", "--label", "clients", "--so-pin", SO_PIN, login=False)
    token = ("--token-label", "clients")
    run("--init-pin", *token, "--so-pin", SO_PIN, "--new-pin", USER_PIN, "--login", "--login-type", "so", login=False)
    return lambda *words, **options: run(*token, *words, **options)


def test_pkcs11_tool_looks_around(pkcs11_tool: Tool) -> None:
    """Module, slots, mechanisms and objects are listed."""
    assert "Cryptoki version" in pkcs11_tool("-I", login=False)
    assert "clients" in pkcs11_tool("-L", login=False)
    assert "SHA256" in pkcs11_tool("-M", login=False)
    pkcs11_tool("-O")


PROVEN = (
    "all 4 digest functions seem to work",
    "all 4 signature functions seem to work",
    "MD5: OK",
    "SHA-1: OK",
    "SHA256: OK",
    "RSA-X-509: OK",
    "RSA-PKCS: OK",
    "SHA1-RSA-PKCS: OK",
    "MD5-RSA-PKCS: OK",
    "SHA256-RSA-PKCS: OK",
)
"""What pkcs11-tool proves of SoftHSM2 with an RSA key. Then it decrypts by OAEP with SHA-256 and a label, which version
2.6 does not have, and gives up."""


def test_pkcs11_tool_finds_no_errors(pkcs11_tool: Tool, environment: dict[str, str]) -> None:
    """pkcs11-tool tests the module, empty and with an RSA key in it; of the token it skips nothing of `PROVEN`."""
    assert "No errors" in pkcs11_tool("--test")
    pkcs11_tool("--keypairgen", "--key-type", "rsa:2048", "--id", "01", "--label", "pair")
    is_token = "CSIDE_PKCS11_MODULE" not in environment
    told = pkcs11_tool("--test", "--allow-sw", may_fail=not is_token)  # without the option it looks for hardware only
    assert [line for line in PROVEN if line not in told] == []
    if is_token:
        assert "No errors" in told
        assert "RSA-X-509: OK" in told.partition("Decryption")[2]
        assert told.partition("Decryption")[2].count("RSA-PKCS-OAEP") == 2


def test_pkcs11_tool_finds_no_errors_in_curves(pkcs11_tool: Tool) -> None:
    """The same with keys on curves, of which the tool proves no more than that it can read them."""
    for number, curve in enumerate(("prime256v1", "secp384r1", "secp521r1", "edwards25519")):
        pkcs11_tool("--keypairgen", "--key-type", f"EC:{curve}", "--id", f"0{number}", "--label", curve)
    assert "No errors" in pkcs11_tool("--test", "--allow-sw")


def test_pkcs11_tool_signs_and_verifies(pkcs11_tool: Tool, tmp_path: Path) -> None:
    """ECDSA with a pair of keys that it made."""
    pkcs11_tool("--keypairgen", "--key-type", "EC:prime256v1", "--id", "01", "--label", "pair", "--usage-sign")
    data, signature = tmp_path / "data", tmp_path / "signature"
    data.write_bytes(os.urandom(32))
    files = ("--input-file", str(data))
    pkcs11_tool("--sign", "--mechanism", "ECDSA", "--id", "01", *files, "--output-file", str(signature))
    told = pkcs11_tool("--verify", "--mechanism", "ECDSA", "--id", "01", *files, "--signature-file", str(signature))
    assert "Signature is valid" in told


def test_pkcs11_tool_encrypts_and_decrypts(pkcs11_tool: Tool, tmp_path: Path) -> None:
    """AES-CBC with a key that it made."""
    pkcs11_tool("--keygen", "--key-type", "AES:32", "--id", "02", "--label", "secret", "--usage-decrypt")
    plain, cipher, back = (tmp_path / name for name in ("plain", "cipher", "back"))
    plain.write_bytes(os.urandom(64))
    how = ("--mechanism", "AES-CBC-PAD", "--iv", "00" * 16, "--id", "02")
    pkcs11_tool("--encrypt", *how, "--input-file", str(plain), "--output-file", str(cipher))
    pkcs11_tool("--decrypt", *how, "--input-file", str(cipher), "--output-file", str(back))
    assert back.read_bytes() == plain.read_bytes() != cipher.read_bytes()


def test_pkcs11_tool_derives(pkcs11_tool: Tool, tmp_path: Path) -> None:
    """ECDH with the public key of another pair."""
    for number in ("01", "03"):
        pkcs11_tool("--keypairgen", "--key-type", "EC:prime256v1", "--id", number, "--usage-derive")
    public, secret = tmp_path / "public.der", tmp_path / "secret"
    pkcs11_tool("--read-object", "--type", "pubkey", "--id", "03", "--output-file", str(public))
    how = ("--derive", "--mechanism", "ECDH1-DERIVE", "--id", "01")
    pkcs11_tool(*how, "--input-file", str(public), "--output-file", str(secret))
    assert len(secret.read_bytes()) == 32


PYKCS11 = """
import sys, PyKCS11
library = PyKCS11.PyKCS11Lib()
library.load(sys.argv[1])
slot = next(it for it in library.getSlotList(tokenPresent=True) if library.getTokenInfo(it).label.strip() == "clients")
session = library.openSession(slot, PyKCS11.CKF_SERIAL_SESSION | PyKCS11.CKF_RW_SESSION)
session.login(sys.argv[2])
assert len(bytes(session.generateRandom(16))) == 16
key = session.generateKey([(PyKCS11.CKA_VALUE_LEN, 32), (PyKCS11.CKA_TOKEN, False), (PyKCS11.CKA_LABEL, "secret")])
assert [it.value() for it in session.findObjects([(PyKCS11.CKA_LABEL, "secret")])] == [key.value()]
sealed = session.encrypt(key, b"data", PyKCS11.AES_GCM_Mechanism(bytes(12), b"", 128))
assert bytes(session.decrypt(key, bytes(sealed), PyKCS11.AES_GCM_Mechanism(bytes(12), b"", 128))) == b"data"
session.logout()
session.closeSession()
print("done")
"""

PYTHON_PKCS11 = """
import sys, pkcs11
token = pkcs11.lib(sys.argv[1]).get_token(token_label="clients")
with token.open(rw=True, user_pin=sys.argv[2]) as session:
    key = session.generate_key(pkcs11.KeyType.AES, 256, label="secret", store=False)
    iv = session.generate_random(128)
    assert key.decrypt(key.encrypt(b"data", mechanism_param=iv), mechanism_param=iv) == b"data"
    assert len(list(session.get_objects({pkcs11.Attribute.LABEL: "secret"}))) == 1
print("done")
"""


@pytest.mark.parametrize(("package", "program"), [("PyKCS11", PYKCS11), ("pkcs11", PYTHON_PKCS11)])
@pytest.mark.usefixtures("pkcs11_tool")
def test_other_python_libraries(environment: dict[str, str], package: str, program: str) -> None:
    """PyKCS11 and python-pkcs11 log in, make keys, search and encrypt."""
    if importlib.util.find_spec(package) is None:
        missing(package, "it is one of the extra `peers`, which nox installs where it can")
    command = [sys.executable, "-c", program, SHIM, USER_PIN]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


P11_KIT_CLIENTS = [
    *Path("/usr/lib").glob("*/pkcs11/p11-kit-client.so"),
    *Path("/usr").glob("lib*/pkcs11/p11-kit-client.so"),
]


@pytest.mark.usefixtures("pkcs11_tool")
def test_p11_kit_serves_it(environment: dict[str, str], tmp_path: Path) -> None:
    """p11-kit loads it, hands its calls to another process, and shows its tokens there."""
    program = shutil.which("p11-kit")
    if program is None or not P11_KIT_CLIENTS:
        missing("p11-kit", "apt-get install p11-kit p11-kit-modules")
    server = subprocess.Popen(
        [str(program), "server", "--foreground", "--name", str(tmp_path / "socket"), "--provider", SHIM, "pkcs11:"],
        env=environment | {"XDG_RUNTIME_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert "P11_KIT_SERVER_ADDRESS=" in line
        address = line.partition("=")[2].partition(";")[0]
        done = subprocess.run(
            ["pkcs11-tool", "--module", str(P11_KIT_CLIENTS[0]), "-L"],
            env=environment | {"P11_KIT_SERVER_ADDRESS": address},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "clients" in done.stdout
    finally:
        server.terminate()
        server.wait(10)

# SPDX-License-Identifier: Apache-2.0
"""Digests and HMAC."""

import hmac
from pathlib import Path
from typing import Any

import pytest
from answered_mechanisms import HASHES, SIZES
from cside_suite.subjects.pkcs11_modules import Station
from token_keys import is_signature, secret, sign
from vector_files import records

FOLDERS = {name: "SHA3" if name.startswith("SHA3_") else "SHA2" for name in HASHES} | {"SHA_1": "SHA1", "MD5": "MD5"}
MACS = {"MD5": "rfc-2202-md5.txt", "SHA_1": "rfc-2202-sha1.txt"} | {
    f"SHA{bits}": f"rfc-4231-sha{bits}.txt" for bits in (224, 256, 384, 512)
}
"""There are no published ones for SHA-3 in the package: there, CPython's own HMAC is what is compared with."""


def digest_files(vectors: Path, name: str) -> list[Path]:
    """Return the files of one digest, whose messages are whole bytes."""
    found = (vectors / "hashes" / FOLDERS[name]).iterdir()
    stem = {"MD5": "rfc-1321", "SHA_1": "SHA1"}.get(name, name)
    return [path for path in found if path.stem in (stem, f"{stem}ShortMsg", f"{stem}LongMsg")]


@pytest.mark.parametrize("name", HASHES)
def test_digests(name: str, token: Station, p11: Any, vectors: Path) -> None:
    """Messages of all lengths (FIPS 180-4, FIPS 202, RFC 1321), in one call and in two parts."""
    mechanism = getattr(p11, f"CKM_{name}")
    seen = 0
    for path in digest_files(vectors, name):
        for one in records(path, "MD"):
            message = bytes.fromhex(one["Msg"])[: int(one["Len"]) // 8]
            token.module.C_DigestInit(token.session, mechanism)
            assert token.module.C_Digest(token.session, message).hex() == one["MD"].lower()
            token.module.C_DigestInit(token.session, mechanism)
            for part in (message[:7], message[7:]):
                token.module.C_DigestUpdate(token.session, part)
            assert token.module.C_DigestFinal(token.session).hex() == one["MD"].lower()
            seen += 1
    assert seen >= 7


def mac_answers(vectors: Path, name: str) -> list[tuple[bytes, bytes, bytes]]:
    """Return keys, messages and MACs."""
    if name in MACS:
        rows = records(vectors / "HMAC" / MACS[name], "MD")
        return [(bytes.fromhex(one["Key"]), bytes.fromhex(one["Msg"]), bytes.fromhex(one["MD"])) for one in rows]
    inputs = [(bytes(range(1, 1 + n)), bytes(range(n % 256)) * 3) for n in (1, 20, 64, 136, 200)]
    return [(key, message, hmac.digest(key, message, name.lower())) for key, message in inputs]


@pytest.mark.parametrize("name", HASHES)
def test_macs(name: str, token: Station, p11: Any, vectors: Path) -> None:
    """RFC 2202 and RFC 4231: whole, and truncated to half."""
    plain, general = getattr(p11, f"CKM_{name}_HMAC"), getattr(p11, f"CKM_{name}_HMAC_GENERAL")
    half = SIZES[name] // 2
    answers = mac_answers(vectors, name)
    assert len(answers) >= 5
    for value, message, mac in answers:
        key = secret(p11, token, value, p11.CKK_GENERIC_SECRET, p11.CKA_SIGN, p11.CKA_VERIFY)
        if len(mac) == SIZES[name]:  # one vector of RFC 2202 and RFC 4231 each is itself truncated
            assert sign(token, plain, key, message) == mac
            assert is_signature(p11, token, plain, key, message, mac)
            assert not is_signature(p11, token, plain, key, message + b"x", mac)
        else:
            assert sign(token, plain, key, message)[: len(mac)] == mac
        assert sign(token, (general, half), key, message) == mac[:half]
        assert is_signature(p11, token, (general, half), key, message, mac[:half])

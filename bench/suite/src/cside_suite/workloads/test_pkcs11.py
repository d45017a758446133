# SPDX-License-Identifier: Apache-2.0
"""Workloads of ``pkcs11``: the calls of ordinary programs, on the software token and on SoftHSM2."""

import hashlib
import hmac
from pathlib import Path
from typing import Any

import pytest

from cside_suite.subjects.pkcs11_modules import LABEL, MODULES, Unavailable, locate
from cside_suite.workloads.pkcs11_programs import ATTRIBUTES, FEW, HMAC_KEY, MANY, PART_NBYTES, Programs, stage
from cside_suite.workloads.references import Reference

pytestmark = [pytest.mark.needs("pkcs11"), pytest.mark.parametrize("module", MODULES)]


@pytest.fixture
def programs(subject: Any, module: str, any_load: Any) -> Any:
    """The programs of the subject for a module; skips if the module is not installed."""
    try:
        path: Path = locate(module)
    except Unavailable as error:
        if module == "token":
            pytest.fail(str(error))
        pytest.skip(str(error))
    ready = stage(path, any_load)
    if isinstance(subject, Reference):
        return subject.pkcs11(ready)
    return Programs(subject.pkcs11, ready)


def size(value: Any) -> int:
    """Return the number of bytes or items of a result, of whatever type a library gives it."""
    return len(bytes(value)) if not isinstance(value, list | tuple) else len(value)


@pytest.mark.calls("pkcs11.C_GetInfo")
@pytest.mark.varies
def test_get_info(benchmark: Any, programs: Any) -> None:
    """Return the module's description: a struct with text and versions."""
    info = benchmark(*programs.get_info())
    assert "token" in info.libraryDescription.lower() or "pkcs11" in info.libraryDescription.lower()


@pytest.mark.calls("pkcs11.C_GetSlotList")
@pytest.mark.varies
def test_slot_list(benchmark: Any, programs: Any) -> None:
    """Return the slots with a token."""
    assert len(benchmark(*programs.slot_list())) >= 1


@pytest.mark.calls("pkcs11.C_GetTokenInfo")
@pytest.mark.varies
def test_token_info(benchmark: Any, programs: Any) -> None:
    """Return the token's description: the longest struct, which contains the time."""
    assert benchmark(*programs.token_info()).label.strip() == LABEL


@pytest.mark.calls("pkcs11.C_OpenSession")
def test_session(benchmark: Any, programs: Any) -> None:
    """Open and close a session."""
    benchmark(*programs.open_close())


@pytest.mark.calls("pkcs11.C_GenerateRandom")
@pytest.mark.varies
@pytest.mark.parametrize("nbytes", ["16", "65536"])
def test_random(benchmark: Any, programs: Any, nbytes: str) -> None:
    """Return random bytes."""
    assert size(benchmark(*programs.random(int(nbytes)))) == int(nbytes)


@pytest.mark.calls("pkcs11.C_Digest")
@pytest.mark.parametrize("nbytes", ["64", "4096", "1048576"])
def test_digest(benchmark: Any, programs: Any, corpora: dict[str, bytes], nbytes: str) -> None:
    """Compute a SHA-256 in one piece, by two calls."""
    data = corpora["text"][: int(nbytes)]
    assert bytes(benchmark(*programs.digest(data))) == hashlib.sha256(data).digest()


@pytest.mark.calls("pkcs11.C_DigestUpdate")
@pytest.mark.parametrize("nbytes", ["64", "4096", "1048576"])
def test_digest_parts(benchmark: Any, programs: Any, corpora: dict[str, bytes], nbytes: str) -> None:
    """Compute a SHA-256 in parts of 1 KiB."""
    data = corpora["text"][: int(nbytes)]
    parts = [data[start : start + PART_NBYTES] for start in range(0, len(data), PART_NBYTES)]
    assert bytes(benchmark(*programs.digest_parts(parts))) == hashlib.sha256(data).digest()


@pytest.mark.calls("pkcs11.C_Sign")
def test_hmac_sign(benchmark: Any, programs: Any, corpora: dict[str, bytes]) -> None:
    """Compute the HMAC-SHA-256 of 64 bytes."""
    data = corpora["text"][:64]
    assert bytes(benchmark(*programs.sign(data))) == hmac.digest(HMAC_KEY, data, "sha256")


@pytest.mark.calls("pkcs11.C_Verify")
def test_hmac_verify(benchmark: Any, programs: Any, corpora: dict[str, bytes]) -> None:
    """Verify the HMAC-SHA-256 of 64 bytes."""
    data = corpora["text"][:64]
    assert benchmark(*programs.verify(data, hmac.digest(HMAC_KEY, data, "sha256")))


@pytest.mark.calls("pkcs11.C_Encrypt")
@pytest.mark.parametrize("nbytes", ["64", "4096"])
def test_aes_gcm(benchmark: Any, programs: Any, corpora: dict[str, bytes], nbytes: str) -> None:
    """Encrypt by AES-256-GCM with associated data: a mechanism with a struct of pointers."""
    assert size(benchmark(*programs.seal(corpora["text"][: int(nbytes)]))) == int(nbytes) + 16


@pytest.mark.calls("pkcs11.C_Sign")
@pytest.mark.varies
def test_ecdsa_sign(benchmark: Any, programs: Any) -> None:
    """Sign by ECDSA over P-256."""
    assert size(benchmark(*programs.sign_ec(bytes(32)))) == 64


@pytest.mark.calls("pkcs11.C_FindObjects")
@pytest.mark.parametrize("count", [str(FEW), str(MANY)])
def test_find(benchmark: Any, programs: Any, count: str) -> None:
    """Search for objects, of which few or many are found."""
    assert benchmark(*programs.find("few" if int(count) == FEW else "many")) == int(count)


@pytest.mark.calls("pkcs11.C_GetAttributeValue")
@pytest.mark.parametrize("sizes", ["known", "unknown"])
@pytest.mark.parametrize("count", ["1", "3", "12"])
def test_attributes(benchmark: Any, programs: Any, count: str, sizes: str) -> None:
    """Read attributes of a key whose lengths are stated, and whose lengths are not."""
    assert len(benchmark(*programs.attributes(int(count), sizes == "known"))) == int(count) <= len(ATTRIBUTES)


@pytest.mark.calls("pkcs11.C_GenerateKey")
def test_generate_key(benchmark: Any, programs: Any) -> None:
    """Make and destroy an AES key."""
    benchmark(*programs.generate_key())

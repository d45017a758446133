# SPDX-License-Identifier: Apache-2.0
"""AES: its modes, and keys wrapped with it."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from cside_suite.subjects.pkcs11_modules import Station
from token_keys import decrypt, encrypt, secret, value_of
from vector_files import Answer, records

BLOCK_NBYTES = 16


def aes_key(p11: Any, token: Station, digits: str) -> int:
    """Make a key that encrypts and decrypts."""
    return secret(p11, token, bytes.fromhex(digits), p11.CKK_AES, p11.CKA_ENCRYPT, p11.CKA_DECRYPT)


def mode_answers(vectors: Path, mode: str) -> list[Answer]:
    """Return NIST's vectors of ECB or CBC, those of whole messages all, of the others every fifth."""
    found = []
    for path in sorted((vectors / "ciphers" / "AES" / mode).glob("*.rsp")):
        rows = [one for one in records(path, "CIPHERTEXT") if one["section"] == "ENCRYPT"]
        found += rows if "MMT" in path.name else rows[::5]
    return found


@pytest.mark.parametrize("mode", ["ECB", "CBC"])
def test_blocks(mode: str, token: Station, p11: Any, vectors: Path) -> None:
    """NIST's AESAVS, both ways."""
    answers = mode_answers(vectors, mode)
    assert len(answers) > 100
    for one in answers:
        key = aes_key(p11, token, one["KEY"])
        plain, sealed = bytes.fromhex(one["PLAINTEXT"]), bytes.fromhex(one["CIPHERTEXT"])
        mechanism = p11.CKM_AES_ECB if mode == "ECB" else (p11.CKM_AES_CBC, bytes.fromhex(one["IV"]))
        assert encrypt(token, mechanism, key, plain) == sealed
        assert decrypt(token, mechanism, key, sealed) == plain


def test_padded(token: Station, p11: Any, vectors: Path) -> None:
    """CBC with padding begins with the ciphertext of CBC, and ends with a block that has the padding."""
    for one in mode_answers(vectors, "CBC"):
        key = aes_key(p11, token, one["KEY"])
        plain, sealed, iv = (bytes.fromhex(one[name]) for name in ("PLAINTEXT", "CIPHERTEXT", "IV"))
        padded = encrypt(token, (p11.CKM_AES_CBC_PAD, iv), key, plain)
        assert padded[: len(sealed)] == sealed
        last = decrypt(token, (p11.CKM_AES_CBC, sealed[-BLOCK_NBYTES:]), key, padded[len(sealed) :])
        assert last == bytes([BLOCK_NBYTES] * BLOCK_NBYTES)
        assert decrypt(token, (p11.CKM_AES_CBC_PAD, iv), key, padded) == plain


def test_counters(token: Station, p11: Any, vectors: Path) -> None:
    """RFC 3686."""
    seen = 0
    for path in sorted((vectors / "ciphers" / "AES" / "CTR").glob("*.txt")):
        for one in records(path, "CIPHERTEXT"):
            params = p11.CK_AES_CTR_PARAMS(32, bytes.fromhex(one["IV"]))
            key, plain = aes_key(p11, token, one["KEY"]), bytes.fromhex(one["PLAINTEXT"])
            sealed = encrypt(token, (p11.CKM_AES_CTR, params), key, plain)
            assert sealed.hex() == one["CIPHERTEXT"].lower()
            seen += 1
    assert seen == 9


def gcm(p11: Any, one: Answer) -> tuple[int, Any]:
    """Return the mechanism with the parameter of a vector."""
    iv = bytes.fromhex(one["IV"])
    tag_bits = 4 * len(one["Tag"])
    params = p11.CK_GCM_PARAMS(pIv=iv, ulIvBits=8 * len(iv), pAAD=bytes.fromhex(one["AAD"]), ulTagBits=tag_bits)
    return p11.CKM_AES_GCM, params


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_gcm(bits: int, token: Station, p11: Any, vectors: Path) -> None:
    """NIST's GCMVS: every 20th vector, of IVs up to 128 bytes, and of tags that PKCS #11 allows."""
    folder = vectors / "ciphers" / "AES" / "GCM"
    for one in islice(records(folder / f"gcmEncryptExtIV{bits}.rsp", "Tag"), 0, None, 20):
        sealed, plain = bytes.fromhex(one["CT"] + one["Tag"]), bytes.fromhex(one["PT"])
        key = aes_key(p11, token, one["Key"])
        assert encrypt(token, gcm(p11, one), key, plain) == sealed
        assert decrypt(token, gcm(p11, one), key, sealed) == plain
    refused = 0
    for one in islice(records(folder / f"gcmDecrypt{bits}.rsp", "PT"), 0, None, 20):
        sealed, key = bytes.fromhex(one["CT"] + one["Tag"]), aes_key(p11, token, one["Key"])
        if "FAIL" in one:
            refused += 1
            with pytest.raises(p11.PKCS11Error, match="CKR_ENCRYPTED_DATA_INVALID"):
                decrypt(token, gcm(p11, one), key, sealed)
        else:
            assert decrypt(token, gcm(p11, one), key, sealed).hex() == one["PT"]
    assert refused > 100


WRAPS = [("AES_KEY_WRAP", "KW"), ("AES_KEY_WRAP_KWP", "KWP"), ("AES_KEY_WRAP_PAD", "KWP")]


@pytest.mark.parametrize("bits", [128, 192, 256])
@pytest.mark.parametrize(("name", "stem"), WRAPS)
def test_wrapped(name: str, stem: str, bits: int, token: Station, p11: Any, vectors: Path) -> None:
    """NIST SP 800-38F: keys of up to 4,096 bits, every tenth; and what was changed is refused."""
    folder, mechanism = vectors / "keywrap" / "kwtestvectors", getattr(p11, f"CKM_{name}")
    template = [
        (p11.CKA_CLASS, p11.CKO_SECRET_KEY),
        (p11.CKA_KEY_TYPE, p11.CKK_GENERIC_SECRET),
        (p11.CKA_SENSITIVE, False),
        (p11.CKA_EXTRACTABLE, True),
    ]
    for one in islice(records(folder / f"{stem}_AE_{bits}.txt", "C"), 0, None, 10):
        wrapping = secret(p11, token, bytes.fromhex(one["K"]), p11.CKK_AES, p11.CKA_WRAP, p11.CKA_UNWRAP)
        key = secret(p11, token, bytes.fromhex(one["P"]), p11.CKK_GENERIC_SECRET)
        assert token.module.C_WrapKey(token.session, mechanism, wrapping, key).hex() == one["C"]
        again = token.module.C_UnwrapKey(token.session, mechanism, wrapping, bytes.fromhex(one["C"]), template)
        assert value_of(p11, token, again).hex() == one["P"]
    refused = 0
    for one in islice(records(folder / f"{stem}_AD_{bits}.txt", "P"), 0, None, 10):
        wrapping = secret(p11, token, bytes.fromhex(one["K"]), p11.CKK_AES, p11.CKA_WRAP, p11.CKA_UNWRAP)
        if "FAIL" in one:
            refused += 1
            with pytest.raises(p11.PKCS11Error, match="CKR_WRAPPED_KEY_INVALID"):
                token.module.C_UnwrapKey(token.session, mechanism, wrapping, bytes.fromhex(one["C"]), template)
    assert refused > 0

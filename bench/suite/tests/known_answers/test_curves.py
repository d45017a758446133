# SPDX-License-Identifier: Apache-2.0
"""ECDSA, ECDH and Ed25519."""

import hashlib
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from answered_mechanisms import HASHES
from cside_suite.subjects.pkcs11_modules import Station
from token_keys import CURVES, ED25519, curve_private, curve_public, is_signature, point, sign, value_of
from vector_files import Answer, records

NIST_HASHES = {"SHA-1": "SHA1"} | {f"SHA-{bits}": f"SHA{bits}" for bits in (224, 256, 384, 512)}
KDFS = ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]


def half(digits: str, curve: str) -> bytes:
    """Return half a signature, which is as long as the order."""
    return int(digits, 16).to_bytes((int(curve[2:]) + 7) // 8, "big")


def check_signature(p11: Any, token: Station, one: Answer) -> bool:
    """Verify a vector by the mechanism that computes the digest, and by the one that gets it."""
    curve, name = one["section"].split(",")
    key = curve_public(p11, token, point(one["Qx"], one["Qy"], curve), CURVES[curve], p11.CKK_EC)
    message, signature = bytes.fromhex(one["Msg"]), half(one["R"], curve) + half(one["S"], curve)
    digest = hashlib.new(NIST_HASHES[name], message).digest()
    both = [
        is_signature(p11, token, getattr(p11, f"CKM_ECDSA_{NIST_HASHES[name]}"), key, message, signature),
        is_signature(p11, token, p11.CKM_ECDSA, key, digest, signature),
    ]
    assert both[0] == both[1]
    return both[0]


@pytest.mark.parametrize("curve", CURVES)
def test_ecdsa(curve: str, token: Station, p11: Any, vectors: Path) -> None:
    """NIST's ECDSA2VS: signatures that are right, and those in which something was changed."""
    folder = vectors / "asymmetric" / "ECDSA" / "FIPS_186-3"
    made = [one for one in records(folder / "SigGen.rsp", "S") if one["section"].startswith(curve)]
    assert len(made) >= 60
    assert all(check_signature(p11, token, one) for one in made)
    judged = [one for one in records(folder / "SigVer.rsp", "Result") if one["section"].startswith(curve)]
    outcomes = []
    refused: list[tuple[str, bool]] = []
    for one in judged:
        try:
            outcomes.append((check_signature(p11, token, one), one["Result"][0] == "P"))
        except p11.PKCS11Error as error:
            refused.append((error.name, "Q changed" in one["Result"]))
    assert len(outcomes) >= 60
    assert [got for got, _ in outcomes] == [expected for _, expected in outcomes]
    assert set(refused) <= {("CKR_ATTRIBUTE_VALUE_INVALID", True)}  # a point that is not on the curve any more


def agreements(vectors: Path, curve: str) -> list[Answer]:
    """Return NIST's vectors of one curve, of which some have a wrong secret or a wrong point."""
    folder = vectors / "asymmetric" / "ECDH"
    letter = {"P-256": "EC", "P-384": "ED", "P-521": "EE"}[curve]
    found: list[Answer] = []
    for role in ("init", "resp"):
        path = folder / f"KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{role}.fax"
        found += [one for one in records(path, "Result") if re.match(f"{letter} - ", one["section"])]
    return found


def derive(p11: Any, token: Station, one: Answer, curve: str, kdf: int, length: int, info: bytes, name: str) -> bytes:
    """Derive a key of `length` bytes, by the private key of a vector and the point of its other side."""
    private = half(one["dsIUT"], curve)
    base = curve_private(p11, token, private, CURVES[curve], p11.CKK_EC)
    params = p11.CK_ECDH1_DERIVE_PARAMS(kdf, info, point(one["QsCAVSx"], one["QsCAVSy"], curve))
    template = [(p11.CKA_SENSITIVE, False), (p11.CKA_EXTRACTABLE, True), (p11.CKA_VALUE_LEN, length)]
    made = token.module.C_DeriveKey(token.session, (getattr(p11, f"CKM_{name}"), params), base, template)
    return value_of(p11, token, made)


def x963(secret: bytes, info: bytes, name: str, length: int) -> bytes:
    """ANSI X9.63, 5.6.3: digests of the secret, a counter and the information."""
    blocks = range(1, length // hashlib.new(name).digest_size + 2)
    joined = b"".join(hashlib.new(name, secret + count.to_bytes(4, "big") + info).digest() for count in blocks)
    return joined[:length]


@pytest.mark.parametrize("name", ["ECDH1_DERIVE", "ECDH1_COFACTOR_DERIVE"])
@pytest.mark.parametrize("curve", CURVES)
def test_ecdh(curve: str, name: str, token: Station, p11: Any, vectors: Path) -> None:
    """NIST's KASVS: the secret itself, and keys that X9.63 makes of it. A point that is not on the curve is refused."""
    right = 0
    refused: list[tuple[str, bool]] = []
    for at, one in enumerate(agreements(vectors, curve)):
        secret, verdict = half(one["Z"], curve), one["Result"]
        try:
            got = derive(p11, token, one, curve, p11.CKD_NULL, len(secret), b"", name)
        except p11.PKCS11Error as error:
            refused.append((error.name, verdict.startswith("F")))
            continue
        if verdict.startswith("P"):
            right += 1
            assert got == secret
            kdf, length = KDFS[at % len(KDFS)], 16 + at % 100
            made = derive(p11, token, one, curve, getattr(p11, f"CKD_{kdf}_KDF"), length, b"shared", name)
            assert made == x963(secret, b"shared", kdf, length)
    assert right >= 10
    assert refused
    assert set(refused) <= {("CKR_MECHANISM_PARAM_INVALID", True), ("CKR_ATTRIBUTE_VALUE_INVALID", True)}


@pytest.mark.parametrize("curve", CURVES)
def test_ecdsa_of_the_token(curve: str, token: Station, p11: Any, vectors: Path) -> None:
    """What the token signs with a key of the vectors it verifies with the public one, whatever the digest."""
    one = next(each for each in agreements(vectors, curve) if each["Result"].startswith("P"))
    private = half(one["dsIUT"], curve)
    signing = curve_private(p11, token, private, CURVES[curve], p11.CKK_EC)
    verifying = curve_public(p11, token, point(one["QsIUTx"], one["QsIUTy"], curve), CURVES[curve], p11.CKK_EC)
    for name in HASHES.values():
        if name == "MD5":
            continue
        mechanism = getattr(p11, f"CKM_ECDSA_{name}")
        signature = sign(token, mechanism, signing, b"a message")
        assert is_signature(p11, token, mechanism, verifying, b"a message", signature)
        digest = hashlib.new(name.lower(), b"a message").digest()
        assert is_signature(p11, token, p11.CKM_ECDSA, verifying, digest, signature)
        assert not is_signature(p11, token, mechanism, verifying, b"another", signature)


def test_ed25519(token: Station, p11: Any, vectors: Path) -> None:
    """Bernstein's vectors: messages of up to 1,023 bytes, every fourth."""
    lines = (vectors / "asymmetric" / "Ed25519" / "sign.input").read_text(encoding="ascii").splitlines()
    for line in islice(lines, 0, None, 4):
        private, public, message, signed = (bytes.fromhex(field) for field in line.split(":")[:4])
        signing = curve_private(p11, token, private[:32], ED25519, p11.CKK_EC_EDWARDS)
        verifying = curve_public(p11, token, public, ED25519, p11.CKK_EC_EDWARDS)
        assert sign(token, p11.CKM_EDDSA, signing, message) == signed[:64]
        assert is_signature(p11, token, p11.CKM_EDDSA, verifying, message, signed[:64])
        assert not is_signature(p11, token, p11.CKM_EDDSA, verifying, message + b"x", signed[:64])

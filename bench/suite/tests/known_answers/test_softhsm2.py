# SPDX-License-Identifier: Apache-2.0
"""The token does what SoftHSM2 does with the same keys, or a difference is declared here."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from compared_operations import MESSAGE, Given, Keys, make_keys, opened_by, sealed_by, signed_by, verified
from cside_suite.subjects.pkcs11_modules import Station
from misused_operations import answers
from token_keys import point
from vector_files import records

DONE = MESSAGE.hex()
VERSION = (2, 6)
"""The version of SoftHSM2 whose errors are known."""

DIFFERENT = {
    # the standard has a value for the mistake, and SoftHSM2 has it of libcrypto or Botan as a general error
    "sign data that is too long": ("CKR_DATA_LEN_RANGE", "CKR_GENERAL_ERROR"),
    "sign raw data above the modulus": ("CKR_DATA_INVALID", "CKR_GENERAL_ERROR"),
    "sign with a key of another type": ("CKR_KEY_TYPE_INCONSISTENT", "CKR_GENERAL_ERROR"),
    "encrypt too much": ("CKR_DATA_LEN_RANGE", "CKR_GENERAL_ERROR"),
    "decrypt too little": ("CKR_ENCRYPTED_DATA_LEN_RANGE", "CKR_GENERAL_ERROR"),
    "decrypt a wrong OAEP": ("CKR_ENCRYPTED_DATA_INVALID", "CKR_GENERAL_ERROR"),
    "generate on an unknown curve": ("CKR_CURVE_NOT_SUPPORTED", "CKR_GENERAL_ERROR"),
    "agree with a point off the curve": ("CKR_MECHANISM_PARAM_INVALID", "CKR_GENERAL_ERROR"),
    "unwrap what is no key": ("CKR_WRAPPED_KEY_INVALID", "CKR_GENERAL_ERROR"),
    # a parameter that is wrong has a value of its own
    "sign by PSS without a parameter": ("CKR_MECHANISM_PARAM_INVALID", "CKR_ARGUMENTS_BAD"),
    "sign by PSS with another digest": ("CKR_MECHANISM_PARAM_INVALID", "CKR_ARGUMENTS_BAD"),
    "sign by PSS with too much salt": ("CKR_MECHANISM_PARAM_INVALID", "CKR_MECHANISM_INVALID"),
    # an operation is active, and takes no parts
    "sign data in parts": ("CKR_FUNCTION_NOT_SUPPORTED", "CKR_OPERATION_NOT_INITIALIZED"),
    "sign by Ed25519 in parts": ("CKR_FUNCTION_NOT_SUPPORTED", "CKR_OPERATION_NOT_INITIALIZED"),
    # both are true, and the token looks at the class of the key first
    "sign with a public key": ("CKR_KEY_TYPE_INCONSISTENT", "CKR_KEY_FUNCTION_NOT_PERMITTED"),
    "encrypt with a private key": ("CKR_KEY_TYPE_INCONSISTENT", "CKR_KEY_FUNCTION_NOT_PERMITTED"),
    # SoftHSM2 has OAEP by SHA-1 only, without a label, and ECDH without a key derivation function
    "OAEP by SHA-256": (DONE, "CKR_ARGUMENTS_BAD"),
    "OAEP with a label": (DONE, "CKR_ARGUMENTS_BAD"),
    # the token has RSA of 2,048 bits and more, and computes with the primes
    "generate RSA of 1,024 bits": ("CKR_ATTRIBUTE_VALUE_INVALID", ""),
    "make RSA without primes": ("CKR_TEMPLATE_INCOMPLETE", "00"),
}
"""What each gives. One more is not tried here: raw data that is longer than the modulus ends SoftHSM2's process."""


def given_by(vectors: Path) -> Given:
    """Return keys of NIST's vectors."""
    rsa = vectors / "asymmetric" / "RSA" / "FIPS_186-2" / "SigVer15_186-3.rsp"
    pair = next(one for one in records(rsa, "Result") if one["section"] == "mod = 2048")
    path = vectors / "asymmetric" / "ECDH" / "KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax"
    curves = {}
    for one in records(path, "Result"):
        curve = {"EC": "P-256", "ED": "P-384", "EE": "P-521"}.get(one["section"][:2])
        if curve is not None and one["Result"].startswith("P"):
            private = int(one["dsIUT"], 16).to_bytes((int(curve[2:]) + 7) // 8, "big")
            own, other = (point(one[f"{who}x"], one[f"{who}y"], curve) for who in ("QsIUT", "QsCAVS"))
            curves[curve] = (private, own, other)
    line = (vectors / "asymmetric" / "Ed25519" / "sign.input").read_text(encoding="ascii").partition("\n")[0]
    seed, public = (bytes.fromhex(field) for field in line.split(":")[:2])
    return Given(int(pair["e"], 16), int(pair["p"], 16), int(pair["q"], 16), curves, seed[:32], public)


@pytest.fixture
def both(opened_module: Callable[[str], Station], p11: Any, vectors: Path) -> tuple[Keys, Keys, Given]:
    """The keys in the token and in SoftHSM2, and what they were made of."""
    given = given_by(vectors)
    token, softhsm2 = (make_keys(p11, opened_module(name), given) for name in ("token", "softhsm2"))
    return token, softhsm2, given


def test_both_answer_alike(both: tuple[Keys, Keys, Given], p11: Any) -> None:
    """Results are the same bytes, and errors have the same names, but for those that are declared."""
    token, softhsm2, given = both
    ours, theirs = answers(p11, token, given), answers(p11, softhsm2, given)
    different = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
    if tuple(softhsm2.station.module.C_GetInfo().libraryVersion) != VERSION:  # another one may have better errors
        assert different.keys() <= {*DIFFERENT, "agree with a key derivation function"}
        return
    derived = hashlib.sha256(bytes.fromhex(ours["ECDH P-256"]) + b"\0\0\0\1").hexdigest()  # ANSI X9.63, 5.6.3
    assert different == DIFFERENT | {"agree with a key derivation function": (derived, "CKR_MECHANISM_PARAM_INVALID")}


def test_each_understands_the_other(both: tuple[Keys, Keys, Given], p11: Any) -> None:
    """Each verifies what the other signed, and decrypts what the other encrypted."""
    for here, there in (both[:2], both[1::-1]):
        outcomes = verified(p11, there, signed_by(p11, here))
        assert outcomes == dict.fromkeys(outcomes, True)
        assert opened_by(p11, there, sealed_by(p11, here)) == {MESSAGE}

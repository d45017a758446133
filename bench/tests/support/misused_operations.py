# SPDX-License-Identifier: Apache-2.0
"""Calls that are wrong, or that a PKCS #11 module may refuse, and the answers of a module to all calls."""

from typing import Any

from compared_operations import (
    MESSAGE,
    NBYTES,
    Given,
    Keys,
    Operation,
    agree,
    by_padding,
    computed,
    pss,
    sign_in_parts,
    unwrap,
)
from cside_suite.subjects.pkcs11_modules import Station
from token_keys import decrypt, encrypt, octets, sign

__all__ = ["answers"]


def verify(station: Station, mechanism: Any, key: int, signature: bytes) -> bytes:
    """Verify the message."""
    station.module.C_VerifyInit(station.session, mechanism, key)
    station.module.C_Verify(station.session, MESSAGE, signature)
    return b""


def generate(p11: Any, station: Station, mechanism: int, template: list[tuple[int, Any]]) -> bytes:
    """Generate a pair of session objects."""
    station.module.C_GenerateKeyPair(station.session, mechanism, template, [])
    return b""


def misused(p11: Any, keys: Keys, given: Given) -> dict[str, Operation]:
    """Return calls that are wrong, or that a module may refuse."""
    station = keys.station
    public, private = keys.rsa
    session, module = station.session, station.module
    oaep = (p11.CKM_RSA_PKCS_OAEP, p11.CK_RSA_PKCS_OAEP_PARAMS(p11.CKM_SHA256, 2, 1, None))
    labelled = (p11.CKM_RSA_PKCS_OAEP, p11.CK_RSA_PKCS_OAEP_PARAMS(p11.CKM_SHA_1, 1, 1, b"label"))
    by_pss = p11.CKM_SHA256_RSA_PKCS_PSS
    other = given.curves["P-256"][2]
    off_curve = other[:-1] + bytes([other[-1] ^ 1])
    padded = by_padding(p11)
    unknown = [(p11.CKA_EC_PARAMS, bytes.fromhex("06052b8104000b"))]
    without_primes = [
        (p11.CKA_CLASS, p11.CKO_PRIVATE_KEY),
        (p11.CKA_KEY_TYPE, p11.CKK_RSA),
        (p11.CKA_MODULUS, (given.prime_1 * given.prime_2).to_bytes(NBYTES, "big")),
        (p11.CKA_PRIVATE_EXPONENT, bytes([3])),
    ]
    return {
        "sign data that is too long": lambda: sign(station, p11.CKM_RSA_PKCS, private, bytes(NBYTES - 10)),
        "sign raw data that is short": lambda: sign(station, p11.CKM_RSA_X_509, private, MESSAGE),
        "sign raw data above the modulus": lambda: sign(station, p11.CKM_RSA_X_509, private, b"\xff" * NBYTES),
        "sign data in parts": lambda: sign_in_parts(station, p11.CKM_RSA_PKCS, private),
        "sign by Ed25519 in parts": lambda: sign_in_parts(station, p11.CKM_EDDSA, keys.edwards[1]),
        "sign with a public key": lambda: sign(station, p11.CKM_RSA_PKCS, public, MESSAGE),
        "sign with a key of another type": lambda: sign(station, p11.CKM_ECDSA, private, MESSAGE),
        "sign by PSS without a parameter": lambda: sign(station, by_pss, private, MESSAGE),
        "sign by PSS with another digest": lambda: sign(station, (by_pss, pss(p11, "SHA512", 32)), private, MESSAGE),
        "sign by PSS with too much salt": lambda: sign(station, (by_pss, pss(p11, "SHA256", 223)), private, MESSAGE),
        "verify a short signature": lambda: verify(station, p11.CKM_SHA256_RSA_PKCS, public, bytes(NBYTES - 1)),
        "verify a wrong signature": lambda: verify(station, p11.CKM_SHA256_RSA_PKCS, public, bytes(NBYTES)),
        "verify a short one by ECDSA": lambda: verify(station, p11.CKM_ECDSA, keys.curves["P-384"][0], bytes(95)),
        "verify a wrong one by Ed25519": lambda: verify(station, p11.CKM_EDDSA, keys.edwards[0], bytes(64)),
        "encrypt too much": lambda: encrypt(station, p11.CKM_RSA_PKCS, public, bytes(NBYTES - 10)),
        "encrypt with a private key": lambda: encrypt(station, p11.CKM_RSA_PKCS, private, MESSAGE),
        "decrypt too little": lambda: decrypt(station, p11.CKM_RSA_PKCS, private, bytes(NBYTES - 1)),
        "OAEP by SHA-256": lambda: decrypt(station, oaep, private, encrypt(station, oaep, public, MESSAGE)),
        "OAEP with a label": lambda: decrypt(station, labelled, private, encrypt(station, labelled, public, MESSAGE)),
        "decrypt a wrong OAEP": lambda: decrypt(station, padded["OAEP"], private, bytes(NBYTES)),
        "generate RSA of 1,024 bits": lambda: generate(
            p11, station, p11.CKM_RSA_PKCS_KEY_PAIR_GEN, [(p11.CKA_MODULUS_BITS, 1024)]
        ),
        "generate RSA without a size": lambda: generate(p11, station, p11.CKM_RSA_PKCS_KEY_PAIR_GEN, []),
        "generate without a curve": lambda: generate(p11, station, p11.CKM_EC_KEY_PAIR_GEN, []),
        "generate on an unknown curve": lambda: generate(p11, station, p11.CKM_EC_KEY_PAIR_GEN, unknown),
        "agree with a point off the curve": lambda: agree(p11, keys, "P-256", off_curve),
        "agree with a point as OCTET STRING": lambda: agree(p11, keys, "P-256", octets(other)),
        "agree with a key derivation function": lambda: agree(p11, keys, "P-256", other, p11.CKD_SHA256_KDF),
        "make RSA without primes": lambda: bytes(module.C_CreateObject(session, without_primes) > 0),
        "unwrap what is no key": lambda: bytes(unwrap(p11, keys, p11.CKM_AES_KEY_WRAP, bytes(24)) > 0),
        "unwrap too little": lambda: bytes(unwrap(p11, keys, p11.CKM_AES_KEY_WRAP, bytes(23)) > 0),
        "read a private exponent": lambda: bytes(
            module.C_GetAttributeValue(session, private, [p11.CKA_PRIVATE_EXPONENT])[0][1]
        ),
    }


def answers(p11: Any, keys: Keys, given: Given) -> dict[str, str]:
    """Return for each operation its result, hexadecimal, or the name of the error."""
    found = {}
    for name, operation in (computed(p11, keys, given) | misused(p11, keys, given)).items():
        try:
            found[name] = operation().hex()
        except p11.PKCS11Error as error:
            found[name] = error.name
    return found

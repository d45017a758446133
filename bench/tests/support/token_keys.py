# SPDX-License-Identifier: Apache-2.0
"""Keys with known values in a PKCS #11 module, as session objects, and what is done with them in one call."""

from typing import Any

from cside_suite.subjects.pkcs11_modules import Station

CURVES = {"P-256": "06082a8648ce3d030107", "P-384": "06052b81040022", "P-521": "06052b81040023"}
"""The object identifiers of the curves in DER (RFC 5480), hexadecimal."""

ED25519 = "06032b6570"
"""The object identifier of Ed25519 in DER (RFC 8410), hexadecimal."""


def number(value: int) -> bytes:
    """Return a number as PKCS #11 writes it, without leading zeros."""
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def secret(p11: Any, station: Station, value: bytes, key_type: int, *flags: int) -> int:
    """Make a secret key that can be read, and is used for what the attributes ``flags`` say."""
    template = [
        (p11.CKA_CLASS, p11.CKO_SECRET_KEY),
        (p11.CKA_KEY_TYPE, key_type),
        (p11.CKA_VALUE, value),
        (p11.CKA_SENSITIVE, False),
        (p11.CKA_EXTRACTABLE, True),
        *((flag, True) for flag in flags),
    ]
    return int(station.module.C_CreateObject(station.session, template))


def rsa_public(p11: Any, station: Station, modulus: int, exponent: int) -> int:
    """Make a public RSA key that encrypts and verifies."""
    template = [
        (p11.CKA_CLASS, p11.CKO_PUBLIC_KEY),
        (p11.CKA_KEY_TYPE, p11.CKK_RSA),
        (p11.CKA_MODULUS, number(modulus)),
        (p11.CKA_PUBLIC_EXPONENT, number(exponent)),
        (p11.CKA_ENCRYPT, True),
        (p11.CKA_VERIFY, True),
    ]
    return int(station.module.C_CreateObject(station.session, template))


def rsa_private(p11: Any, station: Station, exponent: int, prime_1: int, prime_2: int) -> int:
    """Make a private RSA key that decrypts and signs, of its public exponent and its primes."""
    private = pow(exponent, -1, (prime_1 - 1) * (prime_2 - 1))
    template = [
        (p11.CKA_CLASS, p11.CKO_PRIVATE_KEY),
        (p11.CKA_KEY_TYPE, p11.CKK_RSA),
        (p11.CKA_MODULUS, number(prime_1 * prime_2)),
        (p11.CKA_PUBLIC_EXPONENT, number(exponent)),
        (p11.CKA_PRIVATE_EXPONENT, number(private)),
        (p11.CKA_PRIME_1, number(prime_1)),
        (p11.CKA_PRIME_2, number(prime_2)),
        (p11.CKA_EXPONENT_1, number(private % (prime_1 - 1))),
        (p11.CKA_EXPONENT_2, number(private % (prime_2 - 1))),
        (p11.CKA_COEFFICIENT, number(pow(prime_2, -1, prime_1))),
        (p11.CKA_DECRYPT, True),
        (p11.CKA_SIGN, True),
    ]
    return int(station.module.C_CreateObject(station.session, template))


def octets(value: bytes) -> bytes:
    """Return an OCTET STRING in DER."""
    return b"\x04" + (b"" if len(value) < 128 else b"\x81") + bytes([len(value)]) + value


def point(x: str, y: str, curve: str) -> bytes:
    """Return a point, uncompressed, of its coordinates as hexadecimal digits."""
    nbytes = (int(curve[2:]) + 7) // 8
    return b"\x04" + int(x, 16).to_bytes(nbytes, "big") + int(y, 16).to_bytes(nbytes, "big")


def curve_public(p11: Any, station: Station, value: bytes, params: str, key_type: int) -> int:
    """Make a public key on a curve, of its point, which verifies."""
    template = [
        (p11.CKA_CLASS, p11.CKO_PUBLIC_KEY),
        (p11.CKA_KEY_TYPE, key_type),
        (p11.CKA_EC_PARAMS, bytes.fromhex(params)),
        (p11.CKA_EC_POINT, octets(value)),
        (p11.CKA_VERIFY, True),
    ]
    return int(station.module.C_CreateObject(station.session, template))


def curve_private(p11: Any, station: Station, value: bytes, params: str, key_type: int) -> int:
    """Make a private key on a curve, which signs and, where the curve allows it, derives."""
    template = [
        (p11.CKA_CLASS, p11.CKO_PRIVATE_KEY),
        (p11.CKA_KEY_TYPE, key_type),
        (p11.CKA_EC_PARAMS, bytes.fromhex(params)),
        (p11.CKA_VALUE, value),
        (p11.CKA_SENSITIVE, False),
        (p11.CKA_EXTRACTABLE, True),
        (p11.CKA_SIGN, True),
        (p11.CKA_DERIVE, key_type == p11.CKK_EC),
    ]
    return int(station.module.C_CreateObject(station.session, template))


def encrypt(station: Station, mechanism: Any, key: int, data: bytes) -> bytes:
    """Encrypt in one call."""
    station.module.C_EncryptInit(station.session, mechanism, key)
    return bytes(station.module.C_Encrypt(station.session, data))


def decrypt(station: Station, mechanism: Any, key: int, data: bytes) -> bytes:
    """Decrypt in one call."""
    station.module.C_DecryptInit(station.session, mechanism, key)
    return bytes(station.module.C_Decrypt(station.session, data))


def sign(station: Station, mechanism: Any, key: int, data: bytes) -> bytes:
    """Sign in one call."""
    station.module.C_SignInit(station.session, mechanism, key)
    return bytes(station.module.C_Sign(station.session, data))


def is_signature(p11: Any, station: Station, mechanism: Any, key: int, data: bytes, signature: bytes) -> bool:
    """Verify in one call. Errors other than that the signature is wrong are raised."""
    station.module.C_VerifyInit(station.session, mechanism, key)
    try:
        station.module.C_Verify(station.session, data, signature)
    except p11.PKCS11Error as error:
        if error.name not in ("CKR_SIGNATURE_INVALID", "CKR_SIGNATURE_LEN_RANGE"):
            raise
        return False
    return True


def value_of(p11: Any, station: Station, key: int) -> bytes:
    """Read ``CKA_VALUE``."""
    return bytes(station.module.C_GetAttributeValue(station.session, key, [p11.CKA_VALUE])[0][1])

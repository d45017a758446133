# SPDX-License-Identifier: Apache-2.0
"""Operations that two PKCS #11 modules do with the same keys and data: what each gives, or the name of its error."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from answered_mechanisms import HASHES
from cside_suite.subjects.pkcs11_modules import Station
from token_keys import (
    CURVES,
    ED25519,
    curve_private,
    curve_public,
    decrypt,
    encrypt,
    is_signature,
    rsa_private,
    rsa_public,
    secret,
    sign,
    value_of,
)

MESSAGE = bytes(range(48))
NBYTES = 256
OAEP_MASK_SHA1 = 1


@dataclass(frozen=True)
class Given:
    """Values of keys that both modules get. Numbers are those of a pair of 2,048 bits, points those of each curve."""

    exponent: int
    prime_1: int
    prime_2: int
    curves: Mapping[str, tuple[bytes, bytes, bytes]]
    """By curve a private value, the point that belongs to it, and the point of another."""
    seed: bytes
    public: bytes


@dataclass(frozen=True)
class Keys:
    """Handles in one module."""

    station: Station
    rsa: tuple[int, int]
    """Public and private, as the others."""
    curves: Mapping[str, tuple[int, int]]
    edwards: tuple[int, int]
    aes: int
    wrapping: int
    mac: int


def make_keys(p11: Any, station: Station, given: Given) -> Keys:
    """Make all keys in a module."""
    pairs = {
        name: (
            curve_public(p11, station, public, CURVES[name], p11.CKK_EC),
            curve_private(p11, station, private, CURVES[name], p11.CKK_EC),
        )
        for name, (private, public, _) in given.curves.items()
    }
    return Keys(
        station,
        (
            rsa_public(p11, station, given.prime_1 * given.prime_2, given.exponent),
            rsa_private(p11, station, given.exponent, given.prime_1, given.prime_2),
        ),
        pairs,
        (
            curve_public(p11, station, given.public, ED25519, p11.CKK_EC_EDWARDS),
            curve_private(p11, station, given.seed, ED25519, p11.CKK_EC_EDWARDS),
        ),
        secret(p11, station, MESSAGE[:32], p11.CKK_AES, p11.CKA_ENCRYPT, p11.CKA_DECRYPT),
        secret(p11, station, MESSAGE[:16], p11.CKK_AES, p11.CKA_WRAP, p11.CKA_UNWRAP),
        secret(p11, station, MESSAGE * 2, p11.CKK_GENERIC_SECRET, p11.CKA_SIGN, p11.CKA_VERIFY),
    )


def pss(p11: Any, name: str, salt_nbytes: int) -> Any:
    """Return a parameter of PSS by SHA-256 with this digest."""
    return p11.CK_RSA_PKCS_PSS_PARAMS(getattr(p11, f"CKM_{name}"), 2, salt_nbytes)


def digest(station: Station, mechanism: int, data: bytes) -> bytes:
    """Digest in one call."""
    station.module.C_DigestInit(station.session, mechanism)
    return bytes(station.module.C_Digest(station.session, data))


def agree(p11: Any, keys: Keys, name: str, other: bytes, kdf: int = 1) -> bytes:
    """Agree on a secret by ECDH, without a key derivation function unless another is named."""
    params = p11.CK_ECDH1_DERIVE_PARAMS(kdf, None, other)
    length = (int(name[2:]) + 7) // 8
    template = [
        (p11.CKA_CLASS, p11.CKO_SECRET_KEY),
        (p11.CKA_KEY_TYPE, p11.CKK_GENERIC_SECRET),
        (p11.CKA_SENSITIVE, False),
        (p11.CKA_EXTRACTABLE, True),
        (p11.CKA_VALUE_LEN, length),
    ]
    station = keys.station
    made = station.module.C_DeriveKey(station.session, (p11.CKM_ECDH1_DERIVE, params), keys.curves[name][1], template)
    return value_of(p11, station, made)


def wrap_and_unwrap(p11: Any, keys: Keys, mechanism: int) -> bytes:
    """Wrap a key by AES, unwrap it, and return what was wrapped and the value that came back."""
    station = keys.station
    wrapped = station.module.C_WrapKey(station.session, mechanism, keys.wrapping, keys.aes)
    return bytes(wrapped) + value_of(p11, station, unwrap(p11, keys, mechanism, bytes(wrapped)))


def unwrap(p11: Any, keys: Keys, mechanism: int, wrapped: bytes) -> int:
    """Unwrap a key that can be read."""
    template = [
        (p11.CKA_CLASS, p11.CKO_SECRET_KEY),
        (p11.CKA_KEY_TYPE, p11.CKK_AES),
        (p11.CKA_SENSITIVE, False),
        (p11.CKA_EXTRACTABLE, True),
    ]
    return int(keys.station.module.C_UnwrapKey(keys.station.session, mechanism, keys.wrapping, wrapped, template))


def sign_in_parts(station: Station, mechanism: Any, key: int) -> bytes:
    """Sign the message in two parts."""
    station.module.C_SignInit(station.session, mechanism, key)
    station.module.C_SignUpdate(station.session, MESSAGE[:5])
    station.module.C_SignUpdate(station.session, MESSAGE[5:])
    return bytes(station.module.C_SignFinal(station.session))


Operation = Callable[[], bytes]


def computed(p11: Any, keys: Keys, given: Given) -> dict[str, Operation]:
    """Return operations whose results are determined."""
    station = keys.station
    public, private = keys.rsa
    gcm = p11.CK_GCM_PARAMS(pIv=bytes(12), ulIvBits=96, pAAD=b"aad", ulTagBits=128)
    ctr = p11.CK_AES_CTR_PARAMS(128, bytes(range(16)))
    by_aes: dict[str, Any] = {
        "AES-ECB": p11.CKM_AES_ECB,
        "AES-CBC": (p11.CKM_AES_CBC, bytes(16)),
        "AES-CBC-PAD": (p11.CKM_AES_CBC_PAD, bytes(16)),
        "AES-CTR": (p11.CKM_AES_CTR, ctr),
        "AES-GCM": (p11.CKM_AES_GCM, gcm),
    }
    found: dict[str, Operation] = {}
    for name, signing in HASHES.items():
        if name.startswith("SHA3_"):
            continue
        found[f"digest {name}"] = lambda name=name: digest(station, getattr(p11, f"CKM_{name}"), MESSAGE)
        found[f"mac {name}"] = lambda name=name: sign(station, getattr(p11, f"CKM_{name}_HMAC"), keys.mac, MESSAGE)
        found[f"RSA sign {name}"] = lambda signing=signing: sign_in_parts(
            station, getattr(p11, f"CKM_{signing}_RSA_PKCS"), private
        )
    for name, mechanism in by_aes.items():
        found[f"encrypt {name}"] = lambda mechanism=mechanism: encrypt(station, mechanism, keys.aes, MESSAGE)
        found[f"decrypt {name}"] = lambda mechanism=mechanism: decrypt(
            station, mechanism, keys.aes, encrypt(station, mechanism, keys.aes, MESSAGE)
        )
    for name in ("AES_KEY_WRAP", "AES_KEY_WRAP_PAD"):
        found[f"wrap {name}"] = lambda name=name: wrap_and_unwrap(p11, keys, getattr(p11, f"CKM_{name}"))
    for name in given.curves:
        found[f"ECDH {name}"] = lambda name=name: agree(p11, keys, name, given.curves[name][2])
    found["RSA sign data"] = lambda: sign(station, p11.CKM_RSA_PKCS, private, MESSAGE)
    found["RSA sign raw"] = lambda: sign(station, p11.CKM_RSA_X_509, private, MESSAGE.rjust(NBYTES, b"\0"))
    found["RSA decrypt raw"] = lambda: decrypt(station, p11.CKM_RSA_X_509, private, MESSAGE.rjust(NBYTES, b"\0"))
    found["RSA encrypt raw"] = lambda: encrypt(station, p11.CKM_RSA_X_509, public, MESSAGE.rjust(NBYTES, b"\0"))
    found["Ed25519 sign"] = lambda: sign(station, p11.CKM_EDDSA, keys.edwards[1], MESSAGE)
    return found


# ---- what is random in one module, and right in the other


def by_random(p11: Any) -> dict[str, Any]:
    """Return mechanisms that sign with a random number."""
    return {
        "RSA-PSS": (p11.CKM_SHA256_RSA_PKCS_PSS, pss(p11, "SHA256", 32)),
        "RSA-PSS of a digest": (p11.CKM_RSA_PKCS_PSS, pss(p11, "SHA256", 20)),
        **{f"ECDSA {name}": p11.CKM_ECDSA for name in CURVES},
    }


def pair_of(keys: Keys, name: str) -> tuple[int, int]:
    """Return the pair that a mechanism of :func:`by_random` uses."""
    return keys.curves[name.removeprefix("ECDSA ")] if name.startswith("ECDSA") else keys.rsa


def signed_by(p11: Any, keys: Keys) -> dict[str, bytes]:
    """Sign 32 bytes by each of :func:`by_random`."""
    return {
        name: sign(keys.station, mechanism, pair_of(keys, name)[1], MESSAGE[:32])
        for name, mechanism in by_random(p11).items()
    }


def verified(p11: Any, keys: Keys, signatures: Mapping[str, bytes]) -> dict[str, bool]:
    """Verify what another module signed."""
    mechanisms = by_random(p11)
    return {
        name: is_signature(p11, keys.station, mechanisms[name], pair_of(keys, name)[0], MESSAGE[:32], signature)
        for name, signature in signatures.items()
    }


def by_padding(p11: Any) -> dict[str, Any]:
    """Return mechanisms that encrypt with a random padding."""
    oaep = p11.CK_RSA_PKCS_OAEP_PARAMS(p11.CKM_SHA_1, OAEP_MASK_SHA1, 1, None)
    return {"PKCS #1": p11.CKM_RSA_PKCS, "OAEP": (p11.CKM_RSA_PKCS_OAEP, oaep)}


def sealed_by(p11: Any, keys: Keys) -> dict[str, bytes]:
    """Encrypt the message."""
    return {name: encrypt(keys.station, each, keys.rsa[0], MESSAGE) for name, each in by_padding(p11).items()}


def opened_by(p11: Any, keys: Keys, sealed: Mapping[str, bytes]) -> set[bytes]:
    """Decrypt what another module encrypted."""
    return {decrypt(keys.station, each, keys.rsa[1], sealed[name]) for name, each in by_padding(p11).items()}

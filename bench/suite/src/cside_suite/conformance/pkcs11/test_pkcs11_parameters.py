# SPDX-License-Identifier: Apache-2.0
"""The parameters of RSA, of Ed25519 and of keys that are joined reach a real module through every binding."""

from typing import Any

import pytest

from cside_suite.conformance.outcome import failure
from cside_suite.subjects.pkcs11_modules import Station

MESSAGE = b"what is signed and sealed"
SHA256_NBYTES = 32

EXPONENT = 0x10001
PRIMES = [
    int(digits, 16)
    for digits in (
        "bf96de108963b5113399b664765efe046e2dafdb70d6e5e29dc6ec89b789b059348d74d89129c7ade9ddb404c6dc3a34"
        "37c7fc9f23bc38dadc8ffd0ff757999f5c2d510b993056147ccdf421e03d0be2c74ec333a9677c430cc604f5550d0d86"
        "defdde71488e3db889c699a5cacb44dcdae2f3cca38695e783e6f6250827efb1",
        "e1e7e33618d1b64d6862c132e4b1cd5fabad20ce62bd97bce2a3f5ad2da67bb0a7f0b9e48335a33b7b95e77ec4c47e91"
        "416881f9f7c23f9bc1918cc644335c74260e90cd7b2e0fed802f19e78c5ed80a431b38630d82f982c74a0381b8ecf943"
        "c60810fae90574e216357b2535002316d9529cb56420f3cc82dea37cb624e1e3",
    )
]
"""Of a key of 2,048 bits in NIST's vectors for RSA. To generate one would take longer than all tests here."""

ED25519 = [
    bytes.fromhex(digits)
    for digits in (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    )
]
"""RFC 8032, 7.1, test 1: the private key, the public key, and the signature of the empty message."""


def number(value: int) -> bytes:
    """Return a number as PKCS #11 writes it."""
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def rsa_pair(station: Station, p11: Any) -> tuple[int, int]:
    """Make both keys as session objects."""
    one, two = PRIMES
    private = pow(EXPONENT, -1, (one - 1) * (two - 1))
    shared = [
        (p11.CKA_KEY_TYPE, p11.CKK_RSA),
        (p11.CKA_MODULUS, number(one * two)),
        (p11.CKA_PUBLIC_EXPONENT, number(EXPONENT)),
    ]
    secrets = [
        (p11.CKA_PRIVATE_EXPONENT, number(private)),
        (p11.CKA_PRIME_1, number(one)),
        (p11.CKA_PRIME_2, number(two)),
        (p11.CKA_EXPONENT_1, number(private % (one - 1))),
        (p11.CKA_EXPONENT_2, number(private % (two - 1))),
        (p11.CKA_COEFFICIENT, number(pow(two, -1, one))),
    ]
    create = station.module.C_CreateObject
    return (
        int(create(station.session, [(p11.CKA_CLASS, p11.CKO_PUBLIC_KEY), *shared])),
        int(create(station.session, [(p11.CKA_CLASS, p11.CKO_PRIVATE_KEY), *shared, *secrets])),
    )


def test_rsa_takes_its_parameters(station: Station, p11: Any) -> None:
    """PSS: the length of the salt is what was asked for, and another does not verify. OAEP without a label."""
    module, session = station.module, station.session
    public, private = rsa_pair(station, p11)
    pss = p11.CK_RSA_PKCS_PSS_PARAMS(p11.CKM_SHA256, p11.CKG_MGF1_SHA256, SHA256_NBYTES)
    module.C_SignInit(session, (p11.CKM_SHA256_RSA_PKCS_PSS, pss), private)
    signature = module.C_Sign(session, MESSAGE)
    module.C_VerifyInit(session, (p11.CKM_SHA256_RSA_PKCS_PSS, pss), public)
    module.C_Verify(session, MESSAGE, signature)
    other = pss._replace(sLen=SHA256_NBYTES - 1)
    module.C_VerifyInit(session, (p11.CKM_SHA256_RSA_PKCS_PSS, other), public)
    error: Any = failure(module.C_Verify, session, MESSAGE, signature)
    assert error.name == "CKR_SIGNATURE_INVALID"
    oaep = p11.CK_RSA_PKCS_OAEP_PARAMS(p11.CKM_SHA_1, p11.CKG_MGF1_SHA1, p11.CKZ_DATA_SPECIFIED, None)
    module.C_EncryptInit(session, (p11.CKM_RSA_PKCS_OAEP, oaep), public)
    sealed = module.C_Encrypt(session, MESSAGE)
    module.C_DecryptInit(session, (p11.CKM_RSA_PKCS_OAEP, oaep), private)
    assert module.C_Decrypt(session, sealed) == MESSAGE


@pytest.mark.parametrize("station", ["token"], indirect=True)
def test_rsa_takes_a_label(station: Station, p11: Any) -> None:
    """What was encrypted with a label is decrypted with it only. SoftHSM2 does not have labels."""
    module, session = station.module, station.session
    public, private = rsa_pair(station, p11)
    oaep = p11.CK_RSA_PKCS_OAEP_PARAMS(p11.CKM_SHA512, p11.CKG_MGF1_SHA256, p11.CKZ_DATA_SPECIFIED, b"label")
    module.C_EncryptInit(session, (p11.CKM_RSA_PKCS_OAEP, oaep), public)
    sealed = module.C_Encrypt(session, MESSAGE)
    module.C_DecryptInit(session, (p11.CKM_RSA_PKCS_OAEP, oaep), private)
    assert module.C_Decrypt(session, sealed) == MESSAGE
    module.C_DecryptInit(session, (p11.CKM_RSA_PKCS_OAEP, oaep._replace(pSourceData=b"other")), private)
    error: Any = failure(module.C_Decrypt, session, sealed)
    assert error.name == "CKR_ENCRYPTED_DATA_INVALID"


def test_ed25519_takes_none(station: Station, p11: Any) -> None:
    """A mechanism without a parameter is a number; the answer is that of RFC 8032."""
    module, session = station.module, station.session
    value, point, signature = ED25519
    shared = [
        (p11.CKA_KEY_TYPE, p11.CKK_EC_EDWARDS),
        (p11.CKA_EC_PARAMS, bytes.fromhex("06032b6570")),
    ]
    private = module.C_CreateObject(session, [(p11.CKA_CLASS, p11.CKO_PRIVATE_KEY), *shared, (p11.CKA_VALUE, value)])
    public = module.C_CreateObject(
        session, [(p11.CKA_CLASS, p11.CKO_PUBLIC_KEY), *shared, (p11.CKA_EC_POINT, b"\x04\x20" + point)]
    )
    module.C_SignInit(session, p11.CKM_EDDSA, private)
    assert module.C_Sign(session, b"") == signature
    module.C_VerifyInit(session, p11.CKM_EDDSA, public)
    module.C_Verify(session, b"", signature)


@pytest.mark.parametrize("station", ["token"], indirect=True)
def test_joined_keys_take_data_and_handles(station: Station, p11: Any) -> None:
    """Data before, behind and combined with a key, and another key by its handle. SoftHSM2 does not have them."""
    module, session = station.module, station.session
    readable = [(p11.CKA_SENSITIVE, False), (p11.CKA_EXTRACTABLE, True)]
    template = [(p11.CKA_CLASS, p11.CKO_SECRET_KEY), (p11.CKA_KEY_TYPE, p11.CKK_GENERIC_SECRET), *readable]
    base, other = (
        module.C_CreateObject(session, [*template, (p11.CKA_VALUE, value), (p11.CKA_DERIVE, True)])
        for value in (b"base", b"other")
    )
    data = p11.CK_KEY_DERIVATION_STRING_DATA(b"\1\1\1\1")
    for mechanism, expected in (
        ((p11.CKM_CONCATENATE_BASE_AND_DATA, data), b"base\1\1\1\1"),
        ((p11.CKM_CONCATENATE_DATA_AND_BASE, data), b"\1\1\1\1base"),
        ((p11.CKM_XOR_BASE_AND_DATA, data), b"c`rd"),
        ((p11.CKM_CONCATENATE_BASE_AND_KEY, other), b"baseother"),
    ):
        made = module.C_DeriveKey(session, mechanism, base, readable)
        assert module.C_GetAttributeValue(session, made, [p11.CKA_VALUE]) == [(p11.CKA_VALUE, expected)]

# SPDX-License-Identifier: Apache-2.0
"""Every binding works with real modules: sessions, PINs, objects, cryptography, and the return value of each misuse."""

import hashlib
import hmac
from contextlib import suppress
from typing import Any

import pytest

from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import failure
from cside_suite.conformance.pkcs11 import pkcs11_probe
from cside_suite.conformance.pkcs11._pkcs11_table import FUNCTIONS
from cside_suite.conformance.pkcs11.pkcs11_modules import available
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.pkcs11_modules import (
    CKF_RW_SESSION,
    CKF_SERIAL_SESSION,
    LABEL,
    SO_PIN,
    USER_PIN,
    Station,
    logged_in,
)

RW = CKF_SERIAL_SESSION | CKF_RW_SESSION
P256 = bytes.fromhex("06082a8648ce3d030107")
"""The object identifier of P-256 in DER (RFC 5480)."""


def refused(call: Any, *arguments: Any) -> str:
    """Call, and return the name of the return value with which the call fails."""
    error: Any = failure(call, *arguments)
    assert type(error).__name__ == "PKCS11Error", repr(error)
    assert error.function == call.__name__
    return str(error.name)


def secret(station: Station, p11: Any, value: bytes, key_type: int, **flags: bool) -> int:
    """Make a secret key as a session object."""
    template = [
        (p11.CKA_CLASS, p11.CKO_SECRET_KEY),
        (p11.CKA_KEY_TYPE, key_type),
        (p11.CKA_TOKEN, False),
        (p11.CKA_PRIVATE, True),
        (p11.CKA_VALUE, value),
        *((getattr(p11, f"CKA_{name.upper()}"), flag) for name, flag in flags.items()),
    ]
    return int(station.module.C_CreateObject(station.session, template))


def key_pair(station: Station, p11: Any) -> tuple[int, int]:
    """Make a pair of keys on P-256 as session objects."""
    public = [(p11.CKA_EC_PARAMS, P256), (p11.CKA_VERIFY, True), (p11.CKA_TOKEN, False)]
    private = [
        (p11.CKA_SIGN, True),
        (p11.CKA_DERIVE, True),
        (p11.CKA_TOKEN, False),
        (p11.CKA_SENSITIVE, False),
        (p11.CKA_EXTRACTABLE, True),
    ]
    pair = station.module.C_GenerateKeyPair(station.session, p11.CKM_EC_KEY_PAIR_GEN, public, private)
    return int(pair[0]), int(pair[1])


def test_a_module_describes_itself(station: Station, p11: Any) -> None:
    """The module describes itself, its slots, its token and its mechanisms."""
    module = station.module
    assert module.C_GetInfo().cryptokiVersion >= (2, 40)
    assert module.C_GetSlotInfo(station.slot).flags & p11.CKF_TOKEN_PRESENT
    token = module.C_GetTokenInfo(station.slot)
    assert token.label == LABEL
    assert token.flags & p11.CKF_USER_PIN_INITIALIZED
    assert station.slot in module.C_GetSlotList(True)
    assert set(module.C_GetSlotList(True)) <= set(module.C_GetSlotList(False))
    mechanisms = module.C_GetMechanismList(station.slot)
    assert {p11.CKM_SHA256, p11.CKM_SHA256_HMAC, p11.CKM_AES_GCM, p11.CKM_ECDSA} <= set(mechanisms)
    for mechanism in mechanisms:
        module.C_GetMechanismInfo(station.slot, mechanism)
    info = module.C_GetMechanismInfo(station.slot, p11.CKM_AES_KEY_GEN)
    assert info.flags & p11.CKF_GENERATE
    assert refused(module.C_GetMechanismInfo, station.slot, 0x80001234) == "CKR_MECHANISM_INVALID"
    for call in (module.C_GetSlotInfo, module.C_GetTokenInfo, module.C_GetMechanismList):
        assert refused(call, 10**9) == "CKR_SLOT_ID_INVALID"


def test_initialising_twice_and_not_at_all_is_refused(station: Station) -> None:
    """The return values for initialising twice, finalising twice, and calls after finalising are raised."""
    module = station.module
    assert refused(module.C_Initialize) == "CKR_CRYPTOKI_ALREADY_INITIALIZED"
    module.C_Finalize()
    assert refused(module.C_Finalize) == "CKR_CRYPTOKI_NOT_INITIALIZED"
    assert refused(module.C_GetInfo) == "CKR_CRYPTOKI_NOT_INITIALIZED"
    assert refused(module.C_GetSessionInfo, station.session) == "CKR_CRYPTOKI_NOT_INITIALIZED"


def test_no_function_works_before_initialisation(station: Station) -> None:
    """Before ``C_Initialize`` every function fails with the standard's return value, except for those of lists."""
    station.module.C_Finalize()
    wrong = {}
    for name, function in FUNCTIONS.items():
        if name in {"C_Initialize", "C_GetFunctionList", "C_GetInterface", "C_GetInterfaceList"}:
            continue
        values = [[3] if kind == "types" else pkcs11_probe.valid(p, kind, 1) for p, kind in function.parameters]
        told = refused(getattr(station.module, name), *values)
        if told not in {"CKR_CRYPTOKI_NOT_INITIALIZED", "CKR_FUNCTION_NOT_SUPPORTED", "CKR_FUNCTION_NOT_PARALLEL"}:
            wrong[name] = told
    assert wrong == {}


def test_no_function_takes_a_stale_session(station: Station) -> None:
    """Every function that takes a session refuses a closed one."""
    module = station.module
    stale = module.C_OpenSession(station.slot, RW)
    module.C_CloseSession(stale)
    wrong = {}
    for name, function in FUNCTIONS.items():
        if not function.parameters or function.parameters[0][0] != "hSession":
            continue
        values = [[3] if kind == "types" else pkcs11_probe.valid(p, kind, 1) for p, kind in function.parameters]
        told = refused(getattr(module, name), stale, *values[1:])
        allowed = {"CKR_SESSION_HANDLE_INVALID", "CKR_FUNCTION_NOT_SUPPORTED", "CKR_FUNCTION_NOT_PARALLEL"}
        if told not in allowed:
            wrong[name] = told
    assert wrong == {}


def test_sessions_have_states(station: Station, p11: Any) -> None:
    """Read-only and read-write sessions have the states and limits of the standard."""
    module = station.module
    info = module.C_GetSessionInfo(station.session)
    assert (info.slotID, info.state, info.flags) == (station.slot, p11.CKS_RW_USER_FUNCTIONS, RW)
    reader = module.C_OpenSession(station.slot, p11.CKF_SERIAL_SESSION)
    assert module.C_GetSessionInfo(reader).state == p11.CKS_RO_USER_FUNCTIONS
    template = [(p11.CKA_CLASS, p11.CKO_DATA), (p11.CKA_TOKEN, True), (p11.CKA_VALUE, b"x")]
    assert refused(module.C_CreateObject, reader, template) == "CKR_SESSION_READ_ONLY"
    assert refused(module.C_OpenSession, station.slot, 0) == "CKR_SESSION_PARALLEL_NOT_SUPPORTED"
    assert refused(module.C_OpenSession, 10**9, RW) == "CKR_SLOT_ID_INVALID"
    module.C_Logout(station.session)
    assert module.C_GetSessionInfo(station.session).state == p11.CKS_RW_PUBLIC_SESSION
    assert refused(module.C_Login, station.session, p11.CKU_SO, SO_PIN) == "CKR_SESSION_READ_ONLY_EXISTS"
    module.C_CloseAllSessions(station.slot)
    for session in (reader, station.session):
        assert refused(module.C_CloseSession, session) == "CKR_SESSION_HANDLE_INVALID"


def test_pins_are_checked_and_changed(station: Station, p11: Any) -> None:
    """Wrong PINs are refused, PINs can be changed, and users can log in and out."""
    module, session = station.module, station.session
    assert refused(module.C_Login, session, p11.CKU_USER, USER_PIN) == "CKR_USER_ALREADY_LOGGED_IN"
    module.C_SetPIN(session, USER_PIN, "another pin")
    module.C_Logout(session)
    with suppress(p11.PKCS11Error):  # SoftHSM2 accepts it
        module.C_Logout(session)
    assert refused(module.C_Login, session, p11.CKU_USER, USER_PIN) == "CKR_PIN_INCORRECT"
    assert refused(module.C_Login, session, 99, USER_PIN) == "CKR_USER_TYPE_INVALID"
    module.C_Login(session, p11.CKU_USER, bytearray(b"another pin"))
    assert refused(module.C_SetPIN, session, "wrong pin", USER_PIN) == "CKR_PIN_INCORRECT"
    module.C_SetPIN(session, b"another pin", USER_PIN)
    assert refused(module.C_InitPIN, session, USER_PIN) == "CKR_USER_NOT_LOGGED_IN"


def test_objects_live_and_die(station: Station, p11: Any) -> None:
    """Objects can be made, read, changed, copied and destroyed."""
    module, session = station.module, station.session
    made = module.C_CreateObject(
        session,
        [
            (p11.CKA_CLASS, p11.CKO_DATA),
            (p11.CKA_TOKEN, False),
            (p11.CKA_LABEL, "étiquette"),
            (p11.CKA_VALUE, b""),
            (p11.CKA_APPLICATION, b""),
        ],
    )
    assert module.C_GetAttributeValue(session, made, [p11.CKA_LABEL, p11.CKA_VALUE, p11.CKA_CLASS, p11.CKA_TOKEN]) == [
        (p11.CKA_LABEL, "étiquette".encode()),
        (p11.CKA_VALUE, b""),
        (p11.CKA_CLASS, bytes(8)),
        (p11.CKA_TOKEN, b"\0"),
    ]
    module.C_SetAttributeValue(session, made, [(p11.CKA_LABEL, "other")])
    copy = module.C_CopyObject(session, made, [(p11.CKA_LABEL, "copy")])
    labels = [module.C_GetAttributeValue(session, handle, [p11.CKA_LABEL])[0][1] for handle in (made, copy)]
    assert labels == [b"other", b"copy"]
    with suppress(p11.PKCS11Error):  # a size may be CK_UNAVAILABLE_INFORMATION, or not offered
        assert module.C_GetObjectSize(session, made) > 0
    module.C_DestroyObject(session, made)
    for call in (module.C_DestroyObject, module.C_GetObjectSize):
        assert refused(call, session, made) == "CKR_OBJECT_HANDLE_INVALID"
    assert refused(module.C_GetAttributeValue, session, made, [3]) == "CKR_OBJECT_HANDLE_INVALID"
    assert refused(module.C_SetAttributeValue, session, made, [(p11.CKA_LABEL, "x")]) == "CKR_OBJECT_HANDLE_INVALID"
    assert refused(module.C_CopyObject, session, made, [(p11.CKA_LABEL, "x")]) == "CKR_OBJECT_HANDLE_INVALID"
    module.C_DestroyObject(session, copy)


def test_a_long_value_is_read_in_full(station: Station, p11: Any) -> None:
    """A value that is longer than the first buffer is read in full, with and without its length given."""
    module, session = station.module, station.session
    value = bytes(range(256)) * 40
    made = module.C_CreateObject(
        session, [(p11.CKA_CLASS, p11.CKO_DATA), (p11.CKA_TOKEN, False), (p11.CKA_VALUE, value)]
    )
    expected = [(p11.CKA_VALUE, value)]
    assert module.C_GetAttributeValue(session, made, [p11.CKA_VALUE]) == expected
    assert module.C_GetAttributeValue(session, made, [(p11.CKA_VALUE, len(value))]) == expected
    assert module.C_GetAttributeValue(session, made, [(p11.CKA_VALUE, 0)]) == expected


def test_secrets_stay_inside(station: Station, p11: Any) -> None:
    """A sensitive value is refused, and the error has the values of the other attributes."""
    module, session = station.module, station.session
    key = secret(station, p11, bytes(32), p11.CKK_AES, sensitive=True, extractable=False, encrypt=True)
    error: Any = failure(module.C_GetAttributeValue, session, key, [p11.CKA_KEY_TYPE, p11.CKA_VALUE, p11.CKA_SENSITIVE])
    assert (error.name, error.function) == ("CKR_ATTRIBUTE_SENSITIVE", "C_GetAttributeValue")
    assert error.result == [
        (p11.CKA_KEY_TYPE, int(p11.CKK_AES).to_bytes(8, "little")),
        (p11.CKA_VALUE, None),
        (p11.CKA_SENSITIVE, b"\1"),
    ]
    error = failure(module.C_GetAttributeValue, session, key, [p11.CKA_MODULUS, p11.CKA_KEY_TYPE])
    assert error.name == "CKR_ATTRIBUTE_TYPE_INVALID"
    assert error.result[0] == (p11.CKA_MODULUS, None)


def test_searches_find_objects(station: Station, p11: Any) -> None:
    """A search finds all, some or no objects, at once or in parts; there is one search at a time."""
    module, session = station.module, station.session
    made = {
        module.C_CreateObject(
            session,
            [
                (p11.CKA_CLASS, p11.CKO_DATA),
                (p11.CKA_TOKEN, False),
                (p11.CKA_LABEL, f"{index % 3}"),
                (p11.CKA_APPLICATION, "searching"),
            ],
        )
        for index in range(30)
    }
    module.C_FindObjectsInit(session, [(p11.CKA_APPLICATION, "searching")])
    assert refused(module.C_FindObjectsInit, session, []) == "CKR_OPERATION_ACTIVE"
    pieces = [module.C_FindObjects(session, 7) for _ in range(6)]
    module.C_FindObjectsFinal(session)
    assert [len(piece) for piece in pieces] == [7, 7, 7, 7, 2, 0]
    assert set().union(*pieces) == made
    module.C_FindObjectsInit(session, [(p11.CKA_APPLICATION, "searching"), (p11.CKA_LABEL, "1")])
    assert len(module.C_FindObjects(session, 100)) == 10
    module.C_FindObjectsFinal(session)
    module.C_FindObjectsInit(session, [(p11.CKA_LABEL, "no such label")])
    assert module.C_FindObjects(session, 100) == []
    module.C_FindObjectsFinal(session)
    module.C_FindObjectsInit(session, [])
    assert made <= set(module.C_FindObjects(session, 1000))
    module.C_FindObjectsFinal(session)
    assert refused(module.C_FindObjects, session, 1) == "CKR_OPERATION_NOT_INITIALIZED"
    assert refused(module.C_FindObjectsFinal, session) == "CKR_OPERATION_NOT_INITIALIZED"


def test_ten_thousand_objects_are_found(implementation: Implementation, p11: Any) -> None:
    """A search on a token with many objects finds each of them once."""
    count = 10_000
    station = logged_in(implementation.pkcs11.load(available("token")))
    module, session = station.module, station.session
    template = [(p11.CKA_CLASS, p11.CKO_DATA), (p11.CKA_TOKEN, False), (p11.CKA_APPLICATION, "many")]
    for _ in range(count):
        module.C_CreateObject(session, template)
    module.C_FindObjectsInit(session, [(p11.CKA_APPLICATION, "many")])
    found = module.C_FindObjects(session, 2 * count)
    module.C_FindObjectsFinal(session)
    module.C_Finalize()
    assert len(found) == len(set(found)) == count


@pytest.mark.parametrize(
    ("mechanism", "name"), [("CKM_SHA_1", "sha1"), ("CKM_SHA256", "sha256"), ("CKM_SHA512", "sha512")]
)
def test_digests_are_those_of_hashlib(station: Station, p11: Any, mechanism: str, name: str) -> None:
    """Digests in one piece and in parts are those of `hashlib`, and calls in a wrong order are refused."""
    module, session = station.module, station.session
    for nbytes in (0, 1, 64, 100_000):
        data = bytes(index % 251 for index in range(nbytes))
        module.C_DigestInit(session, getattr(p11, mechanism))
        assert module.C_Digest(session, data) == hashlib.new(name, data).digest()
        module.C_DigestInit(session, (getattr(p11, mechanism), None))
        for start in range(0, nbytes, 999):
            module.C_DigestUpdate(session, memoryview(data)[start : start + 999])
        assert module.C_DigestFinal(session) == hashlib.new(name, data).digest()
    for call, arguments in ((module.C_Digest, (b"",)), (module.C_DigestUpdate, (b"",)), (module.C_DigestFinal, ())):
        assert refused(call, session, *arguments) == "CKR_OPERATION_NOT_INITIALIZED"
    assert refused(module.C_DigestInit, session, 0x80001234) == "CKR_MECHANISM_INVALID"
    assert refused(module.C_DigestInit, session, None) == "CKR_ARGUMENTS_BAD"
    module.C_DigestInit(session, p11.CKM_SHA256)
    assert refused(module.C_DigestInit, session, p11.CKM_SHA256) == "CKR_OPERATION_ACTIVE"


def test_macs_are_those_of_hmac(station: Station, p11: Any) -> None:
    """MACs are those of `hmac`; a wrong one, and one of a wrong length, are refused."""
    module, session = station.module, station.session
    key = secret(station, p11, b"k" * 32, p11.CKK_GENERIC_SECRET, sign=True, verify=True)
    for data in (b"", b"data", bytes(100_000)):
        mac = hmac.digest(b"k" * 32, data, "sha256")
        module.C_SignInit(session, p11.CKM_SHA256_HMAC, key)
        assert module.C_Sign(session, data) == mac
        module.C_SignInit(session, p11.CKM_SHA256_HMAC, key)
        module.C_SignUpdate(session, data[:10])
        module.C_SignUpdate(session, data[10:])
        assert module.C_SignFinal(session) == mac
        module.C_VerifyInit(session, p11.CKM_SHA256_HMAC, key)
        module.C_Verify(session, data, mac)
        module.C_VerifyInit(session, p11.CKM_SHA256_HMAC, key)
        module.C_VerifyUpdate(session, data)
        module.C_VerifyFinal(session, mac)
        module.C_VerifyInit(session, p11.CKM_SHA256_HMAC, key)
        assert refused(module.C_Verify, session, data, bytes(32)) == "CKR_SIGNATURE_INVALID"
        module.C_VerifyInit(session, p11.CKM_SHA256_HMAC, key)
        assert refused(module.C_Verify, session, data, bytes(31)) == "CKR_SIGNATURE_LEN_RANGE"
    assert refused(module.C_SignInit, session, p11.CKM_SHA256_HMAC, 10**9) in {
        "CKR_KEY_HANDLE_INVALID",
        "CKR_OBJECT_HANDLE_INVALID",
    }
    assert refused(module.C_Sign, session, b"") == "CKR_OPERATION_NOT_INITIALIZED"


def test_ciphers_give_known_answers(station: Station, p11: Any) -> None:
    """AES-CBC and AES-GCM give known answers: NIST SP 800-38A, F.2.1, and McGrew and Viega, test case 4."""
    module, session = station.module, station.session
    key = secret(
        station, p11, bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"), p11.CKK_AES, encrypt=True, decrypt=True
    )
    iv = bytes(range(16))
    plain = bytes.fromhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    cipher = bytes.fromhex("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")
    module.C_EncryptInit(session, (p11.CKM_AES_CBC, iv), key)
    assert module.C_Encrypt(session, plain) == cipher
    module.C_EncryptInit(session, (p11.CKM_AES_CBC, bytearray(iv)), key)
    parts = [
        module.C_EncryptUpdate(session, plain[:20]),
        module.C_EncryptUpdate(session, plain[20:]),
        module.C_EncryptFinal(session),
    ]
    assert b"".join(parts) == cipher
    module.C_DecryptInit(session, (p11.CKM_AES_CBC, iv), key)
    assert module.C_DecryptUpdate(session, cipher) + module.C_DecryptFinal(session) == plain
    module.C_DecryptInit(session, (p11.CKM_AES_CBC, iv), key)
    assert module.C_Decrypt(session, cipher) == plain
    module.C_EncryptInit(session, (p11.CKM_AES_CBC, iv), key)
    assert refused(module.C_Encrypt, session, plain[:20]) == "CKR_DATA_LEN_RANGE"
    assert refused(module.C_EncryptInit, session, (p11.CKM_AES_CBC, b"short"), key) in {
        "CKR_MECHANISM_PARAM_INVALID",
        "CKR_MECHANISM_INVALID",
        "CKR_ARGUMENTS_BAD",
    }
    gcm_key = secret(
        station, p11, bytes.fromhex("feffe9928665731c6d6a8f9467308308"), p11.CKK_AES, encrypt=True, decrypt=True
    )
    parameter = p11.CK_GCM_PARAMS(
        bytes.fromhex("cafebabefacedbaddecaf888"), 96, bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2"), 128
    )
    plain = bytes.fromhex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    sealed = bytes.fromhex(
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
        "5bc94fbc3221a5db94fae95ae7121a47"
    )
    module.C_EncryptInit(session, (p11.CKM_AES_GCM, parameter), gcm_key)
    assert module.C_Encrypt(session, plain) == sealed
    module.C_DecryptInit(session, (p11.CKM_AES_GCM, parameter), gcm_key)
    assert module.C_Decrypt(session, sealed) == plain
    module.C_DecryptInit(session, (p11.CKM_AES_GCM, parameter), gcm_key)
    assert refused(module.C_Decrypt, session, sealed[:-1] + b"x") in {"CKR_ENCRYPTED_DATA_INVALID", "CKR_GENERAL_ERROR"}


def test_signatures_verify(station: Station, p11: Any) -> None:
    """A signature by ECDSA over P-256 has 64 bytes and verifies; for another digest it does not."""
    module, session = station.module, station.session
    public, private = key_pair(station, p11)
    digest = hashlib.sha256(b"message").digest()
    module.C_SignInit(session, p11.CKM_ECDSA, private)
    signature = module.C_Sign(session, digest)
    assert len(signature) == 64
    module.C_VerifyInit(session, p11.CKM_ECDSA, public)
    module.C_Verify(session, digest, signature)
    module.C_VerifyInit(session, p11.CKM_ECDSA, public)
    assert refused(module.C_Verify, session, bytes(32), signature) == "CKR_SIGNATURE_INVALID"
    (point,) = module.C_GetAttributeValue(session, public, [p11.CKA_EC_POINT])
    assert (len(point[1]), point[1][:3]) == (67, b"\x04\x41\x04")


def test_both_sides_derive_the_same_key(station: Station, p11: Any) -> None:
    """Both sides of an ECDH derive the same secret."""
    module, session = station.module, station.session
    values = []
    ours, theirs = key_pair(station, p11), key_pair(station, p11)
    for (_, private), (public, _) in ((ours, theirs), (theirs, ours)):
        ((_, point),) = module.C_GetAttributeValue(session, public, [p11.CKA_EC_POINT])
        parameter = p11.CK_ECDH1_DERIVE_PARAMS(p11.CKD_NULL, None, point)
        template = [
            (p11.CKA_CLASS, p11.CKO_SECRET_KEY),
            (p11.CKA_KEY_TYPE, p11.CKK_GENERIC_SECRET),
            (p11.CKA_VALUE_LEN, 32),
            (p11.CKA_TOKEN, False),
            (p11.CKA_SENSITIVE, False),
            (p11.CKA_EXTRACTABLE, True),
        ]
        key = module.C_DeriveKey(session, (p11.CKM_ECDH1_DERIVE, parameter), private, template)
        values += module.C_GetAttributeValue(session, key, [p11.CKA_VALUE])
    assert values[0] == values[1]
    assert len(values[0][1]) == 32


def test_keys_are_made_wrapped_and_unwrapped(station: Station, p11: Any) -> None:
    """A generated key that is wrapped and unwrapped has the same value."""
    module, session = station.module, station.session
    wrapper = secret(station, p11, bytes(range(32)), p11.CKK_AES, wrap=True, unwrap=True, sensitive=False)
    template = [
        (p11.CKA_VALUE_LEN, 32),
        (p11.CKA_TOKEN, False),
        (p11.CKA_ENCRYPT, True),
        (p11.CKA_SENSITIVE, False),
        (p11.CKA_EXTRACTABLE, True),
    ]
    key = module.C_GenerateKey(session, p11.CKM_AES_KEY_GEN, template)
    wrapped = module.C_WrapKey(session, p11.CKM_AES_KEY_WRAP, wrapper, key)
    assert len(wrapped) == 40
    back = module.C_UnwrapKey(
        session,
        p11.CKM_AES_KEY_WRAP,
        wrapper,
        wrapped,
        [
            (p11.CKA_CLASS, p11.CKO_SECRET_KEY),
            (p11.CKA_KEY_TYPE, p11.CKK_AES),
            (p11.CKA_TOKEN, False),
            (p11.CKA_SENSITIVE, False),
            (p11.CKA_EXTRACTABLE, True),
        ],
    )
    values = [module.C_GetAttributeValue(session, handle, [p11.CKA_VALUE]) for handle in (key, back)]
    assert values[0] == values[1]


def test_templates_are_judged_by_the_module(station: Station, p11: Any) -> None:
    """An incomplete or inconsistent template is refused by the module, with its return value."""
    module, session = station.module, station.session
    assert refused(module.C_CreateObject, session, []) in {"CKR_TEMPLATE_INCOMPLETE", "CKR_ARGUMENTS_BAD"}
    assert (
        refused(module.C_GenerateKey, session, p11.CKM_AES_KEY_GEN, [(p11.CKA_TOKEN, False)])
        == "CKR_TEMPLATE_INCOMPLETE"
    )
    assert refused(module.C_GenerateKey, session, 0x80001234, [(p11.CKA_VALUE_LEN, 32)]) == "CKR_MECHANISM_INVALID"
    wrong = [(p11.CKA_CLASS, b"abc"), (p11.CKA_TOKEN, False)]
    assert refused(module.C_CreateObject, session, wrong) in {"CKR_ATTRIBUTE_VALUE_INVALID", "CKR_TEMPLATE_INCOMPLETE"}


def test_random_bytes_have_the_requested_length(station: Station, p11: Any) -> None:
    """Random bytes have the requested length, and differ from call to call."""
    module, session = station.module, station.session
    with suppress(p11.PKCS11Error):  # a module may refuse seeds
        module.C_SeedRandom(session, b"seed")
    first, second = module.C_GenerateRandom(session, 32), module.C_GenerateRandom(session, 32)
    assert len(first) == len(second) == 32
    assert first != second
    assert len(module.C_GenerateRandom(session, 65_536)) == 65_536


def test_events_and_legacy_functions_are_refused(station: Station, p11: Any) -> None:
    """Without an event ``C_WaitForSlotEvent`` fails, and the functions for parallel calls are refused."""
    module, session = station.module, station.session
    assert refused(module.C_WaitForSlotEvent, p11.CKF_DONT_BLOCK) in {"CKR_NO_EVENT", "CKR_FUNCTION_NOT_SUPPORTED"}
    for call in (module.C_GetFunctionStatus, module.C_CancelFunction):
        assert refused(call, session) in {"CKR_FUNCTION_NOT_PARALLEL", "CKR_FUNCTION_NOT_SUPPORTED"}


def test_a_program_makes_the_native_calls_of_c(station: Station, p11: Any, native: Native) -> None:
    """An ordinary program makes exactly the native calls that it would make in C."""
    module, session = station.module, station.session
    key = secret(station, p11, b"k" * 32, p11.CKK_GENERIC_SECRET, sign=True)

    def work() -> None:
        module.C_GetInfo()
        module.C_GetSlotList(False)
        module.C_GetMechanismList(station.slot)
        module.C_GenerateRandom(session, 100)
        module.C_DigestInit(session, p11.CKM_SHA256)
        module.C_Digest(session, b"data")
        module.C_SignInit(session, p11.CKM_SHA256_HMAC, key)
        module.C_Sign(session, b"data")
        module.C_GetAttributeValue(session, key, [p11.CKA_CLASS, p11.CKA_KEY_TYPE, p11.CKA_LABEL])

    counted = native.counted(work)
    mechanisms = counted.pop("C_GetMechanismList")
    assert mechanisms == 1 + (len(module.C_GetMechanismList(station.slot)) > 64)
    assert counted == dict.fromkeys(
        [
            "C_GetInfo",
            "C_GetSlotList",
            "C_GenerateRandom",
            "C_DigestInit",
            "C_Digest",
            "C_SignInit",
            "C_Sign",
            "C_GetAttributeValue",
        ],
        1,
    )

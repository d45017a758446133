# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: D102  # the test of the same workload (test_pkcs11.py) says what each program does
"""The PKCS #11 workloads as programs: what a user of each library writes to do the same work.

Every method returns a callable and its arguments. :class:`Programs` is for bindings and uses the contract. The two
other classes are for other libraries, and use the documented interface of each: PyKCS11 (SWIG) and python-pkcs11
(Cython). These are optional. They are looked for when a module is first used, since python-pkcs11 must be the one that
initialises the module.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_suite.subjects.pkcs11_modules import CKF_RW_SESSION, CKF_SERIAL_SESSION, Station, opened

Program = tuple[Any, ...]
"""A callable and its arguments."""

RW: Final = CKF_SERIAL_SESSION | CKF_RW_SESSION
PART_NBYTES: Final = 1024
"""The size of a part where data is processed in parts."""
NONCE: Final = bytes(range(12))
AAD: Final = b"associated data"
HMAC_KEY: Final = b"k" * 32
FEW: Final = 10
"""The number of objects with the label ``few``."""
MANY: Final = 1000
"""The number of objects with the label ``many``."""
P256: Final = bytes.fromhex("06082a8648ce3d030107")
"""The object identifier of the curve P-256, in DER."""

# The standard's own numbers (pkcs11t.h). Workloads use no binding's names, so that all bindings get the same objects.
CKO_DATA, CKO_SECRET_KEY = 0, 4
CKK_GENERIC_SECRET, CKK_AES = 0x10, 0x1F
CKA_CLASS, CKA_TOKEN, CKA_PRIVATE, CKA_LABEL, CKA_APPLICATION, CKA_VALUE = 0, 1, 2, 3, 0x10, 0x11
CKA_KEY_TYPE, CKA_ID, CKA_SENSITIVE, CKA_ENCRYPT, CKA_DECRYPT = 0x100, 0x102, 0x103, 0x104, 0x105
CKA_WRAP, CKA_UNWRAP, CKA_SIGN, CKA_VERIFY, CKA_DERIVE = 0x106, 0x107, 0x108, 0x10A, 0x10C
CKA_VALUE_LEN, CKA_EXTRACTABLE, CKA_LOCAL, CKA_EC_PARAMS = 0x161, 0x162, 0x163, 0x180
CKM_SHA256, CKM_SHA256_HMAC, CKM_AES_GCM = 0x250, 0x251, 0x1087
CKM_EC_KEY_PAIR_GEN, CKM_ECDSA, CKM_AES_KEY_GEN = 0x1040, 0x1041, 0x1080

ATTRIBUTES: Final = (
    (CKA_LABEL, 5),
    (CKA_CLASS, 8),
    (CKA_KEY_TYPE, 8),
    (CKA_TOKEN, 1),
    (CKA_PRIVATE, 1),
    (CKA_SENSITIVE, 1),
    (CKA_ENCRYPT, 1),
    (CKA_DECRYPT, 1),
    (CKA_WRAP, 1),
    (CKA_UNWRAP, 1),
    (CKA_EXTRACTABLE, 1),
    (CKA_LOCAL, 1),
)
"""Attributes of a key that are read, each with its length in bytes."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A module that was prepared once in a process for all subjects."""

    path: Path
    station: Station
    hmac: int
    """The handle of the HMAC key."""
    aes: int
    """The handle of the AES key."""
    public: int
    """The handle of the public key on P-256."""
    private: int
    """The handle of the private key on P-256."""
    peers: dict[str, Any]
    """The package of each other library and the module that it opened, by the package's name."""


stages: dict[Path, Stage] = {}
"""The modules that were prepared in this process, by path."""


def stage(path: Path, load: Callable[[Path], Any]) -> Stage:
    """Return the module at ``path``, which is opened by ``load`` and prepared on the first call in a process."""
    if path not in stages:
        stages[path] = _made_ready(path, load)
    return stages[path]


def _made_ready(path: Path, load: Callable[[Path], Any]) -> Stage:
    """Open and prepare a module: make the keys and objects of the workloads, as session objects."""
    peers = dict(_peers(path))
    module = load(path)
    try:
        module.C_Initialize()
    except Exception as error:  # python-pkcs11 has initialised it
        if getattr(error, "name", "") != "CKR_CRYPTOKI_ALREADY_INITIALIZED":
            raise
    station = opened(module)
    session = station.session

    def secret(value: bytes, key_type: int, *usage: int) -> int:
        template = [(CKA_CLASS, CKO_SECRET_KEY), (CKA_KEY_TYPE, key_type), (CKA_TOKEN, False), (CKA_VALUE, value)]
        template += [(CKA_SENSITIVE, True), (CKA_EXTRACTABLE, False), *((key, True) for key in usage)]
        return int(module.C_CreateObject(session, [*template, (CKA_LABEL, f"key {usage[0] % 10}")]))

    for label, count in (("few", FEW), ("many", MANY)):
        for _ in range(count):
            module.C_CreateObject(session, [(CKA_CLASS, CKO_DATA), (CKA_TOKEN, False), (CKA_LABEL, label)])
    public, private = module.C_GenerateKeyPair(
        session,
        CKM_EC_KEY_PAIR_GEN,
        [(CKA_EC_PARAMS, P256), (CKA_VERIFY, True), (CKA_TOKEN, False)],
        [(CKA_SIGN, True), (CKA_TOKEN, False), (CKA_LABEL, "private")],
    )
    return Stage(
        path,
        station,
        secret(HMAC_KEY, CKK_GENERIC_SECRET, CKA_SIGN, CKA_VERIFY),
        secret(bytes(range(32)), CKK_AES, CKA_ENCRYPT, CKA_DECRYPT),
        public,
        private,
        peers,
    )


def _peers(path: Path) -> Iterator[tuple[str, Any]]:
    """Open the module by each other library that is installed; first by the one that has to initialise it."""
    for name, open_it in (("pkcs11", _open_python_pkcs11), ("PyKCS11", _open_pykcs11)):
        try:
            package: Any = importlib.import_module(name)
        except ImportError:
            continue
        yield name, (package, open_it(package, path))


def _open_python_pkcs11(package: Any, path: Path) -> Any:
    return package.lib(str(path))


def _open_pykcs11(package: Any, path: Path) -> Any:
    library = package.PyKCS11Lib()
    library.load(str(path))
    return library


class Programs:
    """The programs of a binding, by the contract."""

    def __init__(self, pkcs11: Any, stage: Stage) -> None:
        self.names = pkcs11
        self.stage = stage
        self.module = pkcs11.load(stage.path)
        self.slot = stage.station.slot
        self.session = stage.station.session

    def get_info(self) -> Program:
        return (self.module.C_GetInfo,)

    def slot_list(self) -> Program:
        return self.module.C_GetSlotList, True

    def token_info(self) -> Program:
        return self.module.C_GetTokenInfo, self.slot

    def open_close(self) -> Program:
        opens, closes, slot = self.module.C_OpenSession, self.module.C_CloseSession, self.slot

        def open_close() -> None:
            closes(opens(slot, RW))

        return (open_close,)

    def random(self, nbytes: int) -> Program:
        return self.module.C_GenerateRandom, self.session, nbytes

    def digest(self, data: bytes) -> Program:
        begin, finish, session = self.module.C_DigestInit, self.module.C_Digest, self.session

        def digest(data: bytes) -> bytes:
            begin(session, CKM_SHA256)
            return finish(session, data)  # type: ignore[no-any-return]  # known by contract alone

        return digest, data

    def digest_parts(self, parts: list[bytes]) -> Program:
        module, session = self.module, self.session
        begin, update, finish = module.C_DigestInit, module.C_DigestUpdate, module.C_DigestFinal

        def digest(parts: list[bytes]) -> bytes:
            begin(session, CKM_SHA256)
            for part in parts:
                update(session, part)
            return finish(session)  # type: ignore[no-any-return]  # as above

        return digest, parts

    def sign(self, data: bytes) -> Program:
        begin, finish, session, key = self.module.C_SignInit, self.module.C_Sign, self.session, self.stage.hmac

        def sign(data: bytes) -> bytes:
            begin(session, CKM_SHA256_HMAC, key)
            return finish(session, data)  # type: ignore[no-any-return]  # as above

        return sign, data

    def verify(self, data: bytes, mac: bytes) -> Program:
        begin, finish, session, key = self.module.C_VerifyInit, self.module.C_Verify, self.session, self.stage.hmac

        def verify(data: bytes, mac: bytes) -> bool:
            begin(session, CKM_SHA256_HMAC, key)
            finish(session, data, mac)
            return True

        return verify, data, mac

    def seal(self, data: bytes) -> Program:
        begin, finish, session, key = self.module.C_EncryptInit, self.module.C_Encrypt, self.session, self.stage.aes
        parameters = self.names.CK_GCM_PARAMS

        def seal(data: bytes) -> bytes:
            begin(session, (CKM_AES_GCM, parameters(NONCE, 96, AAD, 128)), key)
            return finish(session, data)  # type: ignore[no-any-return]  # as above

        return seal, data

    def sign_ec(self, digest: bytes) -> Program:
        begin, finish, session, key = self.module.C_SignInit, self.module.C_Sign, self.session, self.stage.private

        def sign(digest: bytes) -> bytes:
            begin(session, CKM_ECDSA, key)
            return finish(session, digest)  # type: ignore[no-any-return]  # as above

        return sign, digest

    def find(self, label: str) -> Program:
        module, session = self.module, self.session
        begin, step, finish = module.C_FindObjectsInit, module.C_FindObjects, module.C_FindObjectsFinal

        def find(label: str) -> int:
            begin(session, [(CKA_LABEL, label)])
            found = step(session, 2 * MANY)
            finish(session)
            return len(found)

        return find, label

    def attributes(self, count: int, known: bool) -> Program:
        wanted = [(key, nbytes) if known else key for key, nbytes in ATTRIBUTES[:count]]
        return self.module.C_GetAttributeValue, self.session, self.stage.aes, wanted

    def generate_key(self) -> Program:
        make, destroy, session = self.module.C_GenerateKey, self.module.C_DestroyObject, self.session

        def generate() -> None:
            destroy(session, make(session, CKM_AES_KEY_GEN, [(CKA_VALUE_LEN, 32), (CKA_TOKEN, False)]))

        return (generate,)


class PyKCS11Programs:
    """The programs of PyKCS11, by its documented interface."""

    def __init__(self, stage: Stage) -> None:
        self.names, self.library = stage.peers["PyKCS11"]
        self.slot = stage.station.slot
        self.session = self.library.openSession(self.slot, RW)
        self.hmac, self.aes, self.private = (self._object(handle) for handle in (stage.hmac, stage.aes, stage.private))
        self.sha256 = self.names.Mechanism(CKM_SHA256, None)
        self.sha256_hmac = self.names.Mechanism(CKM_SHA256_HMAC, None)

    def _object(self, handle: int) -> Any:
        return next(one for one in self.session.findObjects([]) if one.value() == handle)

    def get_info(self) -> Program:
        return (self.library.getInfo,)

    def slot_list(self) -> Program:
        return self.library.getSlotList, True

    def token_info(self) -> Program:
        return self.library.getTokenInfo, self.slot

    def open_close(self) -> Program:
        def open_close() -> None:
            self.library.openSession(self.slot, RW).closeSession()

        return (open_close,)

    def random(self, nbytes: int) -> Program:
        return self.session.generateRandom, nbytes

    def digest(self, data: bytes) -> Program:
        return self.session.digest, data, self.sha256

    def digest_parts(self, parts: list[bytes]) -> Program:
        def digest(parts: list[bytes]) -> Any:
            running = self.session.digestSession(self.sha256)
            for part in parts:
                running.update(part)
            return running.final()

        return digest, parts

    def sign(self, data: bytes) -> Program:
        return self.session.sign, self.hmac, data, self.sha256_hmac

    def verify(self, data: bytes, mac: bytes) -> Program:
        return self.session.verify, self.hmac, data, mac, self.sha256_hmac

    def seal(self, data: bytes) -> Program:
        mechanism = self.names.AES_GCM_Mechanism

        def seal(data: bytes) -> Any:
            return self.session.encrypt(self.aes, data, mechanism(NONCE, AAD, 128))

        return seal, data

    def sign_ec(self, digest: bytes) -> Program:
        return self.session.sign, self.private, digest, self.names.Mechanism(CKM_ECDSA, None)

    def find(self, label: str) -> Program:
        def find(label: str) -> int:
            return len(self.session.findObjects([(CKA_LABEL, label)]))

        return find, label

    def attributes(self, count: int, known: bool) -> Program:
        return self.session.getAttributeValue, self.aes, [key for key, _ in ATTRIBUTES[:count]]

    def generate_key(self) -> Program:
        template, mechanism = [(CKA_VALUE_LEN, 32), (CKA_TOKEN, False)], self.names.Mechanism(CKM_AES_KEY_GEN, None)

        def generate() -> None:
            self.session.destroyObject(self.session.generateKey(template, mechanism))

        return (generate,)


class PythonPkcs11Programs:
    """The programs of python-pkcs11, by its documented interface."""

    def __init__(self, stage: Stage) -> None:
        self.names, self.library = stage.peers["pkcs11"]
        (self.slot,) = (one for one in self.library.get_slots(token_present=True) if one.slot_id == stage.station.slot)
        self.session = self.slot.get_token().open(rw=True)
        keys = self.names.ObjectClass
        objects = {
            one.handle: one
            for kind in (keys.SECRET_KEY, keys.PRIVATE_KEY)
            for one in self.session.get_objects({self.names.Attribute.CLASS: kind})
        }
        self.hmac, self.aes, self.private = (objects[handle] for handle in (stage.hmac, stage.aes, stage.private))

    def slot_list(self) -> Program:
        def slots() -> list[Any]:
            return self.library.get_slots(token_present=True)  # type: ignore[no-any-return]

        return (slots,)

    def token_info(self) -> Program:
        return (self.slot.get_token,)

    def open_close(self) -> Program:
        token = self.slot.get_token()

        def open_close() -> None:
            token.open(rw=True).close()

        return (open_close,)

    def random(self, nbytes: int) -> Program:
        return self.session.generate_random, 8 * nbytes

    def digest(self, data: bytes) -> Program:
        mechanism = self.names.Mechanism.SHA256

        def digest(data: bytes) -> Any:
            return self.session.digest(data, mechanism=mechanism)

        return digest, data

    def digest_parts(self, parts: list[bytes]) -> Program:
        return self.digest(parts)  # type: ignore[arg-type]  # it takes an iterable of parts

    def sign(self, data: bytes) -> Program:
        mechanism = self.names.Mechanism.SHA256_HMAC

        def sign(data: bytes) -> Any:
            return self.hmac.sign(data, mechanism=mechanism)

        return sign, data

    def verify(self, data: bytes, mac: bytes) -> Program:
        mechanism = self.names.Mechanism.SHA256_HMAC

        def verify(data: bytes, mac: bytes) -> Any:
            return self.hmac.verify(data, mac, mechanism=mechanism)

        return verify, data, mac

    def seal(self, data: bytes) -> Program:
        mechanism, parameters = self.names.Mechanism.AES_GCM, self.names.GCMParams

        def seal(data: bytes) -> Any:
            return self.aes.encrypt(data, mechanism=mechanism, mechanism_param=parameters(NONCE, AAD, 128))

        return seal, data

    def sign_ec(self, digest: bytes) -> Program:
        mechanism = self.names.Mechanism.ECDSA

        def sign(digest: bytes) -> Any:
            return self.private.sign(digest, mechanism=mechanism)

        return sign, digest

    def find(self, label: str) -> Program:
        attribute = self.names.Attribute.LABEL

        def find(label: str) -> int:
            return len(list(self.session.get_objects({attribute: label})))

        return find, label

    def attributes(self, count: int, known: bool) -> Program:
        wanted = [self.names.Attribute(key) for key, _ in ATTRIBUTES[:count]]

        def read() -> list[Any]:
            return [self.aes[key] for key in wanted]

        return (read,)

    def generate_key(self) -> Program:
        kind, flags = self.names.KeyType.AES, self.names.MechanismFlag
        roles = flags.ENCRYPT | flags.DECRYPT  # by default the key would wrap too, which the token's policy refuses

        def generate() -> None:
            self.session.generate_key(kind, 256, store=False, capabilities=roles).destroy()

        return (generate,)

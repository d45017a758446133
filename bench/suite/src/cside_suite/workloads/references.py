"""The references: subjects of the workloads that are not bindings of this project."""

import types
import zlib
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from cside_suite.workloads import _empty
from cside_suite.workloads.pkcs11_programs import PyKCS11Programs, PythonPkcs11Programs


def empty_function() -> None:
    """Do nothing: the cheapest call of a Python function."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A subject of those workloads whose functions it offers."""

    name: str
    """The name as a subject."""
    offers: frozenset[str]
    """The workloads in which it takes part, without their parameters."""
    idioms: Any = None
    """An object with the functions of ``idioms`` that it offers."""
    codec: Any = None
    """An object with the functions of ``codec`` that it offers."""
    pkcs11: Any = None
    """A class of :mod:`.pkcs11_programs`, which is called with a stage."""

    @property
    def features(self) -> frozenset[str]:
        """The noun ``pkcs11``, if it offers that; no other, so that it takes part in no workload that needs one."""
        return frozenset() if self.pkcs11 is None else frozenset({"pkcs11"})


STDLIB_OFFERS: Final = frozenset(
    f"codec.{name}"
    for name in (
        "crc32",
        "adler32",
        "compress",
        "decompress",
        "stream_compress",
        "stream_decompress",
        "dictionary_compress",
        "dictionary_decompress",
        "small_streams",
        "stream_copy",
    )
)
"""The workloads of the standard library's ``zlib``."""

PKCS11_OFFERS: Final = frozenset(
    f"pkcs11.{name}"
    for name in (
        "get_info",
        "slot_list",
        "token_info",
        "session",
        "random",
        "digest",
        "digest_parts",
        "hmac_sign",
        "hmac_verify",
        "aes_gcm",
        "ecdsa_sign",
        "find",
        "attributes",
        "generate_key",
    )
)
"""The workloads of other libraries for PKCS #11."""

PEERS: Final = (
    Reference("PyKCS11", PKCS11_OFFERS, pkcs11=PyKCS11Programs),
    # python-pkcs11 reads the module's description once and keeps it
    Reference("python-pkcs11", PKCS11_OFFERS - {"pkcs11.get_info"}, pkcs11=PythonPkcs11Programs),
)
"""Other libraries for PKCS #11, named as their distributions. They take part if they are installed."""

_MODULES: Final = {"PyKCS11": "PyKCS11", "python-pkcs11": "pkcs11"}

REFERENCES: Final = (
    *(peer for peer in PEERS if find_spec(_MODULES[peer.name]) is not None),
    Reference("stdlib", STDLIB_OFFERS, codec=zlib),
    Reference("empty-function", frozenset({"idioms.noop"}), idioms=types.SimpleNamespace(noop=empty_function)),
    Reference("empty-builtin", frozenset({"idioms.noop"}), idioms=types.SimpleNamespace(noop=_empty.builtin)),
)
"""The references that are available in this environment."""

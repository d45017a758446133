"""What bindings are compared with in the same process, beside each other: things that are no binding of ours."""

import types
import zlib
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from cside_suite.workloads import _empty
from cside_suite.workloads.pkcs11_programs import PyKCS11Programs, PythonPkcs11Programs


def empty_function() -> None:
    """The cheapest call that Python code can make of Python code."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Something measured by the same workloads as a binding, as far as it offers what they call."""

    name: str
    offers: frozenset[str]
    """Workloads, without their parameters, that make sense for it."""
    idioms: Any = None
    codec: Any = None
    pkcs11: Any = None
    """Makes the programs of ``workloads.pkcs11_programs`` for a stage."""

    @property
    def features(self) -> frozenset[str]:
        """None: a workload that needs a feature is not offered."""
        return frozenset()


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

PEERS: Final = (
    Reference("PyKCS11", PKCS11_OFFERS, pkcs11=PyKCS11Programs),
    # it reads the module's description once and keeps it
    Reference("python-pkcs11", PKCS11_OFFERS - {"pkcs11.get_info"}, pkcs11=PythonPkcs11Programs),
)
"""What people use today for PKCS #11, where it is installed; the distributions are called so."""

_MODULES: Final = {"PyKCS11": "PyKCS11", "python-pkcs11": "pkcs11"}

REFERENCES: Final = (
    *(peer for peer in PEERS if find_spec(_MODULES[peer.name]) is not None),
    Reference("stdlib", STDLIB_OFFERS, codec=zlib),
    Reference("empty-function", frozenset({"idioms.noop"}), idioms=types.SimpleNamespace(noop=empty_function)),
    Reference("empty-builtin", frozenset({"idioms.noop"}), idioms=types.SimpleNamespace(noop=_empty.builtin)),
)

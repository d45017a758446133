"""What bindings are compared with in the same process, beside each other: things that are no binding of ours."""

import types
import zlib
from dataclasses import dataclass
from typing import Any, Final

from cside_bench import _empty


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

REFERENCES: Final = (
    Reference("stdlib", STDLIB_OFFERS, codec=zlib),
    Reference("empty-function", frozenset({"idioms.noop"}), idioms=types.SimpleNamespace(noop=empty_function)),
    Reference("empty-builtin", frozenset({"idioms.noop"}), idioms=types.SimpleNamespace(noop=_empty.builtin)),
)

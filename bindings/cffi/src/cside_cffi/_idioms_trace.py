# SPDX-License-Identifier: Apache-2.0
"""Trace: the library's own counts and times of calls, of ``cside/trace.h``."""

from _operator import index, itemgetter

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from typing import SupportsIndex

_new = ffi.new
_string = ffi.string
_unpack = ffi.unpack
_RECORD = ffi.typeof("cs_trace_record *")

_trace_enable = lib.cs_trace_enable
_trace_name = lib.cs_trace_name
_trace_read = lib.cs_trace_read

# These need no wrapper: the public name is cffi's function object itself.
trace_enabled = lib.cs_trace_enabled
trace_reset = lib.cs_trace_reset
trace_count = lib.cs_trace_count


class TraceRecord(tuple[int, int, int, int, int, tuple[int, ...]]):
    """``cs_trace_record`` as a named tuple. It is written by hand because importing `collections` would take longer."""

    __slots__ = ()
    _fields = ("calls", "errors", "in_nbytes", "out_nbytes", "total_ns", "histogram")
    calls = property(itemgetter(0))
    errors = property(itemgetter(1))
    in_nbytes = property(itemgetter(2))
    out_nbytes = property(itemgetter(3))
    total_ns = property(itemgetter(4))
    histogram = property(itemgetter(5))

    def __repr__(self) -> str:
        return f"TraceRecord({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self, strict=True))})"


def trace_enable(on: object, /) -> None:
    """Switch tracing on or off."""
    _trace_enable(bool(on))


def trace_name(position: "SupportsIndex", /) -> str | None:
    """Name of a traced function; ``None`` beyond the last."""
    text = _trace_name(index(position))
    return _string(text).decode() if text else None


def trace_read(position: "SupportsIndex", /) -> TraceRecord:
    """Counts and times of a traced function, summed over all threads."""
    record = _new(_RECORD)
    status: int = _trace_read(index(position), record)
    if status:
        raise failure(status)
    histogram: tuple[int, ...] = tuple(_unpack(record.histogram, len(record.histogram)))
    return TraceRecord(
        (record.calls, record.errors, record.in_nbytes, record.out_nbytes, record.total_ns, histogram),
    )

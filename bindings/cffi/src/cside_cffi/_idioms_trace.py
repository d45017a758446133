# SPDX-License-Identifier: Apache-2.0
"""Trace: the library's own counts and times of calls, of ``cside/trace.h``."""

from _operator import index as as_index
from _operator import itemgetter
from _struct import Struct

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

_new = ffi.new
_string = ffi.string
_buffer = ffi.buffer
_tuple_new = tuple.__new__
_RECORD = ffi.typeof("cs_trace_record *")

_numbers = Struct(f"{ffi.sizeof('cs_trace_record') // ffi.sizeof('uint64_t')}Q").unpack_from  # all fields are uint64_t

# Records that no call is using, and buffers of them; the first call makes the first one.
_records: "list[tuple[Any, Any]]" = []

_trace_enable = lib.cs_trace_enable
_trace_name = lib.cs_trace_name
_trace_read = lib.cs_trace_read

_trace_enabled: "Callable[[], bool]" = lib.cs_trace_enabled
_trace_reset: "Callable[[], None]" = lib.cs_trace_reset
_trace_count: "Callable[[], int]" = lib.cs_trace_count


# It is written by hand because importing `collections` would take longer.
class TraceRecord(tuple[int, int, int, int, int, tuple[int, ...]]):
    """What the trace counted of one function: a named tuple of these fields, in this order."""

    __slots__ = ()
    _fields = ("calls", "errors", "in_nbytes", "out_nbytes", "total_ns", "histogram")
    calls = property(itemgetter(0), doc="The number of calls.")
    errors = property(itemgetter(1), doc="The number of calls that failed.")
    in_nbytes = property(itemgetter(2), doc="The number of bytes that were given to the function.")
    out_nbytes = property(itemgetter(3), doc="The number of bytes that the function gave back.")
    total_ns = property(itemgetter(4), doc="The time that all calls took together, in nanoseconds.")
    histogram = property(
        itemgetter(5),
        doc="""The number of calls in each of 40 ranges of duration.

        Item 0 counts calls of less than 1 ns, item i those from 2**(i-1) to less than 2**i ns. The
        last item also counts all longer calls.
        """,
    )

    def __repr__(self) -> str:
        return f"TraceRecord({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self, strict=True))})"


def trace_enable(on: object, /) -> None:
    """Switch the trace on or off for the whole process, by the truth value of ``on``."""
    _trace_enable(bool(on))


def trace_enabled() -> bool:
    """Return whether the trace is on."""
    return _trace_enabled()


def trace_reset() -> None:
    """Set everything that the trace has counted to zero, for all threads."""
    _trace_reset()


def trace_count() -> int:
    """Return the number of functions that the trace counts; their indices start at 0."""
    return _trace_count()


def trace_name(index: "SupportsIndex", /) -> str | None:
    """Return the C name of a function that the trace counts, or None past the last one.

    Raises `OverflowError` if ``index`` does not fit ``size_t``; `TypeError` if it has no
    ``__index__``.
    """
    text = _trace_name(as_index(index))
    return _string(text).decode() if text else None


def trace_read(index: "SupportsIndex", /) -> TraceRecord:
    """Return what the trace counted of one function, summed over all threads.

    Raises `LookupError` if ``index`` is past the last function; `OverflowError` if it does not
    fit ``size_t``; `TypeError` if it has no ``__index__``.
    """
    try:
        kept = _records.pop()
    except IndexError:
        record = _new(_RECORD)
        kept = record, _buffer(record)
    record, view = kept
    status: int = _trace_read(as_index(index), record)
    numbers = _numbers(view)
    _records.append(kept)
    if status:
        raise failure(status)
    return _tuple_new(TraceRecord, (*numbers[:5], numbers[5:]))

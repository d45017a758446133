# SPDX-License-Identifier: Apache-2.0
"""The trace of the library: counts, bytes and times of the calls of each native function."""

from _operator import itemgetter
from ctypes import POINTER, Structure, c_bool, c_char_p, c_int32, c_size_t, c_uint64

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import SmallInt, held, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

    _Tuple = tuple[int, int, int, int, int, tuple[int, ...]]
else:
    _Tuple = tuple

__all__ = [
    "TraceRecord",
    "trace_count",
    "trace_enable",
    "trace_enabled",
    "trace_name",
    "trace_read",
    "trace_reset",
]

_BUCKETS = 40


class _Record(Structure):
    """``cs_trace_record``."""

    __slots__ = ()
    _fields_ = [
        ("calls", c_uint64),
        ("errors", c_uint64),
        ("in_nbytes", c_uint64),
        ("out_nbytes", c_uint64),
        ("total_ns", c_uint64),
        ("histogram", c_uint64 * _BUCKETS),
    ]


# It is written by hand because importing `collections` is slow.
class TraceRecord(_Tuple):
    """What the trace counted of one function: a named tuple of these fields, in this order."""

    __slots__ = ()
    __module__ = "cside_ctypes.idioms"
    _fields = ("calls", "errors", "in_nbytes", "out_nbytes", "total_ns", "histogram")

    if TYPE_CHECKING:
        calls: int
        errors: int
        in_nbytes: int
        out_nbytes: int
        total_ns: int
        histogram: tuple[int, ...]
    else:
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
        fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"TraceRecord({fields})"


_trace_enable = held("cs_trace_enable", None, SmallInt(c_bool))
_trace_enabled = held("cs_trace_enabled", c_bool)
_trace_reset = held("cs_trace_reset", None)
_trace_count = held("cs_trace_count", c_size_t)
_trace_name = held("cs_trace_name", c_char_p, c_size_t)
_trace_read = held("cs_trace_read", c_int32, c_size_t, POINTER(_Record))


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


def trace_name(index: "SupportsIndex", /) -> "str | None":
    """Return the C name of a function that the trace counts, or None past the last one.

    Raises `OverflowError` if ``index`` does not fit ``size_t``; `TypeError` if it has no
    ``__index__``.
    """
    name = _trace_name(size(index))
    return None if name is None else name.decode()


def trace_read(index: "SupportsIndex", /) -> TraceRecord:
    """Return what the trace counted of one function, summed over all threads.

    Raises `LookupError` if ``index`` is past the last function; `OverflowError` if it does not
    fit ``size_t``; `TypeError` if it has no ``__index__``.
    """
    out = _Record()
    status = _trace_read(size(index), out)
    if status < 0:
        raise_status(status)
    return TraceRecord((out.calls, out.errors, out.in_nbytes, out.out_nbytes, out.total_ns, tuple(out.histogram)))

"""The library's own counters, read by ctypes from the file that was built: they prove that bindings did equal work.

No binding is involved. A binding that is linked to another library changes no counter here.
"""

import ctypes
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from statistics import median
from typing import Final, Protocol

BUCKETS: Final = 40
"""``CS_TRACE_BUCKETS``."""

CLEANUP: Final = frozenset({"cs_deflate_end", "cs_inflate_end", "cs_string_free", "cs_counter_close"})
"""Functions that a finaliser may call. They are not compared, since the interpreter decides when finalisers run."""

TRY_NS: Final = 100_000
"""The shortest try of :meth:`NativeTrace.inside_share`: a shorter one makes the next try twice as long."""

Counts = dict[str, tuple[int, int, int]]
"""(calls, bytes in, bytes out) by native function."""


class Trace(Protocol):
    """What a measuring process needs of counters."""

    @property
    def engine_version(self) -> str:
        """The version of the engine behind the library."""

    def counting(self) -> AbstractContextManager[Counts]:
        """Count the native calls within the block; the dictionary is filled at its end."""


class Uncounted:
    """In place of counters, for a library that has none: nothing is counted, so that only results are compared."""

    @property
    def engine_version(self) -> str:
        """Empty: nothing says it."""
        return ""

    @contextmanager
    def counting(self) -> Iterator[Counts]:
        """Count nothing."""
        yield {}


class _Record(ctypes.Structure):
    _fields_ = [
        ("calls", ctypes.c_uint64),
        ("errors", ctypes.c_uint64),
        ("in_nbytes", ctypes.c_uint64),
        ("out_nbytes", ctypes.c_uint64),
        ("total_ns", ctypes.c_uint64),
        ("histogram", ctypes.c_uint64 * BUCKETS),
    ]


class NativeTrace:
    """The counters of one loaded library."""

    def __init__(self, library: Path) -> None:
        lib = ctypes.CDLL(str(library))
        lib.cs_trace_enable.argtypes = [ctypes.c_bool]
        lib.cs_trace_enable.restype = None
        lib.cs_trace_reset.restype = None
        lib.cs_trace_count.restype = ctypes.c_size_t
        lib.cs_trace_name.argtypes = [ctypes.c_size_t]
        lib.cs_trace_name.restype = ctypes.c_char_p
        lib.cs_trace_read.argtypes = [ctypes.c_size_t, ctypes.POINTER(_Record)]
        lib.cs_trace_read.restype = ctypes.c_int32
        lib.cs_engine_version.restype = ctypes.c_char_p
        self._lib = lib
        self._names = [lib.cs_trace_name(index).decode() for index in range(lib.cs_trace_count())]
        self._record = _Record()

    @property
    def engine_version(self) -> str:
        """The version of the compression engine that this process loaded."""
        return str(self._lib.cs_engine_version().decode())

    @contextmanager
    def switched_on(self) -> Iterator[None]:
        """Switch the trace on, and off again at the end of the block."""
        self._lib.cs_trace_enable(True)
        try:
            yield
        finally:
            self._lib.cs_trace_enable(False)

    def inside_share(self, function: Callable[[], object], names: Iterable[str], budget_ns: int) -> float:
        """Return the share of a call's time that passes inside native functions: the median of many tries.

        Both times are taken from the same traced calls, so that a busy machine affects both. The trace's own time,
        about 40 ns per native call, counts as outside.
        """
        indices = [self._names.index(name) for name in names]
        shares: list[float] = []
        runs, end = 1, time.perf_counter_ns() + budget_ns
        while not shares or time.perf_counter_ns() < end:
            self._lib.cs_trace_reset()
            with self.switched_on():
                start = time.perf_counter_ns()
                for _ in range(runs):
                    function()
                wall = time.perf_counter_ns() - start
            inside = 0
            for index in indices:
                self._lib.cs_trace_read(index, self._record)
                inside += self._record.total_ns
            shares.append(min(inside / wall, 1.0))
            if wall < TRY_NS:
                runs *= 2
        return median(shares)

    @contextmanager
    def counting(self) -> Iterator[Counts]:
        """Count the native calls within the block; the dictionary is filled at its end."""
        counts: Counts = {}
        self._lib.cs_trace_reset()
        try:
            with self.switched_on():
                yield counts
        finally:
            for index, name in enumerate(self._names):
                if name in CLEANUP:
                    continue
                self._lib.cs_trace_read(index, self._record)
                if self._record.calls:
                    counts[name] = (self._record.calls, self._record.in_nbytes, self._record.out_nbytes)


def difference(counts: Counts, reference: Counts) -> str | None:
    """Return a description of the first difference between two counts; None if they are equal."""
    for name in sorted(counts.keys() | reference.keys()):
        mine, other = counts.get(name, (0, 0, 0)), reference.get(name, (0, 0, 0))
        for what, value, expected in zip(("calls", "bytes in", "bytes out"), mine, other, strict=True):
            if value != expected:
                return f"unequal native work: {name} {value} {what}, {expected} expected"
    return None

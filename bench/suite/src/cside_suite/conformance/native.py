# SPDX-License-Identifier: Apache-2.0
"""The native library, called by ctypes without a binding: its results, and the calls that it counted.

All bindings load the same image of the library, so that the counters read here are those of their calls. A binding that
is linked to another build of the library appears to make no calls at all.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cside_native

__all__ = ["BUCKETS", "Native", "Record"]

BUCKETS: Final = 40
"""``CS_TRACE_BUCKETS``."""


class _Record(ctypes.Structure):
    _fields_ = [
        ("calls", ctypes.c_uint64),
        ("errors", ctypes.c_uint64),
        ("in_nbytes", ctypes.c_uint64),
        ("out_nbytes", ctypes.c_uint64),
        ("total_ns", ctypes.c_uint64),
        ("histogram", ctypes.c_uint64 * BUCKETS),
    ]


@dataclass(frozen=True, slots=True)
class Record:
    """What the trace counted of one function: ``cs_trace_record``."""

    calls: int
    errors: int
    in_nbytes: int
    out_nbytes: int
    total_ns: int
    histogram: tuple[int, ...]


class Native:
    """The functions of the library that the tests need."""

    def __init__(self) -> None:
        self.library = library = ctypes.CDLL(str(cside_native.library()))
        library.cs_status_name.argtypes = library.cs_status_message.argtypes = [ctypes.c_int32]
        library.cs_status_name.restype = library.cs_status_message.restype = ctypes.c_char_p
        library.cs_engine_version.restype = library.cs_engine_header_version.restype = ctypes.c_char_p
        library.cs_const_text.argtypes, library.cs_const_text.restype = [ctypes.c_char_p], ctypes.c_char_p
        library.cs_spin.argtypes, library.cs_spin.restype = [ctypes.c_uint64], ctypes.c_uint64
        library.cs_state_fini.restype = ctypes.c_int32
        library.cs_codec_fail_after.argtypes, library.cs_codec_fail_after.restype = [ctypes.c_int64], None
        library.cs_trace_enable.argtypes, library.cs_trace_enable.restype = [ctypes.c_bool], None
        library.cs_trace_reset.restype = None
        library.cs_trace_count.restype = ctypes.c_size_t
        library.cs_trace_name.argtypes, library.cs_trace_name.restype = [ctypes.c_size_t], ctypes.c_char_p
        library.cs_trace_read.argtypes = [ctypes.c_size_t, ctypes.POINTER(_Record)]
        library.cs_trace_read.restype = ctypes.c_int32
        self.names = [library.cs_trace_name(index).decode() for index in range(library.cs_trace_count())]

    def status_name(self, status: int) -> str:
        """Call ``cs_status_name``."""
        return str(self.library.cs_status_name(status).decode())

    def status_message(self, status: int) -> str:
        """Call ``cs_status_message``."""
        return str(self.library.cs_status_message(status).decode())

    def engine_version(self) -> str:
        """Call ``cs_engine_version``."""
        return str(self.library.cs_engine_version().decode())

    def engine_header_version(self) -> str:
        """Call ``cs_engine_header_version``."""
        return str(self.library.cs_engine_header_version().decode())

    def const_text(self, name: str) -> str | None:
        """Call ``cs_const_text``."""
        text = self.library.cs_const_text(name.encode())
        return None if text is None else text.decode()

    def spin(self, iterations: int) -> int:
        """Call ``cs_spin``."""
        return int(self.library.cs_spin(iterations))

    def read(self, name: str) -> Record:
        """Call ``cs_trace_read`` for the function of this C name."""
        raw = _Record()
        assert self.library.cs_trace_read(self.names.index(name), ctypes.byref(raw)) == 0
        return Record(raw.calls, raw.errors, raw.in_nbytes, raw.out_nbytes, raw.total_ns, tuple(raw.histogram))

    def counted(self, operation: Callable[[], object]) -> dict[str, int]:
        """Run ``operation`` with the trace on; return the number of calls of each C function that was called."""
        self.library.cs_trace_enable(True)
        self.library.cs_trace_reset()
        try:
            operation()
        finally:
            self.library.cs_trace_enable(False)
        return self.calls()

    def calls(self) -> dict[str, int]:
        """Return the number of calls that the trace has counted, of each C function that was called."""
        return {name: calls for name in self.names if (calls := self.read(name).calls)}

    def restore(self) -> None:
        """Switch the trace off and reset it, stop the number generator, end fault injection on this thread."""
        self.library.cs_trace_enable(False)
        self.library.cs_trace_reset()
        self.library.cs_state_fini()
        self.library.cs_codec_fail_after(-1)

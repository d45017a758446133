"""The native floor: the cost of a workload in C alone, timed inside ``libcside_floor`` (``native/floor/floor.h``)."""

import ctypes
from collections.abc import Iterator
from typing import Final

import cside_native

from cside_suite.process.chunks import Chunk
from cside_suite.process.collector import Target
from cside_suite.process.floor_pkcs11 import Pkcs11Floor, input_of
from cside_suite.process.native_trace import NativeTrace

TRACED: Final = "traced"
"""Name of the direct call with the library's trace switched on."""

FUNCTIONS: Final = {
    "idioms.noop": "noop",
    "idioms.add[i32-small]": "i32_add",
    "idioms.add[i32-large]": "i32_add",
    "idioms.bytes_sum": "bytes_sum",
    "idioms.box_fill": "box_fill",
    "idioms.ops_add": "ops_add",
    "idioms.each_call": "each_call",
    "codec.crc32": "crc32",
    "codec.adler32": "adler32",
    "codec.compress": "compress",
    "codec.decompress": "decompress",
}
"""The floor's function for each workload, named with or without its parameters."""

ENGINE_BOUND: Final = frozenset({"compress", "decompress"})
"""Functions whose time is the engine's, so that it does not matter how C calls them: only the direct call is timed."""


class NoFloor:
    """In place of the floors, for a library of which there are no loops in C."""

    def chunks(self, target: Target) -> Iterator[tuple[str, Chunk]]:
        """Yield nothing."""
        return iter(())

    def calls(self, target: Target) -> dict[str, int] | None:
        """Return None: nothing is known of the work in C."""
        return None


class Floor:
    """The floors of the loaded library, except for those of PKCS #11."""

    def __init__(self, trace: NativeTrace) -> None:
        lib = ctypes.CDLL(str(cside_native.floor_library()))
        lib.csf_count.restype = ctypes.c_size_t
        lib.csf_name.argtypes = [ctypes.c_size_t]
        lib.csf_name.restype = ctypes.c_char_p
        lib.csf_run.argtypes = [
            ctypes.c_size_t,
            ctypes.c_uint64,
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.c_int32,
            ctypes.POINTER(ctypes.c_double),
            ctypes.POINTER(ctypes.c_double),
        ]
        lib.csf_run.restype = ctypes.c_int32
        self._lib = lib
        self._trace = trace
        self._pkcs11 = Pkcs11Floor(trace)
        self._indices = {lib.csf_name(index).decode(): index for index in range(lib.csf_count())}

    def chunks(self, target: Target) -> Iterator[tuple[str, Chunk]]:
        """Yield (way, chunk) for each way in which C can do the work of ``target``, on the same input."""
        workload = target.workload
        if workload.startswith("pkcs11."):
            yield from self._pkcs11.chunks(workload, input_of(target.arguments))
            return
        function = FUNCTIONS.get(workload, FUNCTIONS.get(workload.partition("[")[0]))
        if function is None:
            return
        data, size, level = b"", 0, 0
        if function == "each_call":
            size = target.arguments[0]
        elif target.arguments and isinstance(target.arguments[0], bytes | bytearray | memoryview):
            data = bytes(target.arguments[0])
            size = len(data)
        if function == "compress":
            level = target.arguments[1] if len(target.arguments) > 1 else 6
        elif function == "decompress":
            data, level = target.function(*target.arguments), int(workload.rpartition("-")[2].removesuffix("]"))
            size = len(data)
        for name, index in self._indices.items():
            own, _, way = name.partition("/")
            if way != "direct" and function in ENGINE_BOUND:
                continue
            if own == function:
                yield way, self._chunk(index, data, size, level)
                if own == "noop" and way == "direct":
                    yield TRACED, self._traced(self._chunk(index, data, size, level))

    def calls(self, target: Target) -> dict[str, int] | None:
        """Return the native calls that C makes for the work of ``target``, by function; None if that is not known."""
        return self._pkcs11.calls(target.workload, input_of(target.arguments))

    def _chunk(self, index: int, data: bytes, size: int, level: int) -> Chunk:
        calls, empty = ctypes.c_double(), ctypes.c_double()
        run = self._lib.csf_run

        def chunk(loops: int) -> tuple[int, int]:
            status = run(index, loops, data, size, level, calls, empty)
            if status < 0:
                raise RuntimeError(f"floor {index} failed with status {status}")
            return round(calls.value), round(empty.value)

        return chunk

    def _traced(self, chunk: Chunk) -> Chunk:
        def traced(loops: int) -> tuple[int, int]:
            with self._trace.switched_on():
                return chunk(loops)

        return traced

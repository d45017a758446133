# SPDX-License-Identifier: Apache-2.0
"""The calls whose scaling over threads is measured, each with its C loop: what the machine gives to threads that run no
Python.
"""

import ctypes
import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, Final

import cside_native

from cside_suite.process.threads.crew import Arguments

SHORT_STEPS: Final = 1
LONG_STEPS: Final = 100_000
"""Of ``cs_spin``: some 0.1 to 0.2 ms. Both are those of the workloads ``idioms.spin_*``."""
SHORT_NBYTES: Final = 16
LONG_NBYTES: Final = 1 << 20
COMPRESSED_NBYTES: Final = 1 << 16
LEVEL: Final = 1
NATIVE_NS: Final = 4_000_000
"""Time that one native call is to take: against it, the foreign call and its wait for the GIL are nothing."""
TEXT_SEED: Final = 4


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the contract with its arguments."""

    name: str
    """As a workload's: ``idioms.spin_held[1]``."""
    noun: str
    function: str
    needs: str | None
    """Feature without which a binding does not offer it."""
    make: Callable[[], Arguments]
    """Fresh arguments: made by the thread that uses them, shared with no other."""
    right: Callable[[Any], bool]
    """Whether a result is the right one, by something other than a binding."""

    @property
    def calls(self) -> str:
        """The function of the contract."""
        return f"{self.noun}.{self.function}"


@dataclass(frozen=True, slots=True)
class NativeLoop:
    """A C loop of a call."""

    run: Callable[..., object]
    make: Callable[[], Arguments]


class Machine:
    """The library behind all bindings and the floor's C loops, by ctypes, which releases the GIL while they run."""

    def __init__(self) -> None:
        lib = ctypes.CDLL(str(cside_native.library()))
        lib.cs_spin.argtypes = [ctypes.c_uint64]
        lib.cs_spin.restype = ctypes.c_uint64
        self.spin: Callable[[int], int] = lib.cs_spin
        floor = ctypes.CDLL(str(cside_native.floor_library()))
        floor.csf_name.argtypes = [ctypes.c_size_t]
        floor.csf_name.restype = ctypes.c_char_p
        floor.csf_count.restype = ctypes.c_size_t
        floor.csf_run.restype = ctypes.c_int32
        floor.csf_run.argtypes = [
            ctypes.c_size_t,
            ctypes.c_uint64,
            ctypes.c_void_p,
            ctypes.c_size_t,
            ctypes.c_int32,
            ctypes.POINTER(ctypes.c_double),
            ctypes.POINTER(ctypes.c_double),
        ]
        self._run = floor.csf_run
        self._indices = {floor.csf_name(index).decode(): index for index in range(floor.csf_count())}

    def loop(self, call: Call) -> NativeLoop:
        """The C loop of a call, so long that one run takes about :data:`NATIVE_NS`; counted by runs, not by calls.

        For a spin of any length it is one long ``cs_spin``, for the others the floor's direct loop.
        """
        if call.noun == "idioms":
            steps = self._fit(lambda count: self.spin(count), 1000)
            return NativeLoop(self.spin, lambda: (int(str(steps)),))
        index = self._indices[f"{call.function}/direct"]
        data = call.make()[0]

        def arguments(iterations: int) -> Arguments:
            own = (ctypes.c_char * len(data)).from_buffer_copy(data)  # PyPy copies bytes at each call, with its GIL
            calls_ns, empty_ns = ctypes.c_double(), ctypes.c_double()
            return index, iterations, own, len(data), LEVEL, calls_ns, empty_ns

        tried = arguments(0)
        iterations = self._fit(lambda count: self._run(index, count, *tried[2:]), 1)
        return NativeLoop(self._run, lambda: arguments(iterations))

    @staticmethod
    def _fit(run: Callable[[int], object], count: int) -> int:
        """A count with which ``run`` takes about :data:`NATIVE_NS`: the fastest of three tries decides."""
        while True:
            best = 1 << 62
            for _ in range(3):
                start = perf_counter_ns()
                run(count)
                best = min(best, perf_counter_ns() - start)
            if best >= NATIVE_NS / 4:
                return max(1, round(count * NATIVE_NS / best))
            count *= 2


def text(nbytes: int) -> bytes:
    """Words in random order, the same each time: what a compressor meets, near enough."""
    draw = random.Random(TEXT_SEED)
    words = [bytes(draw.choices(b"etaoinshrdlucmfw", k=draw.randrange(2, 10))) for _ in range(400)]
    found = b""
    while len(found) < nbytes:
        found += b" ".join(draw.choices(words, k=500)) + b"\n"
    return found[:nbytes]


def calls(machine: Machine) -> list[Call]:
    """All calls: short and long with the GIL held, short and long with it released, checksums and compression."""

    def spin(function: str, feature: str, steps: int) -> Call:
        right = machine.spin(steps)
        return Call(
            f"idioms.{function}[{steps}]",
            "idioms",
            function,
            feature,
            lambda: (int(str(steps)),),
            lambda result: bool(result == right),
        )

    def checksum(nbytes: int) -> Call:
        data = text(nbytes)
        right = zlib.crc32(data)
        return Call(
            f"codec.crc32[{nbytes}]",
            "codec",
            "crc32",
            None,
            lambda: (bytes(bytearray(data)),),
            lambda result: bool(result == right),
        )

    plain = text(COMPRESSED_NBYTES)
    return [
        spin("spin_held", "gil-held", SHORT_STEPS),
        spin("spin_held", "gil-held", LONG_STEPS),
        spin("spin_released", "gil-released", SHORT_STEPS),
        spin("spin_released", "gil-released", LONG_STEPS),
        checksum(SHORT_NBYTES),
        checksum(LONG_NBYTES),
        Call(
            f"codec.compress[{COMPRESSED_NBYTES}]",
            "codec",
            "compress",
            None,
            lambda: (bytes(bytearray(plain)), LEVEL),
            lambda result: zlib.decompress(result) == plain,
        ),
    ]

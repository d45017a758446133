# SPDX-License-Identifier: Apache-2.0
"""The calls that are measured with several threads, each with a loop in C that runs no Python.

The loops in C are the native ceiling: they show how much work the machine does with this number of threads.
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
"""Steps of ``cs_spin`` in a short call, as in the workloads ``idioms.spin_*``."""

LONG_STEPS: Final = 100_000
"""Steps of ``cs_spin`` in a long call, as in the same workloads: about 0.1 to 0.2 ms."""

SHORT_NBYTES: Final = 16
"""Input of a short checksum."""

LONG_NBYTES: Final = 1 << 20
"""Input of a long checksum."""

COMPRESSED_NBYTES: Final = 1 << 16
"""Input of a compression."""

LEVEL: Final = 1
"""Level of the compression."""

NATIVE_NS: Final = 4_000_000
"""Time that one native call is to take: so long that the call by ctypes and its wait for the GIL do not matter."""

TEXT_SEED: Final = 4
"""Seed of the random text."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the contract with its arguments."""

    name: str
    """The name, like that of a workload: ``idioms.spin_held[1]``."""
    noun: str
    """The module of the binding."""
    function: str
    """The function of that module."""
    needs: str | None
    """The feature without which a binding does not offer the function."""
    make: Callable[[], Arguments]
    """Makes fresh arguments; the thread that uses them calls it, so that no two threads share them."""
    right: Callable[[Any], bool]
    """Tells whether a result is right, without using a binding."""

    @property
    def calls(self) -> str:
        """The function of the contract, with its noun."""
        return f"{self.noun}.{self.function}"


@dataclass(frozen=True, slots=True)
class NativeLoop:
    """The loop in C of a call."""

    run: Callable[..., object]
    """Runs the loop."""
    make: Callable[[], Arguments]
    """Makes fresh arguments for it."""


class Machine:
    """The library and the native floor, called by ctypes, which releases the GIL while they run."""

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
        """Return the loop in C of a call, so long that one run takes about :data:`NATIVE_NS`.

        Its runs are counted, not its calls. For a spin of any length it is one long ``cs_spin``, for other calls the
        floor's direct loop.
        """
        if call.noun == "idioms":
            steps = self._fit(lambda count: self.spin(count), 1000)
            return NativeLoop(self.spin, lambda: (int(str(steps)),))
        index = self._indices[f"{call.function}/direct"]
        data = call.make()[0]

        def arguments(iterations: int) -> Arguments:
            own = (ctypes.c_char * len(data)).from_buffer_copy(data)  # PyPy copies bytes, with the GIL
            calls_ns, empty_ns = ctypes.c_double(), ctypes.c_double()
            return index, iterations, own, len(data), LEVEL, calls_ns, empty_ns

        tried = arguments(0)
        iterations = self._fit(lambda count: self._run(index, count, *tried[2:]), 1)
        return NativeLoop(self._run, lambda: arguments(iterations))

    @staticmethod
    def _fit(run: Callable[[int], object], count: int) -> int:
        """Return a count with which ``run`` takes about :data:`NATIVE_NS`, judged by the fastest of three tries."""
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
    """Return random words, the same each time, which compress about as well as real text."""
    draw = random.Random(TEXT_SEED)
    words = [bytes(draw.choices(b"etaoinshrdlucmfw", k=draw.randrange(2, 10))) for _ in range(400)]
    found = b""
    while len(found) < nbytes:
        found += b" ".join(draw.choices(words, k=500)) + b"\n"
    return found[:nbytes]


def calls(machine: Machine) -> list[Call]:
    """Return all calls: short and long ones with the GIL held and released, checksums, and a compression."""

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

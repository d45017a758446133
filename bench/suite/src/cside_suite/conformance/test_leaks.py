# SPDX-License-Identifier: Apache-2.0
"""No call, successful or not, leaks memory or changes the number of references to its arguments."""

import gc
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from cside_suite.conformance import leaks
from cside_suite.conformance.outcome import outcome
from cside_suite.subjects.bindings import Implementation

CPYTHON = sys.implementation.name == "cpython"


def changes(deed: Callable[[], object], watched: list[Any], *, collecting: bool) -> list[tuple[str, int]]:
    """Return the objects whose number of references changes by about one per call in 50 calls, with the change."""

    def references() -> list[int]:
        if collecting:
            gc.collect()
        return [sys.getrefcount(one) for one in watched]

    outcome(deed)
    before = references()
    for _ in range(50):
        outcome(deed)
    counts = zip(watched, before, references(), strict=True)
    return [(type(one).__name__, new - old) for one, old, new in counts if abs(new - old) >= 40]


def test_no_call_leaks_memory(implementation: Implementation) -> None:
    """Hundreds of calls of each function leave no memory behind, neither Python's nor the library's.

    PyPy does not count memory blocks; there the process must not grow.
    """
    command = [sys.executable, "-X", "faulthandler", "-m", leaks.__name__, implementation.target]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{implementation.name}: {done.returncode}\n{done.stderr[-8000:]}"
    assert json.loads(done.stdout.splitlines()[-1]) == {}


@pytest.mark.crash_prone
@pytest.mark.skipif(not CPYTHON, reason="PyPy does not count references")
def test_no_call_keeps_or_loses_a_reference(implementation: Implementation) -> None:
    """Arguments have as many references after many calls as before, so that none leaks or is freed too early."""
    idioms: Any = implementation.idioms
    codec: Any = implementation.codec
    number, real, text, data, writable = 2**40 + 1, 12345.678, "text é" * 3, b"x" * 1000, bytearray(1000)
    pair = (5, data)
    attrs, types, point, box = [pair], [77], idioms.Point(1, 2), idioms.Box()

    def callback(*values: int) -> int:
        return 0

    def fail(*values: int) -> int:
        raise KeyError

    watched = [None, True, number, real, text, data, writable, pair, attrs, types, point, box, callback, fail]
    deeds = [
        lambda: idioms.i64_add(number, number),
        lambda: idioms.i8_add(1, number),
        lambda: idioms.mixed_sum(1, number, real, True, 1, real),
        lambda: idioms.mixed_sum(1, number, real, True, number, real),
        lambda: idioms.bool_not(data),
        lambda: idioms.bytes_sum(data),
        lambda: idioms.bytes_sum(text),
        lambda: idioms.buffer_fill(writable, 1),
        lambda: idioms.buffer_fill(writable, number),
        lambda: idioms.buffer_fill(data, 1),
        lambda: idioms.string_length(text),
        lambda: idioms.string_repeat(text, 3),
        lambda: idioms.label_hash(text),
        lambda: idioms.label_hash(text * 9),
        lambda: idioms.point_add(point, point),
        lambda: idioms.point_add(point, box),
        lambda: setattr(point, "x", real),
        lambda: setattr(point, "x", text),
        lambda: idioms.box_fill(box, 5),
        lambda: idioms.box_fill(point, 5),
        lambda: idioms.box_unpack(box),
        lambda: idioms.attrs_digest(attrs),
        lambda: idioms.attrs_digest([pair, text]),
        lambda: idioms.attrs_get(types),
        lambda: idioms.Counter(number).add(number),
        lambda: idioms.variant_double(data),
        lambda: idioms.variant_double(number),
        lambda: idioms.varargs_sum(number, number, text),
        lambda: idioms.const_text(text),
        lambda: codec.crc32(data, number),
        lambda: codec.crc32(data, text),
        lambda: codec.compress(data),
        lambda: codec.compress(data, number),
        lambda: codec.compressobj(zdict=data).compress(data),
        lambda: codec.compressobj(1, 8, 31, zdict=data),
        lambda: codec.decompressobj(zdict=data).decompress(data, 5),
        lambda: codec.decompressobj(number, zdict=data),
        lambda: codec.decompressobj(zdict=data).copy(),
    ]
    if "callbacks" in implementation.features:
        deeds += [
            lambda: idioms.each_call(2, callback),
            lambda: idioms.each_call(2, fail),
            lambda: idioms.each_call(number, callback),
            lambda: codec.compress_progress(data, callback),
            lambda: codec.compress_progress(data, fail),
            lambda: codec.compress_progress(data, callback, 99),
        ]
    wrong = []
    for position, deed in enumerate(deeds):
        changed = changes(deed, watched, collecting=False)
        if changed:  # a traceback may be part of a cycle, which is freed later but does not leak
            changed = changes(deed, watched, collecting=True)
        wrong += [(position, changed)] if changed else []
    assert wrong == []

# SPDX-License-Identifier: Apache-2.0
"""Who may run meanwhile: long calls release the GIL, short ones hold it.

A second Python thread wakes up some 2,000 times a second and counts. With a switch interval of minutes the calling
thread never gives the GIL up by itself, so that the count moves during a call if, and only if, the call releases it.
"""

import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cside_suite.conformance.native import Native
from cside_suite.contract.codec import Codec
from cside_suite.contract.idioms import Idioms

pytestmark = [
    pytest.mark.skipif(
        not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this interpreter runs without a GIL"
    ),
    pytest.mark.alone,
]

STEPS = 100_000_000
"""Of ``spin``: about a tenth of a second."""

STRAY = 0 if sys.implementation.name == "cpython" else 2
"""Counts that may be seen although the call holds the GIL: PyPy has no switch interval, and may switch just before."""


@contextmanager
def counting() -> Iterator[Callable[[], int]]:
    """Run the second thread; yields the count so far."""
    count = 0
    stop = False

    def work() -> None:
        nonlocal count
        while not stop:
            time.sleep(0.0005)
            count += 1

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=work)
    thread.start()
    sys.setswitchinterval(300)
    try:
        time.sleep(0.01)
        yield lambda: count
    finally:
        stop = True
        sys.setswitchinterval(interval)
        thread.join()


def progress(call: Callable[[], object]) -> int:
    """What the second thread counted during one call."""
    with counting() as count:
        time.sleep(0.002)
        before = count()
        call()
        return count() - before


def releases(call: Callable[[], object]) -> bool:
    """Whether the second thread gets anywhere during the call; a starved thread gets more chances."""
    return any(progress(call) > STRAY + 1 for _ in range(6))


def holds(call: Callable[[], object]) -> bool:
    """Whether the second thread stands still during the call: only a released GIL can make it move."""
    return any(progress(call) <= STRAY for _ in range(3 if STRAY else 1))


def test_spin_computes_what_the_library_does(idioms: Any, native: Native, request: pytest.FixtureRequest) -> None:
    """Held or released, the result is the library's; without the feature it is `NotImplementedError`."""
    features = request.getfixturevalue("implementation").features
    for name, feature in (("spin_held", "gil-held"), ("spin_released", "gil-released")):
        for steps in (0, 1, 1000):
            if feature in features:
                assert getattr(idioms, name)(steps) == native.spin(steps)
            else:
                with pytest.raises(NotImplementedError):
                    getattr(idioms, name)(steps)


@pytest.mark.needs("gil-released")
def test_spin_released_lets_others_run(idioms: Idioms) -> None:
    """Another thread goes on during ``spin_released``."""
    assert releases(lambda: idioms.spin_released(STEPS))


@pytest.mark.needs("gil-held")
def test_spin_held_lets_nobody_run(idioms: Idioms) -> None:
    """No other thread goes on during ``spin_held``."""
    assert holds(lambda: idioms.spin_held(STEPS))


@pytest.mark.needs("gil-held")
def test_short_calls_hold_the_gil(idioms: Idioms) -> None:
    """A call that the contract does not list as long holds the GIL, however long it takes."""
    data = bytearray(256 * 2**20)
    assert holds(lambda: idioms.bytes_sum(data))
    assert holds(lambda: idioms.buffer_fill(data, 1))


TEXT = b"".join(b"%d, " % (number * number) for number in range(100_000))
LARGE = bytes(2**26)
PACKED = zlib.compress(LARGE, 1)

LONG: dict[str, Callable[[Any], object]] = {
    "crc32": lambda codec: codec.crc32(LARGE),
    "adler32": lambda codec: codec.adler32(LARGE),
    "compress": lambda codec: codec.compress(TEXT, 9),
    "decompress": lambda codec: codec.decompress(PACKED, bufsize=2**26),
    "Compress.compress": lambda codec: codec.compressobj().compress(TEXT),
    "Decompress.decompress": lambda codec: codec.decompressobj().decompress(PACKED),
}


@pytest.mark.needs("gil-released")
@pytest.mark.parametrize("name", LONG)
def test_long_calls_release_the_gil(codec: Codec, name: str) -> None:
    """The codec's long calls let other threads go on."""
    assert releases(lambda: LONG[name](codec))


@pytest.mark.needs("gil-released")
@pytest.mark.needs("callbacks")
def test_compress_progress_releases_the_gil(codec: Codec) -> None:
    """Compressing with a callback does so too, between the callbacks."""
    assert releases(lambda: codec.compress_progress(TEXT, lambda total_in, total_out: None, level=9))


@pytest.mark.needs("gil-released")
def test_flush_releases_the_gil(codec: Codec) -> None:
    """So does flushing what a bounded decompression left behind."""

    def flush() -> int:
        stream = codec.decompressobj()
        stream.decompress(PACKED, 1)
        with counting() as count:
            before = count()
            stream.flush(2**26)
            return count() - before

    assert any(flush() > STRAY + 1 for _ in range(6))

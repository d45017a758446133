# SPDX-License-Identifier: Apache-2.0
"""What the binding keeps for further calls: simultaneous calls share no object, and nothing is kept too long."""

import importlib
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Generator
from typing import Any

import pytest
from cside_ctypes import idioms

PYPY = sys.implementation.name == "pypy"
TYPES = list(range(1, 30))
ATTRIBUTES = [(kind, bytes([kind]) * kind) for kind in TYPES]
BLOBS = {size: bytes((i * 7 + size) % 256 for i in range(size)) for size in (3, 40)}


def work() -> Generator[bool, None, None]:
    """Call each function that uses a kept object; yield whether the results are right."""
    counter = idioms.Counter(0)
    total = 0
    for step in range(2**62):
        total += step
        yield counter.add(step) == total
        yield idioms.attrs_get(TYPES) == ATTRIBUTES
        yield all(idioms.blob_get(size) == blob for size, blob in BLOBS.items())
        yield idioms.runs_expand(bytes([step % 200, 65])) == b"A" * (step % 200)
        yield idioms.flags_toggle(step % 8, 5) == step % 8 ^ 5
        yield idioms.string_repeat("ab", step % 50) == "ab" * (step % 50)
        yield idioms.variant_double(step) == 2 * step
        with idioms.Counter(step) as another:
            yield another.add(1) == step + 1


def right_for(seconds: float) -> bool:
    """Whether all results are right for so long."""
    end = time.monotonic() + seconds
    checks = work()
    while time.monotonic() < end:
        if not next(checks):
            return False
    return True


def test_threads_share_no_kept_object() -> None:
    """Threads that call the same functions at the same time get their own results."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    wrong: list[bool] = []
    threads = [threading.Thread(target=lambda: wrong.append(not right_for(0.5))) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == [False] * 4


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timers")
def test_a_signal_handler_shares_no_kept_object() -> None:
    """A signal handler that runs between a native call and the reading of its result uses other objects."""
    others = work()
    answers: list[bool] = []

    def handle(number: int, frame: object) -> None:
        if not others.gi_running:  # a signal may interrupt the handler itself
            answers.append(next(others))

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
    try:
        assert right_for(0.5)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert answers and all(answers)


def test_one_shared_object_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If calls shared an out-parameter, a call that another one interrupts would return the other one's result."""
    handles: Any = importlib.import_module("cside_ctypes._idioms_handles")
    native: Callable[..., int] = handles._counter_add
    mine, other = idioms.Counter(10), idioms.Counter(500)
    interrupting = False

    def interrupted(*arguments: Any) -> int:
        nonlocal interrupting
        status = native(*arguments)
        if not interrupting:
            interrupting = True
            other.add(1)
        return status

    monkeypatch.setattr(handles, "_counter_add", interrupted)
    assert mine.add(1) == 11

    class Shared(list[Any]):
        def pop(self, index: Any = -1) -> Any:
            return self[0]

        def append(self, kept: Any) -> None:
            pass

    monkeypatch.setattr(handles, "_totals", Shared(handles._totals))
    interrupting = False
    assert mine.add(1) == 502


@pytest.mark.parametrize("fails", [False, True], ids=["to the end", "stopped by an exception"])
def test_a_thread_of_the_library_keeps_its_thread_state(fails: bool) -> None:
    """All callbacks on the thread have the same ``threading.local``, which is freed when the last one has returned."""

    class Anything:
        pass

    local = threading.local()
    made: list[weakref.ref[Anything]] = []

    def callback(value: int) -> int:
        if not hasattr(local, "thing"):
            local.thing = Anything()
            made.append(weakref.ref(local.thing))
        if fails and value == 5:
            raise KeyError(value)
        return value

    if fails:
        with pytest.raises(KeyError):
            idioms.thread_call(10, callback)
    else:
        assert idioms.thread_call(10, callback) == 45
    assert len(made) == 1
    if not PYPY:
        assert made[0]() is None
    assert idioms.thread_call(10, int) == 45


def test_threads_of_the_library_run_side_by_side() -> None:
    """Calls at the same time, and a call in a callback of another one, each count their own callbacks."""

    def nested(value: int) -> int:
        return idioms.thread_call(value, int)

    results: list[int] = []
    threads = [threading.Thread(target=lambda: results.append(idioms.thread_call(6, nested))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [sum(sum(range(n)) for n in range(6))] * 4

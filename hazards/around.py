# SPDX-License-Identifier: Apache-2.0
"""What is around a mistake and the same for all approaches: data, a second thread, a fork, a sub-interpreter."""

import gc
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

NBYTES = 1 << 20
"""Large enough that the system takes the memory back when it is freed."""

PAYLOAD = 1 << 16
"""Bytes that one call of a leaking function leaks."""


def data() -> bytearray:
    """Bytes that sum up to 3 * NBYTES."""
    return bytearray(b"\x03" * NBYTES)


def collect() -> None:
    """Free everything that nothing refers to; PyPy needs to be told more than once."""
    for _ in range(3):
        gc.collect()


others: list[bytes] = []


def go_on() -> None:
    """What a program does next: what nothing refers to is freed, and other buffers are allocated in its place."""
    collect()
    others.extend(bytes([5]) * NBYTES for _ in range(4))


def other_thread_runs_during(call: Callable[[], Any]) -> bool:
    """Whether a Python thread goes on while ``call``, which takes 300 ms, is under way."""
    stamps: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            stamps.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    time.sleep(0.05)
    began = time.monotonic()
    call()
    ended = time.monotonic()
    stop.set()
    thread.join()
    return any(began + 0.1 < stamp < ended - 0.1 for stamp in stamps)


def in_forked_process(call: Callable[[], int]) -> int:
    """What ``call`` returns in a forked process."""
    child = os.fork()
    if not child:
        os._exit(call())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_subinterpreter(program: str) -> None:
    """Run a program in a sub-interpreter with a GIL of its own, where the interpreter has such."""
    path = f"import sys; sys.path[:] = {sys.path!r}\n"
    if sys.version_info >= (3, 14):
        from concurrent import interpreters

        interpreters.create().exec(path + program)
    elif sys.version_info >= (3, 13):
        import _interpreters

        failed = _interpreters.exec(_interpreters.create("isolated"), path + program)
        if failed is not None:
            raise RuntimeError(failed.formatted)
    else:
        import _xxsubinterpreters

        _xxsubinterpreters.run_string(_xxsubinterpreters.create(), path + program)


class Worker:
    """An object of a user's that has a callback, and is of some size."""

    def __init__(self, factor: int = 2) -> None:
        self.factor = factor
        self.payload = b"x" * PAYLOAD

    def on_value(self, value: int) -> int:
        """The callback: 21 becomes 42."""
        return value * self.factor

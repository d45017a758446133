# SPDX-License-Identifier: Apache-2.0
"""The garbage collector while calls are timed.

On CPython it is off, and collects between rounds. On PyPy it stays on. There an object that a C extension or ctypes
makes counts as memory that the collector does not see; once these counts reach a limit, every further such object
starts a minor collection, until a major collection sets the count back (``raw_malloc_memory_pressure`` in PyPy's
``rpython/memory/gc/incminimark.py``). With the collector off there is none, so that after some rounds each call took
several times as long as in any program: 120 ns became 600. A major collection between rounds, after so many chunks,
keeps most of them out of timed regions; minor ones are a part of allocation.
"""

import gc
import sys
from types import TracebackType
from typing import Final, Self

STAYS_ON: Final = sys.implementation.name == "pypy"
"""Whether the collector stays on while calls are timed."""

EVERY: Final = 800
"""Chunks between two major collections where it stays on: they take longer than the chunks if they are frequent."""


class Garbage:
    """A context in which the collector does not run by itself, or as rarely as the interpreter allows.

    Within another one it changes nothing.
    """

    _entered = 0

    def __init__(self) -> None:
        self._chunks = 0

    def __enter__(self) -> Self:
        """Collect all garbage, and switch the collector off unless it stays on."""
        if not Garbage._entered:
            gc.collect()
            if not STAYS_ON:
                gc.disable()
        Garbage._entered += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Switch the collector on again, if it was switched off."""
        Garbage._entered -= 1
        if not Garbage._entered:
            gc.enable()

    def between_rounds(self, chunks: int) -> None:
        """Collect outside of timed regions: young objects only or, where the collector stays on, all now and then.

        ``chunks`` is the number of chunks since the last call.
        """
        self._chunks += chunks
        if not STAYS_ON:
            gc.collect(0)
        elif self._chunks >= EVERY:
            self._chunks = 0
            gc.collect()

# SPDX-License-Identifier: Apache-2.0
"""Types of the module that talks to callgrind; see ``_marker.c``."""

from collections.abc import Callable
from typing import Final, TypeVar

_A = TypeVar("_A")
_R = TypeVar("_R")

SUPPORTED: Final[int]
"""1 where the sequence of instructions that valgrind looks for is known for this processor and system."""

def active() -> bool: ...
def start() -> None: ...
def stop() -> None: ...
def count(function: Callable[[_A], _R], argument: _A, /) -> _R: ...

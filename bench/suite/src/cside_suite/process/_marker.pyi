# SPDX-License-Identifier: Apache-2.0
"""Types of the module that sends requests to callgrind; see ``_marker.c``."""

from collections.abc import Callable
from typing import Final, TypeVar

_A = TypeVar("_A")
_R = TypeVar("_R")

SUPPORTED: Final[int]
"""1 if the instructions of a client request are known for this processor and system, else 0."""

def active() -> bool: ...
def start() -> None: ...
def stop() -> None: ...
def count(function: Callable[[_A], _R], argument: _A, /) -> _R: ...

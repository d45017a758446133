# SPDX-License-Identifier: Apache-2.0
"""Copies of the whole binding's functions that call native functions of another handle."""

from __future__ import annotations

from _ctypes import CFuncPtr
from types import FunctionType

from cside_ctypes._native import releasing
from cside_ctypes.cdll import unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")

__all__ = ["by_cdll"]

if unavailable is not None:
    raise ImportError(unavailable)

_native: Any = CFuncPtr


def by_cdll(function: Callable[P, R], module: str, /) -> Callable[P, R]:
    """Copy `function` so that each native function it calls comes from the handle that releases the GIL.

    The prototypes stay the same. The code object is copied too, because CPython specialises a code object for the
    objects that it meets: two functions that shared one would slow each other down.
    """
    assert isinstance(function, FunctionType)
    names: dict[str, Any] = {**function.__globals__, "__name__": module}
    for name in function.__code__.co_names:
        native = names.get(name)
        if isinstance(native, _native):
            twin = names[name] = releasing[native.__name__]
            twin.restype = native.restype
            if native.argtypes is not None:  # functions of `ready` have none
                twin.argtypes = native.argtypes
    return FunctionType(function.__code__.replace(), names, function.__name__, function.__defaults__)

# SPDX-License-Identifier: Apache-2.0
"""Native functions without ``argtypes``. Without a ``restype`` the result is a C ``int``."""

from __future__ import annotations

from cside_ctypes._native import holding, releasing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from ctypes import CDLL, _SimpleCData
    from typing import Any, Protocol, TypeVar, overload

    T = TypeVar("T")

    class Finder(Protocol):
        @overload
        def __call__(self, name: str, /) -> Callable[..., int]: ...
        @overload
        def __call__(self, name: str, restype: type[_SimpleCData[T]], /) -> Callable[..., T]: ...


__all__ = ["held", "released"]


def _found(handle: CDLL, name: str, restype: Any) -> Any:
    function = handle[name]
    if restype is not None:
        function.restype = restype
    return function


def _held(name: str, restype: Any = None, /) -> Any:
    return _found(holding, name, restype)


def _released(name: str, restype: Any = None, /) -> Any:
    return _found(releasing, name, restype)


held: Finder = _held
"""Find a short function. Calls hold the GIL where that can be chosen."""

released: Finder = _released
"""Find a long function. Calls release the GIL."""

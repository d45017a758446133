# SPDX-License-Identifier: Apache-2.0
"""The loaded library: one handle per calling convention, and the two ways to prototype a function.

A ctypes handle decides what happens around a call. ``PyDLL`` keeps the GIL, ``CDLL`` gives it up, and ``use_errno``
saves errno before anything else can change it; so the library is opened once for each, and every function is taken
from the handle whose manners it needs. The dynamic loader maps the file once all the same.
"""

from __future__ import annotations

import ctypes
import os
import sys
from _operator import index  # `operator` itself takes a twentieth of our import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar, overload

__all__ = [
    "CHOOSES_GIL",
    "PYPY",
    "SmallInt",
    "each_function_type",
    "errno_saved",
    "held",
    "holding",
    "released",
    "releasing",
]

PYPY = sys.implementation.name == "pypy"

CHOOSES_GIL = hasattr(ctypes, "PyDLL")
"""Whether a call can keep the GIL; PyPy's ctypes cannot."""


def _path() -> str:
    """The library beside this package, where the compiled bindings' run path leads too; else ask its own package.

    Asking imports ``pathlib`` and ``json``, which costs more than everything else here together.
    """
    beside = os.path.join(os.path.dirname(os.path.dirname(__file__)), "cside_native", "lib", "libcside.so")
    if os.path.exists(beside):
        return beside
    import cside_native

    return os.fspath(cside_native.library())


_PATH = _path()
_HoldingDLL: type[ctypes.CDLL] = getattr(ctypes, "PyDLL", ctypes.CDLL)
holding = _HoldingDLL(_PATH)
releasing = ctypes.CDLL(_PATH)
_saving_errno = _HoldingDLL(_PATH, use_errno=True)

each_function_type: Any = getattr(ctypes, "PYFUNCTYPE", ctypes.CFUNCTYPE)
"""Makes prototypes of functions that are reached by pointer and keep the GIL where that can be chosen."""


class _Index:
    """An argument type for integers of at most 32 bits that were range-checked before.

    ctypes accepts as an argument type whatever has ``from_param``. That of ``c_int32`` and its like allocates an object
    per argument and cuts off high bits; ``operator.index`` does neither, and an int needs no more: by default
    ctypes passes it as a C int, which is what C promotes narrower integers to. PyPy compiles the real types
    and nothing else, so there the real types stay.
    """

    from_param = index


def SmallInt(real: type[Any], /) -> Any:
    """The argument type to use for the C integer type `real`, of at most 32 bits."""
    return real if PYPY else _Index


def _prototype(handle: ctypes.CDLL, name: str, restype: Any, argtypes: tuple[Any, ...]) -> Any:
    function = handle[name]
    function.restype = restype
    function.argtypes = argtypes
    return function


if TYPE_CHECKING:
    # What a function returns follows from its restype.
    T = TypeVar("T")
    S = TypeVar("S", bound=ctypes.Structure)

    class Prototyper(Protocol):
        @overload
        def __call__(self, name: str, restype: type[ctypes.c_char_p], *argtypes: Any) -> Callable[..., Any]: ...
        @overload
        def __call__(self, name: str, restype: None, *argtypes: Any) -> Callable[..., None]: ...
        @overload
        def __call__(self, name: str, restype: type[ctypes._SimpleCData[T]], *argtypes: Any) -> Callable[..., T]: ...
        @overload
        def __call__(self, name: str, restype: type[S], *argtypes: Any) -> Callable[..., S]: ...
        @overload
        def __call__(self, name: str, restype: type[ctypes._Pointer[S]], *argtypes: Any) -> Callable[..., Any]: ...


def _held(name: str, restype: Any, *argtypes: Any) -> Any:
    return _prototype(holding, name, restype, argtypes)


def _released(name: str, restype: Any, *argtypes: Any) -> Any:
    return _prototype(releasing, name, restype, argtypes)


def _errno_saved(name: str, restype: Any, *argtypes: Any) -> Any:
    return _prototype(_saving_errno, name, restype, argtypes)


held: Prototyper = _held
"""Prototype a short function: called with the GIL held, where that can be chosen."""

released: Prototyper = _released
"""Prototype a long function: called with the GIL released."""

errno_saved: Prototyper = _errno_saved
"""Prototype a short function that reports by errno, to be read with `ctypes.get_errno`."""

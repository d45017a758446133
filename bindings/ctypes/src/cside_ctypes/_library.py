# SPDX-License-Identifier: Apache-2.0
"""The loaded library: a handle for each way to call, and the functions that make prototypes.

A ctypes handle decides what happens around a call. ``PyDLL`` holds the GIL, ``CDLL`` releases it, and ``use_errno``
saves errno before other code can change it. The library is opened once for each of these, and every function is taken
from the handle that calls it as it needs to be called. The dynamic loader maps the file into memory only once.

The modules that ``cside_ctypes.idioms`` imports quote their annotations, because ``from __future__ import annotations``
would import a file too, which takes more than a hundredth of the time of that import.
"""

import ctypes
import os
import sys
from _operator import index  # importing `operator` would take a twentieth of the time of this package's import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar, overload

__all__ = [
    "CHOOSES_GIL",
    "PYPY",
    "SmallInt",
    "errno_saved",
    "held",
    "held_function_type",
    "holding",
    "released",
    "releasing",
]

PYPY = sys.implementation.name == "pypy"

CHOOSES_GIL = hasattr(ctypes, "PyDLL")
"""Whether a call can hold the GIL. PyPy's ctypes always releases it."""


def _path() -> str:
    """Find the library: beside this package, as the run path of the compiled bindings does, or else by `cside_native`.

    Importing `cside_native` imports ``pathlib`` and ``json``, which takes longer than everything else here together.
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

held_function_type: "Any" = getattr(ctypes, "PYFUNCTYPE", ctypes.CFUNCTYPE)
"""Makes the type of a function pointer. Calls through it hold the GIL where that can be chosen."""


class _Index:
    """An argument type for integers of at most 32 bits whose range was checked before.

    ctypes accepts any object with ``from_param`` as an argument type. The ``from_param`` of ``c_int32`` and its like
    allocates an object per argument and drops high bits. ``operator.index`` does neither, and is enough for an int: by
    default ctypes passes an int as a C int, to which C promotes narrower integers. PyPy's JIT compiles calls only for
    the real types, so PyPy gets those.
    """

    from_param = index


def SmallInt(real: "type[Any]", /) -> "Any":
    """The argument type to use for the C integer type `real`, of at most 32 bits."""
    return real if PYPY else _Index


def _prototype(handle: ctypes.CDLL, name: str, restype: "Any", argtypes: "tuple[Any, ...]") -> "Any":
    function = handle[name]
    function.restype = restype
    function.argtypes = argtypes
    return function


if TYPE_CHECKING:
    # The type checker finds the type of a function's result by its restype.
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


def _held(name: str, restype: "Any", *argtypes: "Any") -> "Any":
    return _prototype(holding, name, restype, argtypes)


def _released(name: str, restype: "Any", *argtypes: "Any") -> "Any":
    return _prototype(releasing, name, restype, argtypes)


def _errno_saved(name: str, restype: "Any", *argtypes: "Any") -> "Any":
    return _prototype(_saving_errno, name, restype, argtypes)


held: "Prototyper" = _held
"""Declare a short function. Calls hold the GIL where that can be chosen."""

released: "Prototyper" = _released
"""Declare a long function. Calls release the GIL."""

errno_saved: "Prototyper" = _errno_saved
"""Declare a short function that reports by errno. `ctypes.get_errno` returns the errno of the last call."""

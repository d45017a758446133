# SPDX-License-Identifier: Apache-2.0
"""Callbacks. ctypes passes a thunk as its address; the thunks are the whole binding's."""

from __future__ import annotations

from ctypes import c_void_p

from cside_ctypes._idioms_callbacks import call_back
from cside_ctypes._native import PYPY, uint32
from cside_ctypes.bare._library import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from cside_ctypes._idioms_callbacks import Each

__all__ = ["each_call"]

_each_call = held("cs_each_call")


def _each(times: int, thunk: Any, user: None, out: Any) -> int:
    return _each_call(times, thunk, user, c_void_p(out) if PYPY else out)


def each_call(times: SupportsIndex, callback: Each, /) -> int:
    """Call ``callback`` with 0, 1, ... ``times`` - 1 from C and return the sum of its results.

    An exception that the callback raises is raised here, the same object; no further call is
    made.

    Raises `ValueError` if ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not
    fit ``uint32_t`` or a result does not fit ``int32_t``; `TypeError` if ``callback`` is not
    callable, or ``times`` or a result has no ``__index__``.
    """
    return call_back(_each, (uint32(times),), callback)

# SPDX-License-Identifier: Apache-2.0
"""Callbacks. ctypes passes a thunk as its address; the thunks are the whole binding's."""

from __future__ import annotations

from ctypes import byref

from cside_ctypes._convert import uint32
from cside_ctypes._idioms_callbacks import call_back
from cside_ctypes.bare._library import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from cside_ctypes._idioms_callbacks import Each

__all__ = ["each_call"]

_each_call = held("cs_each_call")


def _each(times: int, thunk: Any, user: None, out: Any) -> int:
    return _each_call(times, thunk, user, byref(out))


def each_call(times: SupportsIndex, callback: Each, /) -> int:
    return call_back(_each, (uint32(times),), callback)

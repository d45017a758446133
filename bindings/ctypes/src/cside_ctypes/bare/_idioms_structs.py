# SPDX-License-Identifier: Apache-2.0
"""Structs. ctypes passes a struct by value, so ``byref()`` takes its address. The types are the whole binding's."""

from __future__ import annotations

from ctypes import byref, c_double

from cside_ctypes._idioms_structs import Box, box_unpack, refusal
from cside_ctypes._native import uint32
from cside_ctypes.bare._library import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["Box", "box_area", "box_fill", "box_unpack"]

_box_fill = held("cs_box_fill")
_box_area = held("cs_box_area", c_double)


def box_fill(box: Box, tag: SupportsIndex, /) -> None:
    """Set the fields of a box, which is passed to C by pointer.

    ``min`` becomes (tag, tag + 1), ``max`` becomes (tag + 2, tag + 4), ``tag`` becomes ``tag``.

    Raises `TypeError` if ``box`` is not a box that this module made or ``tag`` has no
    ``__index__``; `OverflowError` if ``tag`` does not fit ``uint32_t``.
    """
    if not isinstance(box, Box):
        raise refusal(box, Box)
    _box_fill(byref(box), uint32(tag))


def box_area(box: Box, /) -> float:
    """Return the area of a box, (max.x - min.x) * (max.y - min.y).

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    if not isinstance(box, Box):
        raise refusal(box, Box)
    return _box_area(byref(box))

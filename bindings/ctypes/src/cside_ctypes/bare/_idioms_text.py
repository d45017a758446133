# SPDX-License-Identifier: Apache-2.0
"""Texts. ctypes passes bytes as their address."""

from __future__ import annotations

from ctypes import c_size_t, c_void_p

from cside_ctypes._native import PYPY, encoded, finished, fresh, uint32
from cside_ctypes.bare._library import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["label_get", "string_length"]

_LABEL_NBYTES = 32

_string_length = held("cs_string_length", c_size_t)
_label_get = held("cs_label_get")


def string_length(text: str, /) -> int:
    """Return the length of a text in bytes of UTF-8.

    Raises `TypeError` if ``text`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    return _string_length(encoded(text))


def label_get(index: SupportsIndex, /) -> str:
    """Return label number ``index`` without the spaces that pad it to 32 bytes.

    Raises `OverflowError` if ``index`` does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    field, room = fresh(_LABEL_NBYTES)
    _label_get(uint32(index), c_void_p(field) if PYPY else field)
    return finished(room, _LABEL_NBYTES).rstrip(b" ").decode()

# SPDX-License-Identifier: Apache-2.0
"""Byte buffers. ctypes passes bytes as their address; addresses and sizes are made ctypes objects."""

from __future__ import annotations

from ctypes import c_size_t, c_uint32, c_void_p

from cside_ctypes._native import PYPY, addressed, release, uint8, writing
from cside_ctypes.bare._library import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

    from typing_extensions import Buffer

__all__ = ["buffer_fill", "bytes_sum"]

_bytes_sum = held("cs_bytes_sum", c_uint32)
_buffer_fill = held("cs_buffer_fill")


def bytes_sum(data: Buffer, /) -> int:
    """Return the sum of all bytes of a buffer, modulo 2**32.

    Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
    not C-contiguous.
    """
    if type(data) is bytes and not PYPY:
        return _bytes_sum(data, c_size_t(len(data)))
    pointer, nbytes, hold = addressed(data)
    try:
        return _bytes_sum(c_void_p(pointer), c_size_t(nbytes))
    finally:
        release(hold)


def buffer_fill(out: Buffer, value: SupportsIndex, /) -> None:
    """Set every byte of a writable buffer to ``value``.

    Raises `TypeError` if ``out`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``out`` is read-only or not C-contiguous; `OverflowError` if
    ``value`` does not fit ``uint8_t``.
    """
    pointer, nbytes, hold = writing(out)
    try:
        _buffer_fill(c_void_p(pointer), c_size_t(nbytes), uint8(value))
    finally:
        release(hold)

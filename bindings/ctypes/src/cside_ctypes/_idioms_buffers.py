# SPDX-License-Identifier: Apache-2.0
"""Byte buffers: read, filled, of a size that is asked for first, and of a size that is found by trying."""

from _operator import index as to_int
from ctypes import c_int32, c_size_t, c_uint8, c_uint32, c_void_p

from cside_ctypes._idioms_errors import E_TOO_SMALL, raise_status
from cside_ctypes._native import (
    PYPY,
    SmallInt,
    cell,
    finished,
    fresh,
    held,
    reading,
    ready,
    release,
    too_large,
    writing,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, SupportsIndex

    from typing_extensions import Buffer

__all__ = ["blob_get", "buffer_fill", "bytes_sum", "runs_expand"]

_RUNS_FIRST_NBYTES = 256

_bytes_sum = held("cs_bytes_sum", c_uint32, c_void_p, c_size_t)
_buffer_fill = held("cs_buffer_fill", None, c_void_p, c_size_t, SmallInt(c_uint8))
_blob_get = ready("cs_blob_get", c_int32, SmallInt(c_uint32), c_void_p, c_void_p)
_runs_expand = held("cs_runs_expand", c_int32, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p)

_sizes: "list[Any]" = []
"""Out-parameters for sizes that no call is using."""


def bytes_sum(data: "Buffer", /) -> int:
    """Return the sum of all bytes of a buffer, modulo 2**32.

    Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
    not C-contiguous.
    """
    if type(data) is bytes and not PYPY:
        return _bytes_sum(data, len(data))
    pointer, nbytes, hold = reading(data)
    try:
        return _bytes_sum(pointer, nbytes)
    finally:
        release(hold)


def buffer_fill(out: "Buffer", value: "SupportsIndex", /) -> None:
    """Set every byte of a writable buffer to ``value``.

    Raises `TypeError` if ``out`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``out`` is read-only or not C-contiguous; `OverflowError` if
    ``value`` does not fit ``uint8_t``.
    """
    pointer, nbytes, hold = writing(out)
    try:
        value = to_int(value)
        if value >> 8:
            raise too_large("uint8_t")
        _buffer_fill(pointer, nbytes, value)
    finally:
        release(hold)


def blob_get(index: "SupportsIndex", /) -> bytes:
    """Return blob number ``index``, which is ``index`` bytes long.

    Byte i of it is (i * 7 + index) modulo 256. One native call asks for the size, a second one
    fetches the bytes.

    Raises `LookupError` if ``index`` is above 1,048,576; `OverflowError` if it does not fit
    ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    index = to_int(index)
    if index >> 32:
        raise too_large("uint32_t")
    try:
        kept = _sizes.pop()
    except IndexError:
        kept = cell(c_size_t)
    nbytes, out = kept
    status = _blob_get(index, None, out)
    if status >= 0:
        if PYPY:
            pointer, room = fresh(nbytes.value)
        else:
            pointer = room = bytes(nbytes.value)  # as `fresh` does, without its call
        status = _blob_get(index, pointer, out)
    if status < 0:
        raise_status(status)
    used = nbytes.value
    _sizes.append(kept)
    return finished(room, used) if PYPY else room[:used]


def runs_expand(data: "Buffer", /) -> bytes:
    """Expand run-length pairs (count, byte) and return the result.

    The first native call has room for 256 bytes; as long as the room does not suffice, it is
    doubled and the call is repeated.

    Raises `StatusError` ``CS_E_DATA`` if ``data`` has an odd number of bytes; `TypeError` if it
    does not support the buffer protocol; `BufferError` if it is not C-contiguous.
    """
    pointer, nbytes, hold = reading(data)
    try:
        try:
            kept = _sizes.pop()
        except IndexError:
            kept = cell(c_size_t)
        capacity = _RUNS_FIRST_NBYTES
        while True:
            out, room = fresh(capacity)
            status = _runs_expand(pointer, nbytes, out, capacity, kept[1])
            if status != E_TOO_SMALL:
                break
            capacity *= 2
    finally:
        release(hold)
    if status < 0:
        raise_status(status)
    used = kept[0].value
    _sizes.append(kept)
    return finished(room, used)

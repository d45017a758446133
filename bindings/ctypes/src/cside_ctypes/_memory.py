# SPDX-License-Identifier: Apache-2.0
"""Byte buffers, outputs of unknown size, strings."""

from __future__ import annotations

from ctypes import POINTER, c_char_p, c_int32, c_size_t, c_uint8, c_uint32, c_void_p

from cside_ctypes._buffers import encoded, finished, fresh, reading, release, writing
from cside_ctypes._library import PYPY, SmallInt, held
from cside_ctypes._numbers import uint8, uint32
from cside_ctypes._status import E_TOO_SMALL, raise_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

    from typing_extensions import Buffer

__all__ = [
    "blob_get",
    "buffer_fill",
    "bytes_sum",
    "label_get",
    "label_hash",
    "runs_expand",
    "string_borrow",
    "string_length",
    "string_repeat",
]

_LABEL_NBYTES = 32
_RUNS_FIRST_NBYTES = 256

_bytes_sum = held("cs_bytes_sum", c_uint32, c_void_p, c_size_t)
_buffer_fill = held("cs_buffer_fill", None, c_void_p, c_size_t, SmallInt(c_uint8))
_blob_get = held("cs_blob_get", c_int32, SmallInt(c_uint32), c_void_p, POINTER(c_size_t))
_runs_expand = held("cs_runs_expand", c_int32, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t))
_string_length = held("cs_string_length", c_size_t, c_char_p)
_string_borrow = held("cs_string_borrow", c_char_p, SmallInt(c_uint32))
_string_repeat = held("cs_string_repeat", c_int32, c_char_p, SmallInt(c_uint32), POINTER(c_char_p))
_string_free = held("cs_string_free", None, c_char_p)
_label_get = held("cs_label_get", None, SmallInt(c_uint32), c_void_p)
_label_hash = held("cs_label_hash", c_uint32, c_char_p)


def bytes_sum(data: Buffer, /) -> int:
    if type(data) is bytes and not PYPY:
        return _bytes_sum(data, len(data))
    pointer, nbytes, hold = reading(data)
    try:
        return _bytes_sum(pointer, nbytes)
    finally:
        release(hold)


def buffer_fill(out: Buffer, value: SupportsIndex, /) -> None:
    pointer, nbytes, hold = writing(out)
    try:
        _buffer_fill(pointer, nbytes, uint8(value))
    finally:
        release(hold)


def blob_get(index: SupportsIndex, /) -> bytes:
    index = uint32(index)
    nbytes = c_size_t()
    status = _blob_get(index, None, nbytes)
    if status >= 0:
        pointer, room = fresh(nbytes.value)
        status = _blob_get(index, pointer, nbytes)
    if status < 0:
        raise_status(status)
    return finished(room, nbytes.value)


def runs_expand(data: Buffer, /) -> bytes:
    pointer, nbytes, hold = reading(data)
    try:
        used = c_size_t()
        capacity = _RUNS_FIRST_NBYTES
        while True:
            out, room = fresh(capacity)
            status = _runs_expand(pointer, nbytes, out, capacity, used)
            if status != E_TOO_SMALL:
                break
            capacity *= 2
    finally:
        release(hold)
    if status < 0:
        raise_status(status)
    return finished(room, used.value)


def string_length(text: str, /) -> int:
    return _string_length(encoded(text))


def string_borrow(index: SupportsIndex, /) -> str | None:
    text = _string_borrow(uint32(index))
    return None if text is None else text.decode()


def string_repeat(text: str, times: SupportsIndex, /) -> str:
    out = c_char_p()
    status = _string_repeat(encoded(text), uint32(times), out)
    if status < 0:
        raise_status(status)
    try:
        raw = out.value
        return "" if raw is None else raw.decode()
    finally:
        _string_free(out)


def label_get(index: SupportsIndex, /) -> str:
    field, room = fresh(_LABEL_NBYTES)
    _label_get(uint32(index), field)
    return finished(room, _LABEL_NBYTES).rstrip(b" ").decode()


def label_hash(text: str, /) -> int:
    if not isinstance(text, str):
        raise TypeError(f"a str is required, not '{type(text).__name__}'")
    raw = str.encode(text)
    if len(raw) > _LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    return _label_hash(raw.ljust(_LABEL_NBYTES))

# SPDX-License-Identifier: Apache-2.0
"""Buffers: bytes in, a writable buffer out, and outputs whose size is not known before the call."""

from _operator import index as as_index

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_buffer = ffi.buffer
_from_buffer = ffi.from_buffer
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_NULL = ffi.NULL
_CHARS = ffi.typeof("char[]")
_TOO_SMALL: int = lib.CS_E_TOO_SMALL
_RUNS_FIRST_NBYTES: int = lib.CS_RUNS_FIRST_NBYTES

_OUT_NBYTES = 4096
"""The size of the memory for a result that is kept for other calls."""

# Out-parameters that no call is using, for the size of a result, and memory for the result with a buffer of it.
_outs: "list[tuple[Any, Any, Any]]" = []


def _out() -> "tuple[Any, Any, Any]":
    """Make what `_outs` keeps."""
    out = _allocate(_CHARS, _OUT_NBYTES)
    return _new("size_t *"), out, _buffer(out)


_bytes_sum: "Callable[[Any, int], int]" = lib.cs_bytes_sum
_buffer_fill = lib.cs_buffer_fill
_blob_get = lib.cs_blob_get
_runs_expand = lib.cs_runs_expand


def bytes_sum(data: "Buffer", /) -> int:
    """Return the sum of all bytes of a buffer, modulo 2**32.

    Raises `TypeError` if ``data`` does not support the buffer protocol; `BufferError` if it is
    not C-contiguous.
    """
    if type(data) is bytes:
        return _bytes_sum(data, len(data))
    view = _from_buffer(data)
    total = _bytes_sum(view, len(view))
    _release(view)
    return total


def buffer_fill(out: "Buffer", value: "SupportsIndex", /) -> None:
    """Set every byte of a writable buffer to ``value``.

    Raises `TypeError` if ``out`` does not support the buffer protocol or ``value`` has no
    ``__index__``; `BufferError` if ``out`` is read-only or not C-contiguous; `OverflowError` if
    ``value`` does not fit ``uint8_t``.
    """
    view = _from_buffer(_CHARS, out, True)  # the keyword require_writable would add a tenth to the call
    try:
        _buffer_fill(view, len(view), as_index(value))
    finally:
        _release(view)


def blob_get(index: "SupportsIndex", /) -> bytes:
    """Return blob number ``index``, which is ``index`` bytes long.

    Byte i of it is (i * 7 + index) modulo 256. One native call asks for the size, a second one
    fetches the bytes.

    Raises `LookupError` if ``index`` is above 1,048,576; `OverflowError` if it does not fit
    ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    try:
        kept = _outs.pop()
    except IndexError:
        kept = _out()
    size, out, view = kept
    number = as_index(index)
    status: int = _blob_get(number, _NULL, size)
    if status:
        _outs.append(kept)
        raise failure(status)
    if size[0] > _OUT_NBYTES:
        out = _allocate(_CHARS, size[0])
        view = _buffer(out)
    status = _blob_get(number, out, size)
    if status:
        raise failure(status)
    blob: bytes = view[: size[0]]
    _outs.append(kept)
    return blob


def runs_expand(data: "Buffer", /) -> bytes:
    """Expand run-length pairs (count, byte) and return the result.

    The first native call has room for 256 bytes; as long as the room does not suffice, it is
    doubled and the call is repeated.

    Raises `StatusError` ``CS_E_DATA`` if ``data`` has an odd number of bytes; `TypeError` if it
    does not support the buffer protocol; `BufferError` if it is not C-contiguous.
    """
    view = data if type(data) is bytes else _from_buffer(data)
    try:
        kept = _outs.pop()
    except IndexError:
        kept = _out()
    size, out, result = kept
    try:
        nbytes = len(view)
        room = _RUNS_FIRST_NBYTES
        status: int = _runs_expand(view, nbytes, out, room, size)
        while status == _TOO_SMALL:
            room *= 2
            if room > _OUT_NBYTES:
                out = _allocate(_CHARS, room)
                result = _buffer(out)
            status = _runs_expand(view, nbytes, out, room, size)
    finally:
        if view is not data:
            _release(view)
    if status:
        _outs.append(kept)
        raise failure(status)
    expanded: bytes = result[: size[0]]
    _outs.append(kept)
    return expanded

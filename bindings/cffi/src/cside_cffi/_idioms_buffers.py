# SPDX-License-Identifier: Apache-2.0
"""Buffers: bytes in, a writable buffer out, and outputs whose size is not known before the call."""

from _operator import index

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_unpack = ffi.unpack
_from_buffer = ffi.from_buffer
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_NULL = ffi.NULL
_CHARS = ffi.typeof("char[]")
_TOO_SMALL: int = lib.CS_E_TOO_SMALL
_RUNS_FIRST_NBYTES: int = lib.CS_RUNS_FIRST_NBYTES

# Out-parameters that no call is using; the first call makes the first one.
_sizes: "list[Any]" = []

_bytes_sum: "Callable[[Any, int], int]" = lib.cs_bytes_sum
_buffer_fill = lib.cs_buffer_fill
_blob_get = lib.cs_blob_get
_runs_expand = lib.cs_runs_expand


def bytes_sum(data: "Buffer", /) -> int:
    """Sum of all bytes modulo 2**32."""
    if type(data) is bytes:
        return _bytes_sum(data, len(data))
    view = _from_buffer(data)
    total = _bytes_sum(view, len(view))
    _release(view)
    return total


def buffer_fill(out: "Buffer", value: "SupportsIndex", /) -> None:
    """Set every byte of a writable buffer to ``value``."""
    view = _from_buffer(out, require_writable=True)
    try:
        _buffer_fill(view, len(view), index(value))
    finally:
        _release(view)


def blob_get(number: "SupportsIndex", /) -> bytes:
    """Blob ``number``: one call asks for its size, a second call reads it."""
    try:
        size = _sizes.pop()
    except IndexError:
        size = _new("size_t *")
    number = index(number)
    status: int = _blob_get(number, _NULL, size)
    if not status:
        out = _allocate(_CHARS, size[0])
        status = _blob_get(number, out, size)
    nbytes = size[0]
    _sizes.append(size)
    if status:
        raise failure(status)
    blob: bytes = _unpack(out, nbytes)
    return blob


def runs_expand(data: "Buffer", /) -> bytes:
    """Expand (count, byte) pairs. The output's capacity is doubled, and the call repeated, until the output fits."""
    view = data if type(data) is bytes else _from_buffer(data)
    try:
        size = _sizes.pop()
    except IndexError:
        size = _new("size_t *")
    try:
        nbytes = len(view)
        room = _RUNS_FIRST_NBYTES
        out = _allocate(_CHARS, room)
        status: int = _runs_expand(view, nbytes, out, room, size)
        while status == _TOO_SMALL:
            room *= 2
            out = _allocate(_CHARS, room)
            status = _runs_expand(view, nbytes, out, room, size)
    finally:
        if view is not data:
            _release(view)
    nbytes = size[0]
    _sizes.append(size)
    if status:
        raise failure(status)
    expanded: bytes = _unpack(out, nbytes)
    return expanded

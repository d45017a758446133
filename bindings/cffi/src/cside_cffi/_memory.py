# SPDX-License-Identifier: Apache-2.0
"""Idioms of memory: byte buffers in and out, outputs of unknown size, strings."""

from __future__ import annotations

from operator import index

from ._core import ffi, lib
from ._failure import failure

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_string = ffi.string
_unpack = ffi.unpack
_from_buffer = ffi.from_buffer
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_encode = str.encode
_NULL: Final = ffi.NULL
_CHARS: Final = ffi.typeof("char[]")
_LABEL: Final = ffi.typeof("char[32]")
_TEXT: Final = ffi.typeof("char **")
_SIZE: Final = ffi.typeof("size_t *")
_U32: Final = ffi.typeof("uint32_t *")
_TOO_SMALL: Final[int] = lib.CS_E_TOO_SMALL
_RUNS_FIRST_NBYTES: Final[int] = lib.CS_RUNS_FIRST_NBYTES
_LABEL_NBYTES: Final[int] = lib.CS_LABEL_NBYTES

# Out-parameters at rest.
_labels: Final = [_new(_LABEL)]
_texts: Final = [_new(_TEXT)]
_sizes: Final = [_new(_SIZE)]

_bytes_sum: Callable[[Any, int], int] = lib.cs_bytes_sum
_buffer_fill = lib.cs_buffer_fill
_blob_get = lib.cs_blob_get
_runs_expand = lib.cs_runs_expand
_string_length: Callable[[bytes], int] = lib.cs_string_length
_string_borrow = lib.cs_string_borrow
_string_repeat = lib.cs_string_repeat
_string_free = lib.cs_string_free
_label_get = lib.cs_label_get
_label_hash: Callable[[bytes], int] = lib.cs_label_hash
_const_text = lib.cs_const_text


def bytes_sum(data: Buffer, /) -> int:
    """Sum of all bytes modulo 2**32."""
    if type(data) is bytes:
        return _bytes_sum(data, len(data))
    view = _from_buffer(data)
    total = _bytes_sum(view, len(view))
    _release(view)
    return total


def buffer_fill(out: Buffer, value: SupportsIndex, /) -> None:
    """Set every byte of a writable buffer."""
    view = _from_buffer(out, require_writable=True)
    try:
        _buffer_fill(view, len(view), index(value))
    finally:
        _release(view)


def blob_get(number: SupportsIndex, /) -> bytes:
    """Blob ``number``, by a size query and a second call."""
    try:
        size = _sizes.pop()
    except IndexError:
        size = _new(_SIZE)
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


def runs_expand(data: Buffer, /) -> bytes:
    """Expand (count, byte) pairs, doubling the room until it suffices."""
    view = data if type(data) is bytes else _from_buffer(data)
    try:
        size = _sizes.pop()
    except IndexError:
        size = _new(_SIZE)
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


def _c_string(text: str) -> bytes:
    """UTF-8 that C may read up to its NUL."""
    encoded = _encode(text)
    if 0 in encoded:
        raise ValueError("embedded null character")
    return encoded


def string_length(text: str, /) -> int:
    """Length in bytes of the UTF-8."""
    encoded = _encode(text)
    if 0 in encoded:
        raise ValueError("embedded null character")
    return _string_length(encoded)


def string_borrow(number: SupportsIndex, /) -> str | None:
    """A text that the library keeps."""
    text = _string_borrow(index(number))
    return _string(text).decode() if text else None


def string_repeat(text: str, times: SupportsIndex, /) -> str:
    """A text that the library allocates, freed here."""
    encoded = _c_string(text)
    try:
        out = _texts.pop()
    except IndexError:
        out = _new(_TEXT)
    status: int = _string_repeat(encoded, index(times), out)
    if status:
        _texts.append(out)
        raise failure(status)
    repeated = out[0]
    _texts.append(out)
    try:
        result: str = _string(repeated).decode()
    finally:
        _string_free(repeated)
    return result


def label_get(number: SupportsIndex, /) -> str:
    """A text of a fixed-width field, without its padding."""
    try:
        label = _labels.pop()
    except IndexError:
        label = _new(_LABEL)
    _label_get(index(number), label)
    padded: bytes = _unpack(label, _LABEL_NBYTES)
    _labels.append(label)
    return padded.rstrip(b" ").decode()


def label_hash(text: str, /) -> int:
    """Hash of the padded field. `ValueError` "label longer than 32 bytes"."""
    encoded = _encode(text)
    if len(encoded) > _LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    return _label_hash(encoded.ljust(_LABEL_NBYTES))


def const_text(name: str, /) -> str | None:
    """What the library itself says a constant is."""
    text = _const_text(_c_string(name))
    return _string(text).decode() if text else None

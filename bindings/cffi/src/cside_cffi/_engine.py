# SPDX-License-Identifier: Apache-2.0
"""What one-shot calls and streams of ``codec`` share: buffers lent to C, output that grows, the engine's errors."""

from __future__ import annotations

import sys
from operator import index

from ._core import ffi, lib
from ._mode import deflate as _deflate
from ._mode import inflate as _inflate

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_unpack = ffi.unpack
_string = ffi.string
_buffer = ffi.buffer
_from_buffer = ffi.from_buffer
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_error_text = lib.cs_codec_error_text
_CHARS: Final = ffi.typeof("char[]")
_INT: Final = ffi.typeof("int32_t *")
_FIRST_NBYTES: Final[int] = lib.CS_OUT_FIRST_NBYTES
_BUFFER: Final[int] = lib.CS_E_BUFFER
_NEED_DICT: Final[int] = lib.CS_NEED_DICT
_TEXT_NBYTES: Final = 512

NO_LIMIT: Final = sys.maxsize

# Output blocks of the first size, at rest: allocating one costs more than a small call.
_blocks: Final = [_allocate(_CHARS, _FIRST_NBYTES)]


class error(Exception):
    """A failure of the engine."""


def explain(status: int, doing: bytes, message: Any = ffi.NULL) -> Exception:
    """The engine's error, in zlib's words."""
    text = _new(_CHARS, _TEXT_NBYTES)
    _error_text(status, doing, message, text, _TEXT_NBYTES)
    return error(_string(text).decode("utf-8", "replace"))


def lend(data: Buffer) -> Any:
    """A pointer to the memory of ``data``, which is locked until it is released; ``len()`` is its size in bytes."""
    try:
        return _from_buffer(data)
    except TypeError:
        raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'") from None


def c_int(value: SupportsIndex) -> int:
    """An ``int32_t``, for the way to an exception."""
    number: int = _new(_INT, index(value))[0]
    return number


def c_ssize(value: SupportsIndex) -> int:
    """A size that Python can have."""
    number = index(value)
    if -NO_LIMIT <= number <= NO_LIMIT:
        return number
    raise OverflowError("Python int too large to convert to C ssize_t")


def deflate_all(stream: Any, view: Any, flush: int) -> tuple[int, bytes]:
    """Call until the room is not used up; the last status, and the output."""
    try:
        out = _blocks.pop()
    except IndexError:
        out = _allocate(_CHARS, _FIRST_NBYTES)
    end = len(view)
    status: int = _deflate(stream, view, 0, end, out, _FIRST_NBYTES, flush)
    left: int = stream.avail_out
    if left or status:
        result: bytes = _unpack(out, _FIRST_NBYTES - left)
    else:
        parts = [_buffer(out)]
        total = _FIRST_NBYTES
        while not (left or status):
            piece = _allocate(_CHARS, total)
            status = _deflate(stream, view, end - stream.avail_in, end, piece, total, flush)
            left = stream.avail_out
            parts.append(_buffer(piece, total - left))
            total += total
        result = b"".join(parts)
    _blocks.append(out)
    return status, result


def inflate_all(
    stream: Any, view: Any, flush: int, room: int, limit: int, need_dictionary: Callable[[], None] | None
) -> tuple[int, bytes]:
    """Call until the room is not used up, the stream ends or fails, or ``limit`` bytes came; likewise."""
    pooled = room <= _FIRST_NBYTES
    if pooled:
        try:
            block = _blocks.pop()
        except IndexError:
            block = _allocate(_CHARS, _FIRST_NBYTES)
    else:
        block = _allocate(_CHARS, room)
    out = block
    parts = []
    begin = total = 0
    end = len(view)
    while True:
        status: int = _inflate(stream, view, begin, end, out, room, flush)
        left: int = stream.avail_out
        if status == _NEED_DICT and need_dictionary is not None:
            # It is needed before the first byte of output, so the room is still whole.
            need_dictionary()
            begin = end - stream.avail_in
            continue
        if left or (status and status != _BUFFER):
            break
        total += room
        if total == limit:
            break
        begin = end - stream.avail_in
        parts.append(_buffer(out, room))
        room = min(total, limit - total)
        out = _allocate(_CHARS, room)
    if parts:
        parts.append(_buffer(out, room - left))
        result = b"".join(parts)
    else:
        result = _unpack(out, room - left)
    if pooled:
        _blocks.append(block)
    return status, result

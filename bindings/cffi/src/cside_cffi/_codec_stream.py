# SPDX-License-Identifier: Apache-2.0
"""The shared part of `codec`: buffers lent to C, one step of a ``cs_stream``, output that grows, the codec's errors."""

import sys
from _operator import index

from . import _API_MODE
from ._core import ffi, lib

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any, NoReturn, Self, SupportsIndex

    from typing_extensions import Buffer

_new = ffi.new
_unpack = ffi.unpack
_string = ffi.string
_buffer = ffi.buffer
_from_buffer = ffi.from_buffer
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_error_text = lib.cs_codec_error_text
_CHARS = ffi.typeof("char[]")
_INT = ffi.typeof("int32_t *")
_FIRST_NBYTES: int = lib.CS_OUT_FIRST_NBYTES
_BUFFER: int = lib.CS_E_BUFFER
_NEED_DICT: int = lib.CS_NEED_DICT
_TEXT_NBYTES = 512

NO_LIMIT = sys.maxsize

blocks = [_allocate(_CHARS, _FIRST_NBYTES)]
"""Output blocks of the first size that no call is using: allocating one costs more than a small call."""

STEPS_TAKE_BYTES: bool = _API_MODE
"""Whether `deflate` and `inflate` take a ``bytes`` object itself; if not, they need a pointer (see `lend`)."""

if _API_MODE:
    # step(stream, data, begin, end, out, room, flush): set the stream's input to data[begin:end] and its output to
    # `room` bytes of `out`, and call cs_deflate or cs_inflate once. The shim does it in one crossing from Python to C.
    deflate = lib.shim_deflate
    inflate = lib.shim_inflate
else:
    _deflate = lib.cs_deflate
    _inflate = lib.cs_inflate

    def deflate(stream: "Any", data: "Any", begin: int, end: int, out: "Any", room: int, flush: int) -> int:
        """Set the input to ``data[begin:end]``, the output to ``room`` bytes of ``out``; call ``cs_deflate`` once."""
        stream.next_in = data + begin
        stream.avail_in = end - begin
        stream.next_out = out
        stream.avail_out = room
        status: int = _deflate(stream, flush)
        return status

    def inflate(stream: "Any", data: "Any", begin: int, end: int, out: "Any", room: int, flush: int) -> int:
        """The same for ``cs_inflate``."""
        stream.next_in = data + begin
        stream.avail_in = end - begin
        stream.next_out = out
        stream.avail_out = room
        status: int = _inflate(stream, flush)
        return status


class error(Exception):
    """The exception for a failure of the engine, a class named ``error``."""


def explain(status: int, doing: bytes, message: "Any" = ffi.NULL) -> Exception:
    """Return the `error` for ``status``, with the text that the standard library's `zlib` gives."""
    text = _new(_CHARS, _TEXT_NBYTES)
    _error_text(status, doing, message, text, _TEXT_NBYTES)
    return error(_string(text).decode("utf-8", "replace"))


def lend(data: "Buffer") -> "Any":
    """Return a pointer to the memory of ``data``, which is locked until ``ffi.release``. ``len()`` gives its bytes."""
    try:
        return _from_buffer(data)
    except TypeError:
        raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'") from None


def c_int(value: "SupportsIndex") -> int:
    """Return an ``int32_t``. It is called only after a call has failed, to find the exception."""
    number: int = _new(_INT, index(value))[0]
    return number


def c_ssize(value: "SupportsIndex") -> int:
    """Return a size that Python objects can have."""
    number = index(value)
    if -NO_LIMIT <= number <= NO_LIMIT:
        return number
    raise OverflowError("Python int too large to convert to C ssize_t")


def inflate_all(
    stream: "Any",
    view: "Any",
    begin: int,
    flush: int,
    room: int,
    limit: int,
    need_dictionary: "Callable[[], None] | None",
) -> tuple[int, bytes]:
    """Decompress until a step leaves some output room unused, the stream ends or fails, or ``limit`` bytes came.

    The input is ``view[begin:]``; the stream's ``avail_in`` says how much of it is left. ``room`` is the capacity of
    the first output block. Returns the last status and the output.
    """
    pooled = room <= _FIRST_NBYTES
    if pooled:
        try:
            block = blocks.pop()
        except IndexError:
            block = _allocate(_CHARS, _FIRST_NBYTES)
    else:
        block = _allocate(_CHARS, room)
    out = block
    parts = []
    total = 0
    end = len(view)
    while True:
        status: int = inflate(stream, view, begin, end, out, room, flush)
        left: int = stream.avail_out
        if status == _NEED_DICT and need_dictionary is not None:
            # It is needed before the first byte of output, so the output block is still empty.
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
        blocks.append(block)
    return status, result


class Stream:
    """Base of `Compress` and `Decompress`: users cannot create it directly or pickle it."""

    __slots__ = ("_lock", "_stream")
    _lock: "LockType"
    _stream: "Any"

    def __new__(cls, *args: object, **kwargs: object) -> "Self":
        raise TypeError(f"cannot create '{cls.__module__}.{cls.__qualname__}' instances")

    def __reduce_ex__(self, protocol: object) -> "NoReturn":
        raise TypeError(f"cannot pickle '{type(self).__qualname__}' object")

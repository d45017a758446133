# SPDX-License-Identifier: Apache-2.0
"""``cs_stream``, and the loop that gives it output buffers until it needs no more.

The one-shot functions and the stream objects both run their streams with ``run_stream``.
"""

from __future__ import annotations

import sys
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    addressof,
    c_char,
    c_char_p,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

from cside_ctypes._idioms_errors import E_BUFFER
from cside_ctypes._native import PYPY, SmallInt, finished, fresh_at, held, part, released

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = [
    "FLUSH_FINISH",
    "FLUSH_NONE",
    "FLUSH_SYNC",
    "OUT_FIRST_NBYTES",
    "UNLIMITED",
    "Progress",
    "Stream",
    "add_memory_pressure",
    "deflate",
    "deflate_end",
    "deflate_init",
    "error",
    "failure",
    "inflate",
    "inflate_end",
    "inflate_init",
    "run_stream",
]

FLUSH_NONE = 0
FLUSH_SYNC = 2
FLUSH_FINISH = 4
OUT_FIRST_NBYTES = 16384
UNLIMITED = sys.maxsize

add_memory_pressure: Callable[[int], object] | None = None
"""Tells PyPy's garbage collector how much native memory a stream owns; None on CPython.

The collector sees only the small Python object, and would let thousands of dead streams keep their memory.
"""
if PYPY:
    import __pypy__  # type: ignore[import-not-found]

    add_memory_pressure = __pypy__.add_memory_pressure

_ERROR_TEXT_NBYTES = 320  # the library cuts the engine's message after 200


class error(Exception):
    """The exception for a failure of the engine, a class named ``error``."""

    __module__ = "cside_ctypes.codec"


Progress = CFUNCTYPE(c_int32, c_void_p, c_uint64, c_uint64)
"""``cs_progress_fn``. It is called while the GIL is released; the thunk takes it."""


class Stream(Structure):
    """``cs_stream``. All fields are zero before it is initialised. Pointers to data are plain numbers."""

    __slots__ = ()
    _fields_ = [
        ("next_in", c_void_p),
        ("avail_in", c_size_t),
        ("total_in", c_uint64),
        ("next_out", c_void_p),
        ("avail_out", c_size_t),
        ("total_out", c_uint64),
        ("message", c_char_p),
        ("checksum", c_uint32),
        ("alloc", c_void_p),
        ("free", c_void_p),
        ("alloc_user", c_void_p),
        ("progress", Progress),
        ("progress_user", c_void_p),
        ("engine", c_void_p),
    ]

    if TYPE_CHECKING:
        message: bytes | None
        engine: int | None


_int = SmallInt(c_int32)
_stream = POINTER(Stream)

deflate_init = held("cs_deflate_init", c_int32, _stream, _int, _int, _int, _int, _int)
deflate = released("cs_deflate", c_int32, _stream, _int)
deflate_end = held("cs_deflate_end", c_int32, _stream)
inflate_init = held("cs_inflate_init", c_int32, _stream, _int)
inflate = released("cs_inflate", c_int32, _stream, _int)
inflate_end = held("cs_inflate_end", c_int32, _stream)
_error_text = held("cs_codec_error_text", None, _int, c_char_p, c_char_p, c_void_p, c_size_t)


def failure(status: int, doing: bytes, message: bytes | None = None, /) -> error:
    """Make the exception for a status, with the text that ``zlib`` gives it."""
    out = (c_char * _ERROR_TEXT_NBYTES)()
    _error_text(status, doing, message, out, _ERROR_TEXT_NBYTES)
    return error(out.value.decode("utf-8", "replace"))


def _first_room() -> tuple[Any, Any]:
    if PYPY:
        return fresh_at(OUT_FIRST_NBYTES)
    room = (c_char * OUT_FIRST_NBYTES)()
    return addressof(room), room


_idle: list[tuple[Any, Any]] = []
"""Output buffers that are not in use. Nearly every operation needs one of this size and no other."""


def run_stream(
    stream: Stream, step: Callable[[Stream, int], int], flush: int, first: int, limit: int, /
) -> tuple[int, bytes]:
    """Call ``step(stream, flush)`` until it leaves output space unused, reaches the limit, or returns a final status.

    Returns the last status and all output, at most `limit` bytes. The first call has space for `first` bytes, each
    further one for as many as all calls before it together.
    """
    nbytes = first if first < limit else limit
    if nbytes <= OUT_FIRST_NBYTES:
        try:
            kept = _idle.pop()
        except IndexError:
            kept = _first_room()
        stream.next_out = kept[0]
        stream.avail_out = nbytes
        status = step(stream, flush)
        left = stream.avail_out
        out = finished(kept[1], nbytes - left)
        _idle.append(kept)
    else:
        stream.next_out, room = fresh_at(nbytes)
        stream.avail_out = nbytes
        status = step(stream, flush)
        left = stream.avail_out
        out = finished(room, nbytes - left)
    if left or nbytes >= limit or (status != 0 and status != E_BUFFER):
        return status, out

    parts: list[Any] = [out]
    total = nbytes
    while True:
        nbytes = total if total <= limit - total else limit - total
        stream.next_out, room = fresh_at(nbytes)
        stream.avail_out = nbytes
        status = step(stream, flush)
        left = stream.avail_out
        parts.append(part(room, nbytes - left))
        total += nbytes
        if left or total >= limit or (status != 0 and status != E_BUFFER):
            return status, b"".join(parts)

# SPDX-License-Identifier: Apache-2.0
"""Buffers and memory for results on PyPy: the functions of ``_native`` that CPython does another way."""

import ctypes
from ctypes import addressof, c_char

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Buffer

    Held = tuple[Any, int, Any]

__all__ = ["addressed", "finished", "fresh", "fresh_at", "part", "reading", "release", "writing"]

# PyPy's own from_buffer() calls _pypy_raw_address() too, but it also makes a second view, which only the garbage
# collector releases. Until then a bytearray could not be resized after a call.


def reading(data: "Buffer", /) -> "Held":
    """Hold a buffer to be read."""
    view: Any = memoryview(data)
    if not view.c_contiguous:
        raise BufferError("buffer is not C-contiguous")
    nbytes = view.nbytes
    return view._pypy_raw_address() if nbytes else None, nbytes, view


addressed = reading


def writing(out: "Buffer", /) -> "Held":
    """Hold a buffer to be written."""
    view: Any = memoryview(out)
    if view.readonly:
        raise BufferError("buffer is not writable")
    if not view.c_contiguous:
        raise BufferError("buffer is not C-contiguous")
    nbytes = view.nbytes
    return view._pypy_raw_address() if nbytes else None, nbytes, view


def release(hold: "Any", /) -> None:
    """Release the view that ``reading`` or ``writing`` made, without waiting for the garbage collector."""
    hold.release()


_ARRAY_MIN_NBYTES = 1024
_ARRAY_MAX_NBYTES = 1 << 24
_BYTEARRAY_MAX_NBYTES = 1 << 48  # no machine has as much, but bytearray(sys.maxsize) succeeds: its size overflows
_room_types: "dict[int, Any]" = {}


def fresh(nbytes: int, /) -> "tuple[Any, Any]":
    """Allocate memory for a result: its pointer, and the object that ``finished`` takes.

    A small result gets a bytearray, which is fastest. A larger one gets a ctypes array, whose size is rounded up to
    one of eight per power of two, because making an array type takes longer than using one. A very large one gets a
    bytearray again: PyPy raises MemoryError for a bytearray, but aborts the process if it cannot allocate an array.
    """
    if not _ARRAY_MIN_NBYTES <= nbytes <= _ARRAY_MAX_NBYTES:
        if nbytes > _BYTEARRAY_MAX_NBYTES:
            raise MemoryError
        view: Any = memoryview(bytearray(nbytes))
        return view._pypy_raw_address() if nbytes else None, view
    step = nbytes.bit_length() - 4
    size = (nbytes >> step) + 1 << step
    kind = _room_types.get(size)
    if kind is None:
        kind = _room_types[size] = c_char * size
    room = kind()
    return addressof(room), room


fresh_at = fresh


def finished(room: "Any", nbytes: int, /) -> bytes:
    """The first `nbytes` of the memory, as bytes."""
    if type(room) is memoryview:
        return bytes(room[:nbytes])
    return ctypes.string_at(addressof(room), nbytes)


part = finished

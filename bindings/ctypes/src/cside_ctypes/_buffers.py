# SPDX-License-Identifier: Apache-2.0
"""Buffers across the border, without a copy on the way in.

``reading``, ``addressed`` and ``writing`` give ``(pointer, nbytes, hold)``. `pointer` is what a ``c_void_p`` argument
takes: the bytes object itself (from ``reading`` alone), an address, or ``None``. `hold` keeps the memory in place, and
goes to ``release`` after the call. ``fresh`` and ``fresh_at`` give room for a result, of which ``finished`` and
``part`` make bytes.

On CPython, ctypes passes bytes by their own address, and ``from_buffer`` finds that of a bytearray; for anything else
``PyObject_GetBuffer`` is called through ctypes, as a C extension would call it. PyPy tells the address of every buffer,
which saves the copy that its ``c_char_p`` makes of bytes.
"""

from __future__ import annotations

import ctypes
from ctypes import addressof, c_char

from cside_ctypes._library import PYPY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Buffer

    Held = tuple[Any, int, Any]

__all__ = ["addressed", "encoded", "finished", "fresh", "fresh_at", "part", "reading", "release", "writing"]


def encoded(text: str, /) -> bytes:
    """UTF-8 of `text` for a ``const char *``, which would end at an embedded NUL."""
    if not isinstance(text, str):
        raise TypeError(f"a str is required, not '{type(text).__name__}'")
    raw = str.encode(text)
    if 0 in raw:
        raise ValueError("embedded null character")
    return raw


if PYPY:
    # _pypy_raw_address() is what PyPy's own from_buffer() asks. That one also makes a second view, which only the
    # garbage collector would release: until then no bytearray could be resized after a call.

    def reading(data: Buffer, /) -> Held:
        """Hold a buffer to be read."""
        view: Any = memoryview(data)
        if not view.c_contiguous:
            raise BufferError("buffer is not C-contiguous")
        nbytes = view.nbytes
        return view._pypy_raw_address() if nbytes else None, nbytes, view

    addressed = reading

    def writing(out: Buffer, /) -> Held:
        """Hold a buffer to be written."""
        view: Any = memoryview(out)
        if view.readonly:
            raise BufferError("buffer is not writable")
        if not view.c_contiguous:
            raise BufferError("buffer is not C-contiguous")
        nbytes = view.nbytes
        return view._pypy_raw_address() if nbytes else None, nbytes, view

    def release(hold: Any, /) -> None:
        """End what ``reading`` and ``writing`` began, without waiting for the collector."""
        hold.release()

    _ARRAY_MIN_NBYTES = 1024
    _ARRAY_MAX_NBYTES = 1 << 24
    _BYTEARRAY_MAX_NBYTES = 1 << 48  # no machine has as much; bytearray(sys.maxsize) wraps around and succeeds
    _room_types: dict[int, Any] = {}

    def fresh(nbytes: int, /) -> tuple[Any, Any]:
        """Room for a result: its pointer, and what ``finished`` takes.

        Little room is a bytearray, which is quickest. More is an array of the next of sixteen sizes per power of two,
        since a type takes longer to make than to use. Where memory may be wanting it is a bytearray again, because an
        array that does not get its memory brings the process down.
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

    def finished(room: Any, nbytes: int, /) -> bytes:
        """The first `nbytes` of the room."""
        if type(room) is memoryview:
            return bytes(room[:nbytes])
        return ctypes.string_at(addressof(room), nbytes)

    part = finished

else:

    class _Address(ctypes.Union):
        """Tells the address of a bytes object: written as a string, read as a number."""

        __slots__ = ()
        _fields_ = [("text", ctypes.c_char_p), ("number", ctypes.c_void_p)]

    _cell_of = c_char.from_buffer
    """The first byte of a writable buffer: it locks the buffer while it lives, and one type serves every length."""

    class Py_buffer(ctypes.Structure):
        """``Py_buffer`` of CPython's stable ABI."""

        __slots__ = ()
        _fields_ = [
            ("buf", ctypes.c_void_p),
            ("obj", ctypes.c_void_p),
            ("len", ctypes.c_ssize_t),
            ("itemsize", ctypes.c_ssize_t),
            ("readonly", ctypes.c_int),
            ("ndim", ctypes.c_int),
            ("format", ctypes.c_void_p),
            ("shape", ctypes.c_void_p),
            ("strides", ctypes.c_void_p),
            ("suboffsets", ctypes.c_void_p),
            ("internal", ctypes.c_void_p),
        ]

    # Objects of our own, so that the prototypes on ctypes.pythonapi, which everybody shares, stay as they were.
    _get_buffer = ctypes.pythonapi["PyObject_GetBuffer"]
    _get_buffer.argtypes = (ctypes.py_object, ctypes.POINTER(Py_buffer), ctypes.c_int)
    _release_buffer = ctypes.pythonapi["PyBuffer_Release"]
    _release_buffer.argtypes = (ctypes.POINTER(Py_buffer),)
    _release_buffer.restype = None

    _SIMPLE = 0  # PyBUF_SIMPLE: contiguous, as bytes
    _WRITABLE = 1  # PyBUF_WRITABLE

    def reading(data: Buffer, /) -> Held:
        """Hold a buffer to be read."""
        kind = type(data)
        if kind is bytes:
            return data, len(data), None  # type: ignore[arg-type]
        if kind is bytearray:
            try:
                cell = _cell_of(data)
                return addressof(cell), len(data), cell  # type: ignore[arg-type]
            except ValueError:
                pass  # it is empty
        view = Py_buffer()
        _get_buffer(data, view, _SIMPLE)
        return view.buf, view.len, view

    def addressed(data: Buffer, /) -> Held:
        """Hold a buffer to be read through a field of a struct, which takes nothing but a number."""
        if type(data) is bytes:
            address = _Address(data)
            return address.number, len(data), address
        return reading(data)

    def writing(out: Buffer, /) -> Held:
        """Hold a buffer to be written."""
        if type(out) is bytearray:
            try:
                cell = _cell_of(out)
                return addressof(cell), len(out), cell
            except ValueError:
                pass  # it is empty
        view = Py_buffer()
        _get_buffer(out, view, _WRITABLE)
        return view.buf, view.len, view

    def release(hold: Any, /) -> None:
        """End what ``reading`` and ``writing`` began. A cell needs nothing: it ends with its last reference."""
        if type(hold) is Py_buffer:
            _release_buffer(hold)

    def fresh(nbytes: int, /) -> tuple[Any, Any]:
        """Room for a result: its pointer, and what ``finished`` takes.

        It is a bytes object that nobody else has seen: filling it is what C code does after
        ``PyBytes_FromStringAndSize(NULL, n)``, and saves the copy.
        """
        try:
            room = bytes(nbytes)
        except OverflowError:
            raise MemoryError from None
        return room, room

    def fresh_at(nbytes: int, /) -> tuple[Any, Any]:
        """The same by address, for a field of a struct."""
        room = fresh(nbytes)[1]
        return _Address(room).number, room

    def finished(room: Any, nbytes: int, /) -> bytes:
        """The first `nbytes` of the room; the room itself, if that is all of it."""
        out: bytes = room[:nbytes]
        return out

    def part(room: Any, nbytes: int, /) -> Any:
        """The same to be joined with others, and so without a copy."""
        return room if nbytes == len(room) else memoryview(room)[:nbytes]

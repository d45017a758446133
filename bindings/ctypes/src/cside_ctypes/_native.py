# SPDX-License-Identifier: Apache-2.0
"""What every call of the library needs: its handles, prototypes, conversions of numbers and texts, and memory.

**Handles.** A ctypes handle decides what happens around a call. ``PyDLL`` holds the GIL, ``CDLL`` releases it, and
``use_errno`` saves errno before other code can change it. The library is opened once for each of these, and every
function is taken from the handle that calls it as it needs to be called. The dynamic loader maps the file only once.

**Numbers.** ctypes does not check the range of an integer: it silently drops the high bits. So every function converts
an integer argument with ``operator.index`` first, and then checks the range of the result. The result is an exact int,
whatever the argument was: its comparisons and shifts are those of int, and not those of the caller's class. The
functions here do both and raise the exceptions that the contract promises. The functions that are called most do the
same in line, which saves a call.

**Buffers.** ``reading``, ``addressed`` and ``writing`` return ``(pointer, nbytes, hold)``. `pointer` is what a
``c_void_p`` argument takes: an address, None, or, from ``reading`` alone, the bytes object itself. `hold` keeps the
memory at its address until it is passed to ``release`` after the call. ``fresh`` and ``fresh_at`` allocate memory for a
result, from which ``finished`` and ``part`` make bytes.

On CPython, ctypes passes a bytes object as its address, and ``from_buffer`` finds the address of a bytearray. For any
other object ``PyObject_GetBuffer`` is called through ctypes, as a C extension would call it. PyPy tells the address of
every buffer, which avoids the copy that its ``c_char_p`` makes of bytes.

All of this is one file, and modules that ``cside_ctypes.idioms`` imports quote their annotations instead of importing
``__future__``, because each file takes about a hundredth of the time of that import.
"""

import ctypes
import os
import sys
from _operator import index  # importing `operator` would take a twentieth of the time of this package's import
from ctypes import addressof, c_char

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, SupportsFloat, SupportsIndex, TypeVar, overload

    from typing_extensions import Buffer

    Held = tuple[Any, int, Any]

__all__ = [
    "CHOOSES_GIL",
    "INT64_MAX",
    "INT64_MIN",
    "MASK",
    "PYPY",
    "Block",
    "SmallInt",
    "addressed",
    "block",
    "cell",
    "done",
    "encoded",
    "errno_saved",
    "finished",
    "fresh",
    "fresh_at",
    "held",
    "held_function_type",
    "holding",
    "int8",
    "int16",
    "int32",
    "int64",
    "not_begun",
    "number",
    "part",
    "reading",
    "ready",
    "reference",
    "release",
    "released",
    "releasing",
    "size",
    "ssize",
    "too_large",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "writing",
]

PYPY = sys.implementation.name == "pypy"

CHOOSES_GIL = hasattr(ctypes, "PyDLL")
"""Whether a call can hold the GIL. PyPy's ctypes always releases it."""

_HoldingDLL: "type[ctypes.CDLL]" = getattr(ctypes, "PyDLL", ctypes.CDLL)

# The library is beside this package, where the compiled bindings find it by their run path. cside_native knows the path
# too, but it imports `pathlib` and `json`, which takes longer than everything else here together.
_PATH = os.path.join(os.path.dirname(os.path.dirname(__file__)), "cside_native", "lib", "libcside")
_PATH += ".dylib" if sys.platform == "darwin" else ".so"
try:
    holding = _HoldingDLL(_PATH)
except OSError:
    import cside_native

    _PATH = os.fspath(cside_native.library())
    holding = _HoldingDLL(_PATH)
releasing = ctypes.CDLL(_PATH)
_saving_errno = _HoldingDLL(_PATH, use_errno=True)

held_function_type: "Any" = getattr(ctypes, "PYFUNCTYPE", ctypes.CFUNCTYPE)
"""Makes the type of a function pointer. Calls through it hold the GIL where that can be chosen."""


class _Index:
    """An argument type for integers of at most 32 bits whose range was checked before.

    ctypes accepts any object with ``from_param`` as an argument type. The ``from_param`` of ``c_int32`` and its like
    allocates an object per argument and drops high bits. ``operator.index`` does neither, and is enough for an int: by
    default ctypes passes an int as a C int, to which C promotes narrower integers. PyPy's JIT compiles calls only for
    the real types, so PyPy gets those.
    """

    from_param = index


def SmallInt(real: "type[Any]", /) -> "Any":
    """The argument type to use for the C integer type `real`, of at most 32 bits."""
    return real if PYPY else _Index


def _prototype(handle: ctypes.CDLL, name: str, restype: "Any", argtypes: "tuple[Any, ...]") -> "Any":
    function = handle[name]
    function.restype = restype
    function.argtypes = argtypes
    return function


if TYPE_CHECKING:
    # The type checker finds the type of a function's result by its restype.
    T = TypeVar("T")
    S = TypeVar("S", bound=ctypes.Structure)

    class Prototyper(Protocol):
        @overload
        def __call__(self, name: str, restype: type[ctypes.c_char_p], *argtypes: Any) -> Callable[..., Any]: ...
        @overload
        def __call__(self, name: str, restype: None, *argtypes: Any) -> Callable[..., None]: ...
        @overload
        def __call__(self, name: str, restype: type[ctypes._SimpleCData[T]], *argtypes: Any) -> Callable[..., T]: ...
        @overload
        def __call__(self, name: str, restype: type[S], *argtypes: Any) -> Callable[..., S]: ...
        @overload
        def __call__(self, name: str, restype: type[ctypes._Pointer[S]], *argtypes: Any) -> Callable[..., Any]: ...


def _held(name: str, restype: "Any", *argtypes: "Any") -> "Any":
    return _prototype(holding, name, restype, argtypes)


def _released(name: str, restype: "Any", *argtypes: "Any") -> "Any":
    return _prototype(releasing, name, restype, argtypes)


def _errno_saved(name: str, restype: "Any", *argtypes: "Any") -> "Any":
    return _prototype(_saving_errno, name, restype, argtypes)


def _ready(name: str, restype: "Any", *argtypes: "Any") -> "Any":
    if PYPY:
        return _held(name, restype, *argtypes)
    function = holding[name]
    function.restype = restype
    return function


held: "Prototyper" = _held
"""Declare a short function. Calls hold the GIL where that can be chosen."""

ready: "Prototyper" = _ready
"""Declare a short function whose callers make each argument ready.

Ready are exact ints that fit an int or unsigned int of C, bytes, None, ctypes objects, ``reference(x)``,
``Block.pointer`` and what the ``from_param`` of a type returns. On CPython the function has no ``argtypes``, so that
ctypes does not convert them again.
"""

released: "Prototyper" = _released
"""Declare a long function. Calls release the GIL."""

errno_saved: "Prototyper" = _errno_saved
"""Declare a short function that reports by errno. `ctypes.get_errno` returns the errno of the last call."""

MASK = 0xFFFF_FFFF
"""Makes an unsigned number of a negative one. C gets the same bits.

CPython's ctypes converts an int to unsigned first. For a negative one it raises an exception, clears it and converts
again, which takes half as long as a whole call.
"""

INT64_MIN = -0x8000_0000_0000_0000
INT64_MAX = 0x7FFF_FFFF_FFFF_FFFF
_SSIZE_MAX = sys.maxsize
_SIZE_MAX = 2 * sys.maxsize + 1


def not_begun() -> RecursionError:
    """The exception for a callback whose own was lost: ctypes prints one that is raised before its first line."""
    return RecursionError("a callback failed before its first line: the stack is full or a signal came")


def too_large(kind: str, /) -> OverflowError:
    """The exception for an integer that does not fit the C type `kind`."""
    # It never contains the value: printing a large integer is slow, and beyond sys.get_int_max_str_digits() it fails.
    return OverflowError(f"int too large to convert to {kind}")


def int8(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not -0x80 <= value <= 0x7F:
        raise too_large("int8_t")
    return value


def uint8(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFF:
        raise too_large("uint8_t")
    return value


def int16(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not -0x8000 <= value <= 0x7FFF:
        raise too_large("int16_t")
    return value


def uint16(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFFFF:
        raise too_large("uint16_t")
    return value


def int32(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not -0x8000_0000 <= value <= 0x7FFF_FFFF:
        raise too_large("int32_t")
    return value


def uint32(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFFFF_FFFF:
        raise too_large("uint32_t")
    return value


def int64(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not INT64_MIN <= value <= INT64_MAX:
        raise too_large("int64_t")
    return value


def uint64(value: "SupportsIndex", /) -> int:
    value = index(value)
    if not 0 <= value <= 0xFFFF_FFFF_FFFF_FFFF:
        raise too_large("uint64_t")
    return value


def size(value: "SupportsIndex", /) -> int:
    """Convert to a ``size_t`` of this machine."""
    value = index(value)
    if not 0 <= value <= _SIZE_MAX:
        raise too_large("size_t")
    return value


def ssize(value: "SupportsIndex", /) -> int:
    """Convert to a ``Py_ssize_t``, the type of lengths in CPython's own functions."""
    value = index(value)
    if not ~_SSIZE_MAX <= value <= _SSIZE_MAX:
        raise too_large("ssize_t")
    return value


def number(value: "SupportsFloat | SupportsIndex", /) -> float:
    """Convert to a float as ``float()`` does, but refuse text."""
    kind = type(value)
    if not hasattr(kind, "__float__") and not hasattr(kind, "__index__"):
        raise TypeError(f"must be real number, not {kind.__name__}")
    return float(value)


def encoded(text: str, /) -> bytes:
    """Encode `text` in UTF-8 for a ``const char *``. Refuse an embedded NUL, where C would end the text."""
    if not isinstance(text, str):
        raise TypeError(f"a str is required, not '{type(text).__name__}'")
    raw = str.encode(text)
    if 0 in raw:
        raise ValueError("embedded null character")
    return raw


reference: "Callable[[Any], Any]" = addressof if PYPY else ctypes.byref
"""Make a pointer to a ctypes object, as an argument of a ``ready`` function; on PyPy it is the address."""


def cell(kind: "type[Any]", /) -> "tuple[Any, Any]":
    """Make an out-parameter: the ctypes object, and the pointer to it.

    Each is kept in a list for further calls, because making both takes longer than some calls. A call removes one from
    the list and puts it back after it has read the result. So other threads, and signal handlers and finalizers that
    run between the native call and the reading, use other objects.
    """
    made = kind()
    return made, reference(made)


class Block:
    """Memory at a fixed address, in which `struct` writes and reads whole arrays and structs."""

    __slots__ = ("address", "pointer", "room", "view")

    def __init__(self, nbytes: int, /) -> None:
        try:
            self.room = bytearray(nbytes)
        except OverflowError:
            raise MemoryError from None
        self.view = memoryview(self.room)
        self.pointer: Any
        self.address: int
        if PYPY:
            view: Any = self.view
            self.address = self.pointer = view._pypy_raw_address()
        else:
            first = c_char.from_buffer(self.room)
            self.address = addressof(first)
            self.pointer = ctypes.byref(first)


_BLOCK_NBYTES = 4096
_idle_blocks: "list[Block]" = []


def block(nbytes: int, /) -> Block:
    """Take a kept block, or make a larger one. After the call, ``done`` keeps it for another call."""
    if nbytes > _BLOCK_NBYTES:
        if PYPY and nbytes >> 48:
            raise MemoryError  # the size of PyPy's bytearray would overflow, and it would succeed
        return Block(nbytes)
    try:
        return _idle_blocks.pop()
    except IndexError:
        return Block(_BLOCK_NBYTES)


def done(used: Block, /) -> None:
    """Keep a block for another call, unless it is larger than the kept ones."""
    if len(used.room) == _BLOCK_NBYTES:
        _idle_blocks.append(used)


if PYPY:
    from cside_ctypes._native_pypy import (
        addressed,
        finished,
        fresh,
        fresh_at,
        part,
        reading,
        release,
        writing,
    )

else:

    class _Address(ctypes.Union):
        """Gives the address of a bytes object, which is written as a string and read as a number."""

        __slots__ = ()
        _fields_ = [("text", ctypes.c_char_p), ("number", ctypes.c_void_p)]

    _cell_of = c_char.from_buffer
    """Make a ctypes object of the first byte of a writable buffer.

    The object keeps the buffer from being resized while it exists. One type serves buffers of every length.
    """

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

    # Indexing makes new function objects. The attributes of ctypes.pythonapi are shared with every other user of
    # ctypes, so their prototypes must not be changed.
    _get_buffer = ctypes.pythonapi["PyObject_GetBuffer"]
    _get_buffer.argtypes = (ctypes.py_object, ctypes.POINTER(Py_buffer), ctypes.c_int)
    _release_buffer = ctypes.pythonapi["PyBuffer_Release"]
    _release_buffer.argtypes = (ctypes.POINTER(Py_buffer),)
    _release_buffer.restype = None

    _SIMPLE = 0  # PyBUF_SIMPLE: contiguous, as bytes
    _WRITABLE = 1  # PyBUF_WRITABLE

    def reading(data: "Buffer", /) -> "Held":
        """Hold a buffer to be read."""
        kind = type(data)
        if kind is bytes:
            return data, len(data), None  # type: ignore[arg-type]
        if kind is bytearray:
            try:
                cell = _cell_of(data)
                return addressof(cell), len(data), cell  # type: ignore[arg-type]
            except ValueError:
                pass  # an empty bytearray has no first byte
        view = Py_buffer()
        _get_buffer(data, view, _SIMPLE)
        return view.buf, view.len, view

    def addressed(data: "Buffer", /) -> "Held":
        """Hold a buffer to be read through a field of a struct, which needs an address as a number."""
        if type(data) is bytes:
            address = _Address(data)
            return address.number, len(data), address
        return reading(data)

    def writing(out: "Buffer", /) -> "Held":
        """Hold a buffer to be written."""
        if type(out) is bytearray:
            try:
                cell = _cell_of(out)
                return addressof(cell), len(out), cell
            except ValueError:
                pass  # an empty bytearray has no first byte
        view = Py_buffer()
        _get_buffer(out, view, _WRITABLE)
        return view.buf, view.len, view

    def release(hold: "Any", /) -> None:
        """Release what ``reading`` or ``writing`` holds. The hold on a bytearray ends with its last reference."""
        if type(hold) is Py_buffer:
            _release_buffer(hold)

    def fresh(nbytes: int, /) -> "tuple[Any, Any]":
        """Allocate memory for a result: its pointer, and the object that ``finished`` takes.

        Both are a new bytes object that no other code has a reference to. C code fills it, as it fills the object that
        ``PyBytes_FromStringAndSize(NULL, n)`` returns, and no copy is needed.
        """
        try:
            room = bytes(nbytes)
        except OverflowError:
            raise MemoryError from None
        return room, room

    def fresh_at(nbytes: int, /) -> "tuple[Any, Any]":
        """Do the same as ``fresh``, with the address as a number for a field of a struct."""
        room = fresh(nbytes)[1]
        return _Address(room).number, room

    def finished(room: "Any", nbytes: int, /) -> bytes:
        """The first `nbytes` of the memory, as bytes; without a copy if that is all of it."""
        out: bytes = room[:nbytes]
        return out

    def part(room: "Any", nbytes: int, /) -> "Any":
        """The first `nbytes` of the memory, without a copy, for ``bytes.join``."""
        return room if nbytes == len(room) else memoryview(room)[:nbytes]

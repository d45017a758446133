# SPDX-License-Identifier: Apache-2.0
"""Callbacks: Python called from C, on this thread or on another; and C called through a table of function pointers.

The first half, from `c_function` to `stopped`, is how C calls Python. `codec` uses it too, and `pkcs11` uses
`c_function`. It has no module of its own because one more module would lengthen every import.

C gets one function for all callbacks of a kind, and as its ``user`` pointer the number of a `Slot`, which holds the
Python callable. A small int comes back to Python without an allocation; a pointer would become a new cdata object at
each call. An exception cannot pass through C: the callback keeps it in the slot and returns the value that stops C, and
the Python function that called C raises the exception again. What strikes the callback outside of its ``try``, for lack
of stack, cffi hands to ``onerror``, which is `stopped` here and keeps it likewise.
"""

from _operator import index

from . import _API_MODE
from ._core import ffi, lib
from ._idioms_errors import failure
from ._idioms_scalars import i32

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    _Binary = Callable[[int, int], int]

_new = ffi.new
_cast = ffi.cast
_USER = ffi.typeof("void *")
_I64 = ffi.typeof("int64_t *")
_U32 = ffi.typeof("uint32_t *")
_ABORTED: int = lib.CS_E_ABORTED

_each_call = lib.cs_each_call
_thread_call = lib.cs_thread_call

if _API_MODE:
    lib.shim_ops_fetch()
    _ops_add: "_Binary" = lib.shim_ops_add
    _ops_multiply: "_Binary" = lib.shim_ops_multiply
else:
    _table = lib.cs_ops_get()
    _ops_add = _table.add
    _ops_multiply = _table.multiply

if _API_MODE:

    def c_function(
        name: str, function: "Callable[..., int]", error: int, onerror: "Callable[..., int | None] | None"
    ) -> "Any":
        """Return a pointer by which C calls ``function``, through what the declarations call ``extern "Python" name``.

        ``error`` is what C receives after an exception. The pointer is that of a ``shim_`` function of cdef/api, which
        passes the ``user`` pointer on as an integer.
        """
        ffi.def_extern(name, error, onerror)(function)
        return ffi.addressof(lib, "shim_" + name)

else:
    _TYPES = {  # as libffi calls the Python function: the user pointer is an integer
        "on_each": "int64_t(*)(uintptr_t, int32_t)",
        "on_progress": "int32_t(*)(uintptr_t, uint64_t, uint64_t)",
        "on_notify": "CK_RV(*)(CK_SESSION_HANDLE, CK_NOTIFICATION, uintptr_t)",
        "on_mutex_create": "CK_RV(*)(uintptr_t, uintptr_t *)",
        "on_mutex_destroy": "CK_RV(*)(uintptr_t, uintptr_t)",
        "on_mutex_lock": "CK_RV(*)(uintptr_t, uintptr_t)",
        "on_mutex_unlock": "CK_RV(*)(uintptr_t, uintptr_t)",
        "on_report": "CK_RV(*)(void)",
    }
    _POINTERS = {  # as the library's functions expect it
        "on_each": "cs_each_fn",
        "on_progress": "cs_progress_fn",
        "on_notify": "CK_NOTIFY",
        "on_mutex_create": "CK_RV(*)(void *, void **)",
        "on_mutex_destroy": "CK_RV(*)(void *, void *)",
        "on_mutex_lock": "CK_RV(*)(void *, void *)",
        "on_mutex_unlock": "CK_RV(*)(void *, void *)",
        "on_report": "CK_RV(*)(void)",
    }
    _closures: "list[Any]" = []

    def c_function(
        name: str, function: "Callable[..., int]", error: int, onerror: "Callable[..., int | None] | None"
    ) -> "Any":
        """Return a pointer by which C calls ``function``: that of a libffi closure, which is never freed.

        ``error`` is what C receives after an exception.
        """
        closure = ffi.callback(_TYPES[name], function, error, onerror)
        _closures.append(closure)  # the pointer does not keep it alive
        return ffi.cast(_POINTERS[name], closure)


def _idle(*arguments: object) -> None:
    """Stands for the callable in a slot that no call is using."""


class Slot:
    """A callable that C may call by the slot's number, the exception that it raised, and an out-parameter."""

    __slots__ = ("error", "function", "key", "out", "user")

    def __init__(self) -> None:
        # No lock: where a RecursionError strikes while one is held, PyPy may not release it.
        slots.append(self)
        self.key = slots.index(self)
        self.user = _cast(_USER, self.key)
        self.out = _new(_I64)
        self.function: Callable[..., Any] = _idle
        self.error: BaseException | None = None

    def rest(self) -> None:
        """Forget the callable and make the slot free for another call."""
        self.function = _idle
        _free.append(self)

    def reraise(self) -> None:
        """If the callback raised an exception, raise the same object. The slot then refers to it no more."""
        error, self.error = self.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error


slots: list[Slot] = []
"""All slots, by their numbers."""
_free: list[Slot] = []


def slot() -> Slot:
    """Return a slot that no other call is using."""
    try:
        return _free.pop()
    except IndexError:
        pass
    return Slot()  # not in the handler: PyPy makes a RecursionError there a TypeError


def stopped(kind: type[BaseException], error: BaseException, trace: "Any") -> None:
    """Keep a callback's exception in its slot, whose number is ``key`` in the callback's frame. cffi's ``onerror``."""
    slots[trace.tb_frame.f_locals["key"]].error = error.with_traceback(trace)


_STOP: int = lib.CS_EACH_STOP


def _on_each(key: int, position: int) -> int:
    call = slots[key]
    try:
        result = index(call.function(position))
        if -0x80000000 <= result <= 0x7FFFFFFF:
            return result
        raise OverflowError("the callback's result does not fit int32_t")
    except BaseException as error:
        call.error = error
    return _STOP


_each = c_function("on_each", _on_each, _STOP, stopped)


def run_each(run: "Callable[..., int]", first: "tuple[Any, ...]", callback: "Callable[[int], int]") -> int:
    """Call ``run(*first, function, user, out)`` and return the sum, or raise what ``callback`` raised."""
    call = slot()
    call.function = callback
    try:
        status = run(*first, _each, call.user, call.out)
        if status:
            call.reraise()
            if status == _ABORTED:  # the library stops only when told to, so an exception was lost
                raise RecursionError("no stack was left for the callback's exception")
            raise failure(status)
        total: int = call.out[0]
    finally:
        call.rest()
    return total


def checked_times(times: "SupportsIndex", callback: object) -> int:
    """Return ``times`` as an int, and raise `TypeError` unless ``callback`` is callable."""
    number = index(times)
    if not callable(callback):
        _new(_U32, number)  # raises OverflowError first if the left argument is wrong too
        raise TypeError(f"the callback must be callable, not {type(callback).__name__}")
    return number


def each_call(times: "SupportsIndex", callback: "Callable[[int], int]", /) -> int:
    """Call ``callback`` with 0, 1, ... ``times`` - 1 from C and return the sum of its results.

    An exception that the callback raises is raised here, the same object; no further call is
    made.

    Raises `ValueError` if ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not
    fit ``uint32_t`` or a result does not fit ``int32_t``; `TypeError` if ``callback`` is not
    callable, or ``times`` or a result has no ``__index__``.
    """
    return run_each(_each_call, (checked_times(times, callback),), callback)


def thread_call(times: "SupportsIndex", callback: "Callable[[int], int]", /) -> int:
    """Do what ``each_call`` does, on a thread that the library creates and joins.

    The GIL is released meanwhile and taken for each call of ``callback``. An exception that the
    callback raises is raised here, the same object; no further call is made.

    Raises `StatusError` ``CS_E_THREAD`` if no thread can be created; `ValueError` if ``times``
    is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a result does
    not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times`` or a result
    has no ``__index__``.
    """
    return run_each(_thread_call, (checked_times(times, callback),), callback)


def ops_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _ops_add(index(a), index(b))
    except TypeError:
        return _ops_add(i32(a), i32(b))


def ops_multiply(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the product of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    try:
        return _ops_multiply(index(a), index(b))
    except TypeError:
        return _ops_multiply(i32(a), i32(b))

# SPDX-License-Identifier: Apache-2.0
"""Calls through function pointers: C calls Python callables, and Python calls the functions of a C table.

ctypes makes a *thunk* for a Python callable: a small piece of machine code that C can call. Making a thunk takes longer
than a call through it, so thunks are reused. One thunk for all callables would have to find the right one by C's user
pointer, which costs a Python int and a look-up per call. Instead each `Runner` has a thunk of its own and a variable
for the callable that it currently runs. Idle runners wait in a pool. The pool grows to the number of calls that run at
the same time, nested calls included.

**Threads of the library.** A thunk that is called on a thread that Python did not make creates a thread state for each
call and deletes it afterwards, and the thread's ``threading.local`` with it. Both take longer than the callback. So on
CPython the first callback on such a thread calls ``PyGILState_Ensure``, which counts one user more of the thread state,
and the last one, known by its position, calls ``PyGILState_Release``.
"""

import ctypes
from _operator import index
from ctypes import POINTER, ArgumentError, Structure, c_int, c_int32, c_int64, c_uint32, c_void_p

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import (
    MASK,
    PYPY,
    SmallInt,
    held,
    held_function_type,
    int32,
    not_begun,
    ready,
    reference,
    released,
    too_large,
    uint32,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    Each = Callable[[int], int]
    Runner = Callable[[Any, tuple[Any, ...], Each], int]

__all__ = ["EachFn", "call_back", "each_call", "ops_add", "ops_multiply", "thread_call"]

_EACH_STOP = -(2**63)

EachFn = held_function_type(c_int64, c_void_p, c_int32)
"""``cs_each_fn``."""

# As with `ready`, only PyPy gets the types of the arguments.
_OpFn = held_function_type(c_int32, c_int32, c_int32) if PYPY else held_function_type(c_int32)


class Ops(Structure):
    """``cs_ops``, a table of function pointers."""

    __slots__ = ()
    _fields_ = [
        ("version", c_uint32),
        ("add", _OpFn),
        ("multiply", _OpFn),
    ]


_each_call = ready("cs_each_call", c_int32, SmallInt(c_uint32), EachFn, c_void_p, c_void_p)
_thread_call = released("cs_thread_call", c_int32, SmallInt(c_uint32), EachFn, c_void_p, c_void_p)
_ops_get = held("cs_ops_get", POINTER(Ops))

# Read once: ctypes makes a new function object each time that a function pointer is read from a struct.
_ops = _ops_get().contents
_ops_add = _ops.add
_ops_multiply = _ops.multiply

if not PYPY:
    # Indexing makes new function objects, because those that are attributes are shared with all other users of ctypes.
    _ensure = ctypes.pythonapi["PyGILState_Ensure"]
    _ensure.restype = c_int
    _leave = ctypes.pythonapi["PyGILState_Release"]
    _leave.argtypes = (c_int,)
    _leave.restype = None


def _runner(elsewhere: bool) -> "Runner":
    """Make a function that calls a native function with a callable. It serves one call at a time.

    `elsewhere` says that the library calls back on a thread of its own.
    """
    callback: Any = None
    error: BaseException | None = None
    answered = last = 0
    entered: int | None = None
    out = c_int64()
    out_pointer = reference(out)

    def step(_user: "int | None", value: int) -> int:
        nonlocal answered, error
        try:
            result = callback(value)
            answered += 1
            if type(result) is int and (not result >> 31 or -0x8000_0000 <= result < 0):
                return result
            return int32(result)
        except BaseException as caught:  # ctypes would print it and continue
            error = caught
            return _EACH_STOP

    def step_elsewhere(user: "int | None", value: int) -> int:
        # If an exception set by another thread stops the last call before its first line, the thread state is not
        # deleted before the interpreter ends.
        nonlocal entered
        try:
            if entered is None:
                entered = _ensure()
            return step(user, value)
        finally:
            if entered is not None and (value >= last or error is not None):
                state = entered
                entered = None
                _leave(state)

    thunk = EachFn(step_elsewhere if elsewhere and not PYPY else step)

    def run(native: "Any", arguments: "tuple[Any, ...]", function: "Each") -> int:
        nonlocal answered, callback, entered, error, last
        callback = function
        answered = 0
        last = arguments[-1] - 1
        entered = None
        try:
            try:
                status = native(*arguments, thunk, None, out_pointer)
            except ArgumentError as refused:
                # The arguments have the right types, so the conversion failed because the stack is exhausted.
                raise RecursionError("maximum recursion depth exceeded while converting arguments") from refused
            if error is not None:
                raise error
            if status < 0:
                raise_status(status)
            if answered != arguments[-1]:
                raise not_begun()
            return out.value
        finally:
            callback = error = None

    return run


_idle: "list[Runner]" = []
_idle_elsewhere: "list[Runner]" = []


def call_back(native: "Any", arguments: "tuple[Any, ...]", function: "Each", elsewhere: bool = False) -> int:
    """Call `native` with `arguments` and a pointer to `function`. Raises what `function` raises.

    The last argument is the number of times that the library calls back; `elsewhere` says that it does so on a thread
    of its own.
    """
    if not callable(function):
        raise TypeError(f"'{type(function).__name__}' object is not callable")
    idle = _idle_elsewhere if elsewhere else _idle
    try:
        run = idle.pop()
    except IndexError:
        run = _runner(elsewhere)
    try:
        return run(native, arguments, function)
    finally:
        idle.append(run)


def each_call(times: "SupportsIndex", callback: "Each", /) -> int:
    """Call ``callback`` with 0, 1, ... ``times`` - 1 from C and return the sum of its results.

    An exception that the callback raises is raised here, the same object; no further call is
    made.

    Raises `ValueError` if ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not
    fit ``uint32_t`` or a result does not fit ``int32_t``; `TypeError` if ``callback`` is not
    callable, or ``times`` or a result has no ``__index__``.
    """
    return call_back(_each_call, (uint32(times),), callback)


def thread_call(times: "SupportsIndex", callback: "Each", /) -> int:
    """Do what ``each_call`` does, on a thread that the library creates and joins.

    The GIL is released meanwhile and taken for each call of ``callback``. An exception that the
    callback raises is raised here, the same object; no further call is made.

    Raises `StatusError` ``CS_E_THREAD`` if no thread can be created; `ValueError` if ``times``
    is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a result does
    not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times`` or a result
    has no ``__index__``.
    """
    return call_back(_thread_call, (uint32(times),), callback, True)


def ops_add(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the sum of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 31 or (b := index(b)) >> 31:
        if not -0x8000_0000 <= a <= 0x7FFF_FFFF or not -0x8000_0000 <= (b := index(b)) <= 0x7FFF_FFFF:
            raise too_large("int32_t")
        a, b = a & MASK, b & MASK  # type: ignore[operator]  # b is an int
    return _ops_add(a, b)  # type: ignore[no-any-return]  # what C returns has no type here


def ops_multiply(a: "SupportsIndex", b: "SupportsIndex", /) -> int:
    """Return the product of two ``int32_t``, modulo 2**32, by a pointer of the library's table.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    if (a := index(a)) >> 31 or (b := index(b)) >> 31:
        if not -0x8000_0000 <= a <= 0x7FFF_FFFF or not -0x8000_0000 <= (b := index(b)) <= 0x7FFF_FFFF:
            raise too_large("int32_t")
        a, b = a & MASK, b & MASK  # type: ignore[operator]  # b is an int
    return _ops_multiply(a, b)  # type: ignore[no-any-return]  # what C returns has no type here

# SPDX-License-Identifier: Apache-2.0
"""Python callables behind C function pointers, and the handle that can call back.

Making a thunk (an executable piece of memory) takes longer than calling through it, and the user pointer of C costs a
Python int and a look-up per call. So each `_Runner` owns one thunk and a slot for the callable of the moment; runners
wait in a pool, one per call that is running at the same time, nested ones included.
"""

from __future__ import annotations

from ctypes import POINTER, ArgumentError, c_int32, c_int64, c_uint32, c_uint64, c_void_p

from cside_ctypes._library import SmallInt, each_function_type, held, released
from cside_ctypes._numbers import int32, int64, uint32
from cside_ctypes._status import E_BUSY, raise_status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, SupportsIndex

    Each = Callable[[int], int]
    Runner = Callable[[Any, tuple[int, ...], Each], int]

__all__ = ["Counter", "call_back", "each_call", "thread_call"]

_EACH_STOP = -(2**63)

_EachFn = each_function_type(c_int64, c_void_p, c_int32)
_total = POINTER(c_int64)

_each_call = held("cs_each_call", c_int32, SmallInt(c_uint32), _EachFn, c_void_p, _total)
_thread_call = released("cs_thread_call", c_int32, SmallInt(c_uint32), _EachFn, c_void_p, _total)
_counter_open = held("cs_counter_open", c_int32, c_int64, POINTER(c_uint64))
_counter_add = held("cs_counter_add", c_int32, c_uint64, c_int64, _total)
_counter_close = held("cs_counter_close", c_int32, c_uint64)
_counter_each = held("cs_counter_each", c_int32, c_uint64, SmallInt(c_uint32), _EachFn, c_void_p, _total)


def _runner() -> Runner:
    """A function that calls a native one with a callable; for one caller at a time."""
    callback: Any = None
    error: BaseException | None = None
    answered = 0
    out = c_int64()

    def step(_user: int | None, value: int) -> int:
        nonlocal answered, error
        try:
            result = callback(value)
            answered += 1
            if type(result) is int and (not result >> 31 or -0x8000_0000 <= result < 0):
                return result
            return int32(result)
        except BaseException as caught:  # ctypes would print it and go on
            error = caught
            return _EACH_STOP

    thunk = _EachFn(step)

    def run(native: Any, arguments: tuple[int, ...], function: Each) -> int:
        nonlocal answered, callback, error
        callback = function
        answered = 0
        try:
            try:
                status = native(*arguments, thunk, None, out)
            except ArgumentError as refused:
                # All arguments are of the right types: what failed is a conversion that found the stack exhausted.
                raise RecursionError("maximum recursion depth exceeded while converting arguments") from refused
            if error is not None:
                raise error
            if status < 0:
                raise_status(status)
            if answered != arguments[-1]:
                # Between ctypes and `step` an exception has nowhere to go: ctypes prints it, and answers 0 by itself.
                raise RecursionError("a call of the callback was lost, for want of stack or by a signal")
            return out.value
        finally:
            callback = error = None

    return run


_idle: list[Runner] = []


def call_back(native: Any, arguments: tuple[int, ...], function: Each) -> int:
    if not callable(function):
        raise TypeError(f"'{type(function).__name__}' object is not callable")
    try:
        run = _idle.pop()
    except IndexError:
        run = _runner()
    try:
        return run(native, arguments, function)
    finally:
        _idle.append(run)


def each_call(times: SupportsIndex, callback: Each, /) -> int:
    return call_back(_each_call, (uint32(times),), callback)


def thread_call(times: SupportsIndex, callback: Each, /) -> int:
    return call_back(_thread_call, (uint32(times),), callback)


class Counter:
    """An open ``cs_counter``."""

    __slots__ = ("__weakref__", "_handle")

    _handle: int
    """The library's number; 0, which never is one, when closed."""

    def __new__(cls, start: SupportsIndex = 0, /) -> Counter:
        self = object.__new__(cls)
        self._handle = 0
        handle = c_uint64()
        status = _counter_open(int64(start), handle)
        if status < 0:
            raise_status(status)
        self._handle = handle.value
        return self

    def add(self, n: SupportsIndex, /) -> int:
        """Add and return the new total."""
        total = c_int64()
        status = _counter_add(self._handle, int64(n), total)
        if status < 0:
            raise_status(status)
        return total.value

    def each(self, times: SupportsIndex, callback: Each, /) -> int:
        """Sum of ``callback(total)`` over `times` calls."""
        return call_back(_counter_each, (self._handle, uint32(times)), callback)

    def close(self) -> None:
        """Close; closing again does nothing."""
        handle = self._handle
        if handle:
            status = _counter_close(handle)
            if status == E_BUSY:
                raise_status(status)
            self._handle = 0  # closed: by this call, or by another thread at the same moment

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")  # nor copy: a handle has one owner

    def __del__(self, close: Callable[[int], int] = _counter_close) -> None:
        # The default outlives the module's globals when the interpreter ends.
        if self._handle:
            close(self._handle)

# SPDX-License-Identifier: Apache-2.0
"""Idioms of Python called from C, and the opaque handle, whose ``each`` is one of them.

C gets one function for all callbacks, and as its ``user`` the number of a `Slot` that holds the Python callable. A
small int comes back to Python without an allocation, where a pointer would become new cdata at each call. An exception
cannot pass through C: cffi hands it to ``onerror``, C sees `CS_EACH_STOP`, the call that started it raises it again.
"""

from __future__ import annotations

from operator import index

from ._core import ffi, lib
from ._failure import failure
from ._mode import c_function

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, Self, SupportsIndex

_new = ffi.new
_cast = ffi.cast
_USER: Final = ffi.typeof("void *")
_I64: Final = ffi.typeof("int64_t *")
_U32: Final = ffi.typeof("uint32_t *")
_COUNTER: Final = ffi.typeof("cs_counter *")
_ABORTED: Final[int] = lib.CS_E_ABORTED
_CLOSED: Final[int] = lib.CS_E_CLOSED

# Out-parameters at rest.
_i64s: Final = [_new(_I64)]
_counters: Final = [_new(_COUNTER)]

_each_call = lib.cs_each_call
_thread_call = lib.cs_thread_call
_counter_open = lib.cs_counter_open
_counter_add = lib.cs_counter_add
_counter_each = lib.cs_counter_each
_counter_close = lib.cs_counter_close


def _idle(*arguments: object) -> None:
    """What a slot at rest would call."""


class Slot:
    """A callable that C may call by the slot's number, the exception that it raised, and room for a result."""

    __slots__ = ("error", "function", "key", "out", "user")

    def __init__(self) -> None:
        # No lock: where a RecursionError strikes while one is held, PyPy may not release it.
        _slots.append(self)
        self.key = _slots.index(self)
        self.user = _cast(_USER, self.key)
        self.out = _new(_I64)
        self.function: Callable[..., Any] = _idle
        self.error: BaseException | None = None

    def rest(self) -> None:
        """Forget the callable and become free for another call."""
        self.function = _idle
        _free.append(self)

    def reraise(self) -> None:
        """Raise what the callback raised, if it did, the same object; keep nothing that its traceback leads to."""
        error, self.error = self.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error


_slots: Final[list[Slot]] = []
_free: Final[list[Slot]] = []


def slot() -> Slot:
    """A free slot."""
    try:
        return _free.pop()
    except IndexError:
        pass
    return Slot()  # not in the handler: PyPy makes a RecursionError there a TypeError


def called(key: int) -> Callable[..., Any]:
    """The callable of a slot."""
    return _slots[key].function


def stopped(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Keep an exception for the call that runs the callback. cffi's ``onerror``: the callback's frame knows ``key``."""
    _slots[trace.tb_frame.f_locals["key"]].error = error.with_traceback(trace)


def _on_each(key: int, position: int) -> int:
    result = index(_slots[key].function(position))
    if -0x80000000 <= result <= 0x7FFFFFFF:
        return result
    raise OverflowError("the callback's result does not fit int32_t")


_each: Final = c_function("on_each", _on_each, lib.CS_EACH_STOP, stopped)


def _started(run: Callable[..., int], first: tuple[Any, ...], callback: Callable[[int], int]) -> int:
    """Call ``run(*first, function, user, out)`` and give the sum, or raise what the callback raised."""
    call = slot()
    call.function = callback
    try:
        status = run(*first, _each, call.user, call.out)
        if status:
            call.reraise()
            if status == _ABORTED:  # no callback says so by itself
                raise RecursionError("no stack was left for the callback's exception")
            raise failure(status)
        total: int = call.out[0]
    finally:
        call.rest()
    return total


def _times(times: SupportsIndex, callback: object) -> int:
    """A ``uint32_t``, when ``callback`` is callable."""
    number = index(times)
    if not callable(callback):
        _new(_U32, number)
        raise TypeError(f"the callback must be callable, not {type(callback).__name__}")
    return number


def each_call(times: SupportsIndex, callback: Callable[[int], int], /) -> int:
    """Sum of ``callback(0)`` … ``callback(times - 1)``."""
    return _started(_each_call, (_times(times, callback),), callback)


def thread_call(times: SupportsIndex, callback: Callable[[int], int], /) -> int:
    """The same from a thread made by the library."""
    return _started(_thread_call, (_times(times, callback),), callback)


class Counter:
    """An opaque handle; a context manager that closes. Closed, if still open, when the object is finalised."""

    __slots__ = ("__weakref__", "_handle")
    _handle: int

    def __new__(cls, start: SupportsIndex = 0, /) -> Self:
        try:
            out = _counters.pop()
        except IndexError:
            out = _new(_COUNTER)
        status: int = _counter_open(index(start), out)
        handle = out[0]
        _counters.append(out)
        if status:
            raise failure(status)
        self = object.__new__(cls)
        self._handle = handle
        return self

    def add(self, n: SupportsIndex, /) -> int:
        """Add and return the new total."""
        try:
            out = _i64s.pop()
        except IndexError:
            out = _new(_I64)
        status: int = _counter_add(self._handle, index(n), out)
        total: int = out[0]
        _i64s.append(out)
        if status:
            raise failure(status)
        return total

    def each(self, times: SupportsIndex, callback: Callable[[int], int], /) -> int:
        """Sum of ``callback(total)`` over ``times`` calls."""
        return _started(_counter_each, (self._handle, _times(times, callback)), callback)

    def close(self) -> None:
        """Close; closing again does nothing. `StatusError` ``CS_E_BUSY`` from inside `each`."""
        if self._handle:
            status: int = _counter_close(self._handle)
            if status and status != _CLOSED:
                raise failure(status)
            self._handle = 0  # never a handle, so that all else finds it closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        handle = getattr(self, "_handle", 0)
        if handle:
            _counter_close(handle)

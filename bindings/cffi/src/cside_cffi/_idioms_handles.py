# SPDX-License-Identifier: Apache-2.0
"""Handles: `Counter`, an opaque handle of the library as a Python object."""

from _operator import index

from ._core import ffi, lib
from ._idioms_callbacks import checked_times, run_each
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self, SupportsIndex

_new = ffi.new
_CLOSED: int = lib.CS_E_CLOSED

# Out-parameters that no call is using; the first call makes the first one.
_i64s: "list[Any]" = []
_counters: "list[Any]" = []

_counter_open = lib.cs_counter_open
_counter_add = lib.cs_counter_add
_counter_each = lib.cs_counter_each
_counter_close = lib.cs_counter_close


class Counter:
    """An opaque handle, and a context manager that closes it. Finalising the object closes the handle if it is open."""

    __slots__ = ("__weakref__", "_handle")
    _handle: int

    def __new__(cls, start: "SupportsIndex" = 0, /) -> "Self":
        try:
            out = _counters.pop()
        except IndexError:
            out = _new("cs_counter *")
        status: int = _counter_open(index(start), out)
        handle = out[0]
        _counters.append(out)
        if status:
            raise failure(status)
        self = object.__new__(cls)
        self._handle = handle
        return self

    def add(self, n: "SupportsIndex", /) -> int:
        """Add and return the new total."""
        try:
            out = _i64s.pop()
        except IndexError:
            out = _new("int64_t *")
        status: int = _counter_add(self._handle, index(n), out)
        total: int = out[0]
        _i64s.append(out)
        if status:
            raise failure(status)
        return total

    def each(self, times: "SupportsIndex", callback: "Callable[[int], int]", /) -> int:
        """Sum of ``callback(total)`` over ``times`` calls."""
        return run_each(_counter_each, (self._handle, checked_times(times, callback)), callback)

    def close(self) -> None:
        """Close; closing again does nothing. `StatusError` ``CS_E_BUSY`` from inside `each`."""
        if self._handle:
            status: int = _counter_close(self._handle)
            if status and status != _CLOSED:
                raise failure(status)
            self._handle = 0  # the library never gives out 0, so it reports this handle as closed from now on

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        handle = getattr(self, "_handle", 0)
        if handle:
            _counter_close(handle)

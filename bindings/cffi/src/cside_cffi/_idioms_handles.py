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
    """A counter inside the library that starts at ``start``, which Python holds by a handle.

    ``Counter`` is a class. Its objects are context managers that close the counter. A counter
    that is still open is closed when the object is finalized.

    Raises `MemoryError` if 65,536 counters are open; `OverflowError` if ``start`` does not fit
    ``int64_t``; `TypeError` if it has no ``__index__``.
    """

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
        """Add ``n`` to the counter, modulo 2**64, and return the new total.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `OverflowError` if
        ``n`` does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
        """
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
        """Call ``callback`` with the counter's total, ``times`` times, and sum its results.

        The total is passed modulo 2**31. While this method runs, the counter cannot be closed. An
        exception that the callback raises is raised here, the same object; no further call is made.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `ValueError` if
        ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a
        result does not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times``
        or a result has no ``__index__``.
        """
        return run_each(_counter_each, (self._handle, checked_times(times, callback)), callback)

    def close(self) -> None:
        """Close the counter; closing it again does nothing.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """
        if self._handle:
            status: int = _counter_close(self._handle)
            if status and status != _CLOSED:
                raise failure(status)
            self._handle = 0  # the library never gives out 0, so it reports this handle as closed from now on

    def __enter__(self) -> "Self":
        """Return the counter itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the counter, as ``close`` does; an exception of the block is passed on.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """
        self.close()

    def __del__(self) -> None:
        handle = getattr(self, "_handle", 0)
        if handle:
            _counter_close(handle)

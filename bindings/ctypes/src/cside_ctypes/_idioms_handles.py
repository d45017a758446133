# SPDX-License-Identifier: Apache-2.0
"""Handles: numbers that stand for objects of the library, with an owner that closes them."""

from _operator import index
from ctypes import c_int32, c_int64, c_uint32, c_uint64, c_void_p

from cside_ctypes._idioms_callbacks import EachFn, call_back
from cside_ctypes._idioms_errors import E_BUSY, raise_status
from cside_ctypes._native import INT64_MAX, INT64_MIN, PYPY, SmallInt, cell, ready, too_large, uint32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, SupportsIndex

    from cside_ctypes._idioms_callbacks import Each

__all__ = ["Counter"]

_counter_open = ready("cs_counter_open", c_int32, c_int64, c_void_p)
_counter_add = ready("cs_counter_add", c_int32, c_uint64, c_int64, c_void_p)
_counter_close = ready("cs_counter_close", c_int32, c_uint64)
_counter_each = ready("cs_counter_each", c_int32, c_uint64, SmallInt(c_uint32), EachFn, c_void_p, c_void_p)

_handles: "list[Any]" = []
_totals: "list[Any]" = []
"""Out-parameters that no call is using."""

_int64_argument: "Any" = int if PYPY else c_int64.from_param
_handle_argument: "Any" = int if PYPY else c_uint64.from_param
"""Make an argument for functions of ``ready``. That of a handle is made once, for all calls."""

_CLOSED = _handle_argument(0)
"""Zero is never a handle."""


class Counter:
    """A counter inside the library that starts at ``start``, which Python holds by a handle.

    ``Counter`` is a class. Its objects are context managers that close the counter. A counter
    that is still open is closed when the object is finalized.

    Raises `MemoryError` if 65,536 counters are open; `OverflowError` if ``start`` does not fit
    ``int64_t``; `TypeError` if it has no ``__index__``.
    """

    __slots__ = ("__weakref__", "_handle")
    __module__ = "cside_ctypes.idioms"

    _handle: "Any"
    """The handle that the library gave, as an argument of its functions; ``_CLOSED`` after closing."""

    def __new__(cls, start: "SupportsIndex" = 0, /) -> "Counter":
        self = object.__new__(cls)
        self._handle = _CLOSED
        start = index(start)
        if not INT64_MIN <= start <= INT64_MAX:
            raise too_large("int64_t")
        try:
            kept = _handles.pop()
        except IndexError:
            kept = cell(c_uint64)
        handle, out = kept
        status = _counter_open(_int64_argument(start), out)
        if status < 0:
            raise_status(status)
        self._handle = _handle_argument(handle.value)
        _handles.append(kept)
        return self

    def add(self, n: "SupportsIndex", /) -> int:
        """Add ``n`` to the counter, modulo 2**64, and return the new total.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `OverflowError` if
        ``n`` does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
        """
        n = index(n)
        if not INT64_MIN <= n <= INT64_MAX:
            raise too_large("int64_t")
        try:
            kept = _totals.pop()
        except IndexError:
            kept = cell(c_int64)
        total, out = kept
        total.value = n
        # The cell is both arguments: its value is the number to add, and its address is where the total is written.
        status = _counter_add(self._handle, n if PYPY else total, out)
        if status < 0:
            raise_status(status)
        result: int = total.value
        _totals.append(kept)
        return result

    def each(self, times: "SupportsIndex", callback: "Each", /) -> int:
        """Call ``callback`` with the counter's total, ``times`` times, and sum its results.

        The total is passed modulo 2**31. While this method runs, the counter cannot be closed. An
        exception that the callback raises is raised here, the same object; no further call is made.

        Raises `ValueError` 'the handle is closed' if the counter is closed; `ValueError` if
        ``times`` is above 2**31 - 1; `OverflowError` if ``times`` does not fit ``uint32_t`` or a
        result does not fit ``int32_t``; `TypeError` if ``callback`` is not callable, or ``times``
        or a result has no ``__index__``.
        """
        return call_back(_counter_each, (self._handle, uint32(times)), callback)

    def close(self) -> None:
        """Close the counter; closing it again does nothing.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """
        handle = self._handle
        if handle is not _CLOSED:
            status = _counter_close(handle)
            if status == E_BUSY:
                raise_status(status)
            self._handle = _CLOSED  # this call has closed it, or another thread did at the same time

    def __enter__(self) -> "Counter":
        """Return the counter itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close the counter, as ``close`` does; an exception of the block is passed on.

        Raises `StatusError` ``CS_E_BUSY`` while ``each`` runs on the counter, which stays open.
        """
        self.close()

    def __reduce__(self) -> "NoReturn":
        # copy.copy() comes here too. A handle has one owner.
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def __del__(self, close: "Callable[[Any], int]" = _counter_close, closed: "Any" = _CLOSED) -> None:
        # The default arguments still exist when the interpreter shuts down and has cleared the module's globals.
        if self._handle is not closed:
            close(self._handle)

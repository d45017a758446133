# SPDX-License-Identifier: Apache-2.0
"""Errors: a status code and ``errno`` as exceptions. All groups of idioms raise what `failure` returns."""

import os
from _operator import index

from ._core import ffi, lib

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import SupportsIndex

_status_return: "Callable[[int], int]" = lib.cs_status_return
_errno_fail: "Callable[[int], int]" = lib.cs_errno_fail


class StatusError(Exception):
    """A failure of the library for which Python has no exception of its own.

    It is a subclass of `Exception`. Its text is the library's message for the status.
    """

    def __init__(self, message: str, status: int, name: str) -> None:
        super().__init__(message)
        self.status = status
        self.name = name

    def __reduce__(self) -> "tuple[type[StatusError], tuple[object, ...]]":
        return type(self), (self.args[0], self.status, self.name)


_CLASSES: dict[int, type[Exception]] = {
    lib.CS_E_ARGUMENT: ValueError,
    lib.CS_E_CLOSED: ValueError,
    lib.CS_E_NOT_FOUND: LookupError,
}


def failure(status: int) -> Exception:
    """Return the exception to raise for ``status``, a negative ``cs_status``."""
    if status == lib.CS_E_MEMORY:
        return MemoryError()
    message = ffi.string(lib.cs_status_message(status)).decode()
    if status in _CLASSES:
        return _CLASSES[status](message)
    return StatusError(message, status, ffi.string(lib.cs_status_name(status)).decode())


def status_raise(status: "SupportsIndex", /) -> None:
    """Raise the exception of a negative status of the library; return None for any other.

    Raises `MemoryError` for ``CS_E_MEMORY`` (-4); `ValueError` for ``CS_E_ARGUMENT`` (-100) and
    ``CS_E_CLOSED`` (-103); `LookupError` for ``CS_E_NOT_FOUND`` (-102); `StatusError` for any
    other negative status; `OverflowError` if ``status`` does not fit ``int32_t``; `TypeError`
    if it has no ``__index__``.
    """
    returned = _status_return(index(status))
    if returned < 0:
        raise failure(returned)


def errno_raise(error: "SupportsIndex", /) -> None:
    """Raise the `OSError` of a value of ``errno``; return None for 0.

    Raises `OSError` with ``error`` and ``os.strerror(error)`` as its arguments, of the subclass
    that Python has for this value, for instance `FileNotFoundError`; `OverflowError` if
    ``error`` does not fit ``int32_t``; `TypeError` if it has no ``__index__``.
    """
    if _errno_fail(index(error)):
        # cffi saves errno at the end of each call, for each thread.
        number = ffi.errno
        raise OSError(number, os.strerror(number))

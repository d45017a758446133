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
    """A failure for which Python has no built-in exception. Its text is ``cs_status_message(status)``."""

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
    """Raise the exception that ``status`` stands for; return if it is no failure."""
    returned = _status_return(index(status))
    if returned < 0:
        raise failure(returned)


def errno_raise(error: "SupportsIndex", /) -> None:
    """Raise the `OSError` of ``error``. cffi saves errno at the end of each call, per thread, as ``ffi.errno``."""
    if _errno_fail(index(error)):
        number = ffi.errno
        raise OSError(number, os.strerror(number))

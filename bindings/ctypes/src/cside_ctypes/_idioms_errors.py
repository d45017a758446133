# SPDX-License-Identifier: Apache-2.0
"""Errors: the statuses and the errno of the library, and the exceptions that this binding raises for them.

``raise_status`` serves every function of the binding that returns a status.
"""

import os
from _operator import index
from ctypes import c_char_p, c_int32, get_errno

from cside_ctypes._native import MASK, SmallInt, errno_saved, held, ready, too_large

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn, SupportsIndex

__all__ = [
    "E_ABORTED",
    "E_BUFFER",
    "E_BUSY",
    "E_MEMORY",
    "E_NOT_FOUND",
    "E_STREAM",
    "E_TOO_SMALL",
    "NEED_DICT",
    "STREAM_END",
    "StatusError",
    "errno_raise",
    "raise_status",
    "status_raise",
]

# Numbers of cside/status.h.
NEED_DICT = 2
STREAM_END = 1
E_STREAM = -2
E_MEMORY = -4
E_BUFFER = -5
E_ARGUMENT = -100
E_TOO_SMALL = -101
E_NOT_FOUND = -102
E_CLOSED = -103
E_BUSY = -104
E_ABORTED = -105

_name: "Callable[[int], bytes]" = held("cs_status_name", c_char_p, SmallInt(c_int32))
_message: "Callable[[int], bytes]" = held("cs_status_message", c_char_p, SmallInt(c_int32))
_status_return = ready("cs_status_return", c_int32, SmallInt(c_int32))
_errno_fail = errno_saved("cs_errno_fail", c_int32, SmallInt(c_int32))


class StatusError(Exception):
    """A failure of the library for which Python has no exception of its own.

    It is a subclass of `Exception`. Its text is the library's message for the status.
    """

    __module__ = "cside_ctypes.idioms"

    status: int
    """The ``cs_status``, negative."""
    name: str
    """Its name, as ``CS_E_BUSY``."""

    def __init__(self, status: int, /) -> None:
        super().__init__(_message(status).decode())
        self.status = status
        self.name = _name(status).decode()

    def __reduce__(self) -> "tuple[type[StatusError], tuple[int]]":
        return type(self), (self.status,)


_BUILTIN: "dict[int, type[Exception]]" = {E_ARGUMENT: ValueError, E_CLOSED: ValueError, E_NOT_FOUND: LookupError}


def raise_status(status: int, /) -> "NoReturn":
    """Raise what a negative status stands for."""
    if status == E_MEMORY:
        raise MemoryError
    builtin = _BUILTIN.get(status)
    if builtin is not None:
        raise builtin(_message(status).decode())
    raise StatusError(status)


def status_raise(status: "SupportsIndex", /) -> None:
    """Raise the exception of a negative status of the library; return None for any other.

    Raises `MemoryError` for ``CS_E_MEMORY`` (-4); `ValueError` for ``CS_E_ARGUMENT`` (-100) and
    ``CS_E_CLOSED`` (-103); `LookupError` for ``CS_E_NOT_FOUND`` (-102); `StatusError` for any
    other negative status; `OverflowError` if ``status`` does not fit ``int32_t``; `TypeError`
    if it has no ``__index__``.
    """
    status = index(status)
    if status >> 31:
        if not -0x8000_0000 <= status < 0:
            raise too_large("int32_t")
        status &= MASK
    outcome = _status_return(status)
    if outcome < 0:
        raise_status(outcome)


def errno_raise(error: "SupportsIndex", /) -> None:
    """Raise the `OSError` of a value of ``errno``; return None for 0.

    Raises `OSError` with ``error`` and ``os.strerror(error)`` as its arguments, of the subclass
    that Python has for this value, for instance `FileNotFoundError`; `OverflowError` if
    ``error`` does not fit ``int32_t``; `TypeError` if it has no ``__index__``.
    """
    error = index(error)
    if error >> 31:
        if not -0x8000_0000 <= error < 0:
            raise too_large("int32_t")
        error &= MASK
    if _errno_fail(error) != 0:
        code = get_errno()
        raise OSError(code, os.strerror(code))

# SPDX-License-Identifier: Apache-2.0
"""A negative ``cs_status`` as a Python exception."""

from __future__ import annotations

from ._core import ffi, lib

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from typing import Final


class StatusError(Exception):
    """A failure without an exception of its own among Python's; its text is ``cs_status_message(status)``."""

    def __init__(self, message: str, status: int, name: str) -> None:
        super().__init__(message)
        self.status = status
        self.name = name

    def __reduce__(self) -> tuple[type[StatusError], tuple[object, ...]]:
        return type(self), (self.args[0], self.status, self.name)


_CLASSES: Final[dict[int, type[Exception]]] = {
    lib.CS_E_ARGUMENT: ValueError,
    lib.CS_E_CLOSED: ValueError,
    lib.CS_E_NOT_FOUND: LookupError,
}


def failure(status: int) -> Exception:
    """The exception that stands for ``status``, to be raised."""
    if status == lib.CS_E_MEMORY:
        return MemoryError()
    message = ffi.string(lib.cs_status_message(status)).decode()
    if status in _CLASSES:
        return _CLASSES[status](message)
    return StatusError(message, status, ffi.string(lib.cs_status_name(status)).decode())

# SPDX-License-Identifier: Apache-2.0
"""Locks that Python gives to a PKCS #11 module in ``C_Initialize``, and the four functions by which C uses them."""

from __future__ import annotations

from sys import _getframe

from ._core import ffi
from ._idioms_callbacks import c_function
from ._pkcs11_callbacks import GENERAL_ERROR, escaped, keep, numbers

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

_cast = ffi.cast
_new = ffi.new
_USER: Final = ffi.typeof("void *")
_OK: Final = 0
_MUTEX_BAD: Final = 0x1A0
"""``CKR_MUTEX_BAD``"""


class Locks:
    """Four callables for mutexes, and the mutexes that they made. C may call them until `forget`."""

    __slots__ = ("create", "destroy", "key", "lock", "mutexes", "struct", "unlock")

    def __init__(
        self,
        create: Callable[[], object],
        destroy: Callable[[Any], object],
        lock: Callable[[Any], object],
        unlock: Callable[[Any], object],
    ) -> None:
        self.create = create
        self.destroy = destroy
        self.lock = lock
        self.unlock = unlock
        self.mutexes: dict[int, object] = {}
        self.key = next(numbers)
        self.struct = _new("cs_pkcs11_locks *", (*_mutex_functions, _cast(_USER, self.key)))
        _locks[self.key] = self

    def forget(self) -> None:
        """Drop them: C calls them no more."""
        _locks.pop(self.key, None)


_locks: Final[dict[int, Locks]] = {}


def _on_mutex_create(key: int, out_mutex: Any) -> int:
    try:
        locks = _locks[key]
        mutex = locks.create()
        number = next(numbers)
        locks.mutexes[number] = mutex
        out_mutex[0] = number
    except BaseException as error:
        return keep(error, _getframe().f_back)
    return _OK


def _on_mutex_destroy(key: int, number: int) -> int:
    try:
        locks = _locks.get(key)
        if locks is None or number not in locks.mutexes:
            return _MUTEX_BAD
        locks.destroy(locks.mutexes.pop(number))
    except BaseException as error:
        return keep(error, _getframe().f_back)
    return _OK


def _on_mutex_lock(key: int, number: int) -> int:
    try:
        locks = _locks.get(key)
        if locks is None or number not in locks.mutexes:
            return _MUTEX_BAD
        locks.lock(locks.mutexes[number])
    except BaseException as error:
        return keep(error, _getframe().f_back)
    return _OK


def _on_mutex_unlock(key: int, number: int) -> int:
    try:
        locks = _locks.get(key)
        if locks is None or number not in locks.mutexes:
            return _MUTEX_BAD
        locks.unlock(locks.mutexes[number])
    except BaseException as error:
        return keep(error, _getframe().f_back)
    return _OK


_mutex_functions: Final = tuple(
    c_function(name, function, GENERAL_ERROR, escaped)
    for name, function in (
        ("on_mutex_create", _on_mutex_create),
        ("on_mutex_destroy", _on_mutex_destroy),
        ("on_mutex_lock", _on_mutex_lock),
        ("on_mutex_unlock", _on_mutex_unlock),
    )
)

# SPDX-License-Identifier: Apache-2.0
"""Locks: the four callables of ``CK_C_INITIALIZE_ARGS``, which a module calls to make and use its locks.

As in ``_pkcs11_callbacks``, the thunks are made once and never freed. libcside passes them the key of the callables
and the number of the lock.
"""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_ulong, c_void_p

from cside_ctypes._pkcs11_callbacks import OK, keys, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Locks", "forget_locks", "locks_struct"]

MUTEX_BAD = 0x1A0


class Locks:
    """The callables that one C_Initialize was given, and the locks that they made, by the numbers that C has."""

    __slots__ = ("create", "destroy", "key", "lock", "made", "unlock")

    def __init__(
        self,
        create: Callable[[], object],
        destroy: Callable[..., object],
        lock: Callable[..., object],
        unlock: Callable[..., object],
    ) -> None:
        self.create = create
        self.destroy = destroy
        self.lock = lock
        self.unlock = unlock
        self.made: dict[int, object] = {}
        self.key = next(keys)
        _locks[self.key] = self


_locks: dict[int, Locks] = {}


def forget_locks(locks: Locks) -> None:
    """Forget the callables and the locks that they made."""
    _locks.pop(locks.key, None)


def _create(user: int | None, out_mutex: Any) -> int:
    try:
        locks = _locks[user or 0]
        mutex = locks.create()
        key = next(keys)
        locks.made[key] = mutex
        out_mutex[0] = key
        return OK
    except BaseException as error:
        return refused(error)


def _destroy(user: int | None, mutex: int | None) -> int:
    try:
        locks = _locks.get(user or 0)
        if locks is None or mutex not in locks.made:
            return MUTEX_BAD
        locks.destroy(locks.made.pop(mutex))
        return OK
    except BaseException as error:
        return refused(error)


def _lock(user: int | None, mutex: int | None) -> int:
    try:
        locks = _locks.get(user or 0)
        if locks is None or mutex not in locks.made:
            return MUTEX_BAD
        locks.lock(locks.made[mutex])
        return OK
    except BaseException as error:
        return refused(error)


def _unlock(user: int | None, mutex: int | None) -> int:
    try:
        locks = _locks.get(user or 0)
        if locks is None or mutex not in locks.made:
            return MUTEX_BAD
        locks.unlock(locks.made[mutex])
        return OK
    except BaseException as error:
        return refused(error)


_create_type = CFUNCTYPE(c_ulong, c_void_p, POINTER(c_void_p))
_mutex_type = CFUNCTYPE(c_ulong, c_void_p, c_void_p)


class cs_pkcs11_locks(Structure):
    """``cs_pkcs11_locks`` of cside/pkcs11_shim.h."""

    __slots__ = ()
    _fields_ = (
        ("create", _create_type),
        ("destroy", _mutex_type),
        ("lock", _mutex_type),
        ("unlock", _mutex_type),
        ("user", c_void_p),
    )


_lock_thunks: list[tuple[Any, ...]] = []


def locks_struct(locks: Locks) -> cs_pkcs11_locks:
    """Make the struct of function pointers that libcside takes."""
    if not _lock_thunks:
        _lock_thunks.append((_create_type(_create), *map(_mutex_type, (_destroy, _lock, _unlock))))
    return cs_pkcs11_locks(*_lock_thunks[0], locks.key)

# SPDX-License-Identifier: Apache-2.0
"""Python callables behind the callbacks of PKCS #11.

There is one thunk per kind of callback, made when it is first needed and never freed; which callable is meant says the
pointer that C hands back, a number here. So a callback may close its own session, or finalise the module: only an entry
of a dictionary goes.

An exception in a callback waits in `pending` for the method whose native call runs the callback: the frame below.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from ctypes import CFUNCTYPE, POINTER, Structure, c_ulong, c_void_p, cast
from itertools import count

from cside_ctypes._library import PYPY
from cside_ctypes._pkcs11_arguments import number
from cside_ctypes._pkcs11_errors import PKCS11Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType
    from typing import Any

    from cside_native.pkcs11_types import Notify

__all__ = [
    "Locks",
    "forget_locks",
    "forget_notify",
    "locks_struct",
    "notify_pointer",
    "pending",
    "raise_pending",
    "register",
]

OK = 0
GENERAL_ERROR = 5
MUTEX_BAD = 0x1A0

pending: dict[FrameType, tuple[int, BaseException]] = {}
"""Exceptions on their way out: by the frame of the method that they come out of, with the thread's number."""


def raise_pending() -> None:
    """Raise what a callback raised during the native call of the calling frame."""
    frame = sys._getframe(1)
    waiting = pending.pop(frame, None)
    if waiting is not None:
        try:
            raise waiting[1]
        finally:
            del waiting  # the traceback has this frame in it: no cycle
    # A signal may have ended a method just before it came here. What is left of it belongs to no running call.
    thread = get_ident()
    mine = [frame for frame, (owner, _) in list(pending.items()) if owner == thread]
    if mine:
        running: FrameType | None = frame
        while running is not None:
            if running in mine:
                mine.remove(running)
            running = running.f_back
        for gone in mine:
            _unraisable(pending.pop(gone)[1])


def _refused(error: BaseException) -> int:
    """Put an exception by for the method below this callback, and say what the module is told."""
    caller = sys._getframe(1).f_back
    while caller is not None and caller.f_globals.get("__name__") == "_ctypes.function":
        caller = caller.f_back  # PyPy's ctypes is written in Python
    if caller is None or caller.f_globals.get("__package__") != __package__:
        _unraisable(error)
    elif caller in pending:
        _unraisable(error)  # it raised before: the first one comes out
    else:
        pending[caller] = (get_ident(), error)
    if isinstance(error, PKCS11Error):
        try:
            return number(error.rv)
        except (TypeError, OverflowError):
            pass  # it was made by hand, of something else
    return GENERAL_ERROR


if PYPY:
    from __pypy__ import write_unraisable  # type: ignore[import-not-found]

    def _unraisable(error: BaseException) -> None:
        write_unraisable("in a PKCS #11 callback", error, None)

else:
    _Raising = CFUNCTYPE(None)

    def _unraisable(error: BaseException) -> None:
        """Hand an exception to `sys.unraisablehook`, by raising it where ctypes can do nothing else with it."""

        def raising() -> None:
            raise error

        _Raising(raising)()


_numbers = count(1)
"""Never the same number twice, so that a late callback finds nothing, rather than another's callable."""


def _address(thunk: Any) -> int | None:
    return cast(thunk, c_void_p).value


# ---- sessions

_notifies: dict[int, Notify] = {}
_notify_type = CFUNCTYPE(c_ulong, c_ulong, c_ulong, c_void_p)
_notify_thunk: list[tuple[Any, int | None]] = []


def _notify(session: int, event: int, application: int | None) -> int:
    try:
        callback = _notifies.get(application or 0)
        if callback is None:
            return OK
        answer = callback(session, event)
        return OK if answer is None else number(answer)
    except BaseException as error:
        return _refused(error)


def register(callback: Notify) -> int:
    """Keep a callback; its number is the application's pointer."""
    key = next(_numbers)
    _notifies[key] = callback
    return key


def forget_notify(keys: Iterable[int]) -> None:
    """Let go of the callbacks of these numbers."""
    for key in keys:
        _notifies.pop(key, None)


def notify_pointer() -> int | None:
    """The address of the thunk for ``CK_NOTIFY``."""
    if not _notify_thunk:
        thunk = _notify_type(_notify)
        _notify_thunk.append((thunk, _address(thunk)))
    return _notify_thunk[0][1]


# ---- locks


class Locks:
    """The callables of one C_Initialize, and the objects that they made, by the numbers that C has for them."""

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
        self.key = next(_numbers)
        _locks[self.key] = self


_locks: dict[int, Locks] = {}


def forget_locks(locks: Locks) -> None:
    """Let go of the callables and of what they made."""
    _locks.pop(locks.key, None)


def _create(user: int | None, out_mutex: Any) -> int:
    try:
        locks = _locks[user or 0]
        mutex = locks.create()
        key = next(_numbers)
        locks.made[key] = mutex
        out_mutex[0] = key
        return OK
    except BaseException as error:
        return _refused(error)


def _destroy(user: int | None, mutex: int | None) -> int:
    try:
        locks = _locks.get(user or 0)
        if locks is None or mutex not in locks.made:
            return MUTEX_BAD
        locks.destroy(locks.made.pop(mutex))
        return OK
    except BaseException as error:
        return _refused(error)


def _lock(user: int | None, mutex: int | None) -> int:
    try:
        locks = _locks.get(user or 0)
        if locks is None or mutex not in locks.made:
            return MUTEX_BAD
        locks.lock(locks.made[mutex])
        return OK
    except BaseException as error:
        return _refused(error)


def _unlock(user: int | None, mutex: int | None) -> int:
    try:
        locks = _locks.get(user or 0)
        if locks is None or mutex not in locks.made:
            return MUTEX_BAD
        locks.unlock(locks.made[mutex])
        return OK
    except BaseException as error:
        return _refused(error)


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
    """The struct that libcside takes."""
    if not _lock_thunks:
        _lock_thunks.append((_create_type(_create), *map(_mutex_type, (_destroy, _lock, _unlock))))
    return cs_pkcs11_locks(*_lock_thunks[0], locks.key)

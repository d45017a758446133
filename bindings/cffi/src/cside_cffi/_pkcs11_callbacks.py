# SPDX-License-Identifier: Apache-2.0
"""What a PKCS #11 module calls back: locks, and notifications of sessions; and what becomes of their exceptions.

C gets a number for each set of locks and each ``Notify``, and a number for each mutex. A number never comes twice, so
that what C still calls after its end is nothing worse than unknown here.

An exception cannot pass through C. It waits in `raised` for the call under way on its thread, whose frame is the one
right below the callback's, since nothing of Python's stands between them; every call looks there when C returns.
"""

from __future__ import annotations

from _thread import allocate_lock
from itertools import count
from operator import index
from sys import _getframe

from cside_cffi._pkcs11_errors import PKCS11Error

from ._core import ffi
from ._mode import c_function
from ._pkcs11_memory import BITS, too_big

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, Final, NoReturn

_cast = ffi.cast
_new = ffi.new
_USER: Final = ffi.typeof("void *")
_OK: Final = 0
_GENERAL_ERROR: Final = 0x5
_MUTEX_BAD: Final = 0x1A0

raised: Final[dict[FrameType, BaseException]] = {}
"""By the frame of the call under way, what a callback raised in it."""

callers: Final[list[dict[str, Any]]] = []
"""The modules that call functions of PKCS #11, by their globals."""

_numbers: Final = count(1)


def check(rv: int, function: str) -> None:
    """Raise what a callback raised in the caller, or for a return value other than ``CKR_OK``."""
    if raised:
        error = raised.pop(_getframe(1), None)
        if error is not None:
            _raise(error)
    if rv:
        raise PKCS11Error(rv, function)


def _raise(error: BaseException) -> NoReturn:
    try:
        raise error
    finally:
        del error


def _on_report() -> int:
    raise _reported.pop()


_reported: Final[list[BaseException]] = []
_report: Final = c_function("on_report", _on_report, _OK, None)
"""What cffi finds raised in a callback it gives to ``sys.unraisablehook``, for which Python code cannot make the
argument; so this goes to C and comes back."""


def _keep(error: BaseException, caller: FrameType | None) -> int:
    """Keep an exception for the call under way, or report it where there is none; what C gets for it."""
    rv: object = error.rv if isinstance(error, PKCS11Error) else _GENERAL_ERROR
    if caller is not None and any(caller.f_globals is known for known in callers) and caller not in raised:
        raised[caller] = error
    else:
        _reported.append(error)
        _report()
    return rv if isinstance(rv, int) and not rv >> BITS else _GENERAL_ERROR


def _escaped(kind: type[BaseException], error: BaseException, trace: Any) -> int:
    """cffi's ``onerror``: what was raised where no more could be done, at the end of the stack."""
    return _keep(error.with_traceback(trace), trace.tb_frame.f_back)


def _answer(result: object) -> int:
    """A return value from what a callback returned."""
    if result is None:
        return _OK
    rv = index(result)  # type: ignore[arg-type]
    if rv >> BITS:
        raise too_big(rv)
    return rv


class Notification:
    """A ``Notify``, alive until `forget`."""

    __slots__ = ("function", "key", "slot", "user")

    def __init__(self, function: Callable[[int, int], int | None], slot: int) -> None:
        self.function = function
        self.slot = slot
        self.key = next(_numbers)
        self.user = _cast(_USER, self.key)
        _notifications[self.key] = self

    def forget(self) -> None:
        """C calls it no more."""
        _notifications.pop(self.key, None)


_notifications: Final[dict[int, Notification]] = {}


def _on_notify(session: int, event: int, key: int) -> int:
    try:
        notification = _notifications.get(key)
        return _OK if notification is None else _answer(notification.function(session, event))
    except BaseException as error:
        return _keep(error, _getframe().f_back)


notify: Final = c_function("on_notify", _on_notify, _GENERAL_ERROR, _escaped)
"""The pointer to hand to C, for all alike."""


class Locks:
    """Four callables for mutexes, and the mutexes that they made, alive until `forget`."""

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
        self.key = next(_numbers)
        self.struct = _new("cs_pkcs11_locks *", (*_mutex_functions, _cast(_USER, self.key)))
        _locks[self.key] = self

    def forget(self) -> None:
        """C calls them no more."""
        _locks.pop(self.key, None)


_locks: Final[dict[int, Locks]] = {}


def _on_mutex_create(key: int, out_mutex: Any) -> int:
    try:
        locks = _locks[key]
        mutex = locks.create()
        number = next(_numbers)
        locks.mutexes[number] = mutex
        out_mutex[0] = number
    except BaseException as error:
        return _keep(error, _getframe().f_back)
    return _OK


def _on_mutex_destroy(key: int, number: int) -> int:
    try:
        locks = _locks[key]
        if number not in locks.mutexes:
            return _MUTEX_BAD
        locks.destroy(locks.mutexes.pop(number))
    except BaseException as error:
        return _keep(error, _getframe().f_back)
    return _OK


def _on_mutex_lock(key: int, number: int) -> int:
    try:
        locks = _locks[key]
        if number not in locks.mutexes:
            return _MUTEX_BAD
        locks.lock(locks.mutexes[number])
    except BaseException as error:
        return _keep(error, _getframe().f_back)
    return _OK


def _on_mutex_unlock(key: int, number: int) -> int:
    try:
        locks = _locks[key]
        if number not in locks.mutexes:
            return _MUTEX_BAD
        locks.unlock(locks.mutexes[number])
    except BaseException as error:
        return _keep(error, _getframe().f_back)
    return _OK


_mutex_functions: Final = tuple(
    c_function(name, function, _GENERAL_ERROR, _escaped)
    for name, function in (
        ("on_mutex_create", _on_mutex_create),
        ("on_mutex_destroy", _on_mutex_destroy),
        ("on_mutex_lock", _on_mutex_lock),
        ("on_mutex_unlock", _on_mutex_unlock),
    )
)


class State:
    """What is alive because a native module may call it: the same for every `Module` that stands for that one."""

    __slots__ = ("initialised", "lock", "sessions")

    def __init__(self) -> None:
        self.sessions: dict[int, Notification] = {}
        self.initialised: list[tuple[Locks | None, list[Any]]] = []
        self.lock = allocate_lock()

    def opened(self, session: int, notification: Notification) -> None:
        """A session has been opened with this ``Notify``."""
        with self.lock:
            stale = self.sessions.get(session)
            self.sessions[session] = notification
        if stale is not None:
            stale.forget()

    def of_slot(self, slot: int | None) -> list[tuple[int, Notification]]:
        """The sessions of a slot, or all."""
        with self.lock:
            return [(s, n) for s, n in self.sessions.items() if slot is None or n.slot == slot]

    def closed(self, sessions: list[tuple[int, Notification]]) -> None:
        """These sessions have been closed; their numbers may be in use again."""
        with self.lock:
            for session, notification in sessions:
                if self.sessions.get(session) is notification:
                    del self.sessions[session]
        for _, notification in sessions:
            notification.forget()


_states: Final[dict[int, State]] = {}


def state(address: int) -> State:
    """That of the native module at this address."""
    return _states.setdefault(address, State())

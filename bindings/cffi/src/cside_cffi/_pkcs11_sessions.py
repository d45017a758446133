# SPDX-License-Identifier: Apache-2.0
"""Notifications of sessions, and what must stay alive as long as a PKCS #11 module may call it."""

from __future__ import annotations

import atexit
from _thread import allocate_lock
from sys import _getframe

from ._core import ffi
from ._idioms_callbacks import c_function
from ._pkcs11_callbacks import GENERAL_ERROR, answer, escaped, keep, numbers

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from ._pkcs11_locks import Locks

_cast = ffi.cast
_USER: Final = ffi.typeof("void *")
_OK: Final = 0


class Notification:
    """A ``Notify`` callable. C may call it until `forget`."""

    __slots__ = ("function", "key", "slot", "user")

    def __init__(self, function: Callable[[int, int], int | None], slot: int) -> None:
        self.function = function
        self.slot = slot
        self.key = next(numbers)
        self.user = _cast(_USER, self.key)
        _notifications[self.key] = self

    def forget(self) -> None:
        """Drop it: C calls it no more."""
        _notifications.pop(self.key, None)


_notifications: Final[dict[int, Notification]] = {}


def _on_notify(session: int, event: int, key: int) -> int:
    try:
        notification = _notifications.get(key)
        return _OK if notification is None else answer(notification.function(session, event))
    except BaseException as error:
        return keep(error, _getframe().f_back)


notify: Final = c_function("on_notify", _on_notify, GENERAL_ERROR, escaped)
"""The C function pointer of every ``Notify``; C gets the number of each as ``pApplication``."""


class State:
    """What must stay alive because a native module may call it. All `Module` objects of one native module share it."""

    __slots__ = ("finalize", "initialised", "lock", "sessions")

    def __init__(self, finalize: Callable[[Any], int]) -> None:
        self.finalize = finalize
        self.sessions: dict[int, Notification] = {}
        self.initialised: list[tuple[Locks | None, list[Any]]] = []
        self.lock = allocate_lock()

    def opened(self, session: int, notification: Notification) -> None:
        """Note that a session has been opened with this ``Notify``."""
        with self.lock:
            stale = self.sessions.get(session)
            self.sessions[session] = notification
        if stale is not None:
            stale.forget()

    def of_slot(self, slot: int | None) -> list[tuple[int, Notification]]:
        """Return the sessions of a slot, or all of them for ``None``."""
        with self.lock:
            return [(s, n) for s, n in self.sessions.items() if slot is None or n.slot == slot]

    def closed(self, sessions: list[tuple[int, Notification]]) -> None:
        """Note that these sessions have been closed. Their handles may already belong to new sessions."""
        with self.lock:
            for session, notification in sessions:
                if self.sessions.get(session) is notification:
                    del self.sessions[session]
        for _, notification in sessions:
            notification.forget()


_states: Final[dict[int, State]] = {}


def state(address: int, finalize: Callable[[Any], int]) -> State:
    """Return the `State` of the native module at this address, whose ``C_Finalize`` is ``finalize``."""
    return _states.setdefault(address, State(finalize))


def _finalize_at_exit() -> None:
    """Finalise the native modules that have callbacks of ours, because they would call them after the end of Python.

    The destructors of SoftHSM2, for one, destroy its mutexes. `keep` reports what a callback raises here.
    """
    for alive in list(_states.values()):
        if alive.sessions or any(locks is not None for locks, _ in alive.initialised):
            alive.finalize(ffi.NULL)


atexit.register(_finalize_at_exit)

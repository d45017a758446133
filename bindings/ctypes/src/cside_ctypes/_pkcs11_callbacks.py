# SPDX-License-Identifier: Apache-2.0
"""Callbacks: the notifications of sessions, and exceptions that callbacks raise.

Every kind of callback has one thunk, which is made when it is first needed and never freed. C passes a pointer back to
the thunk, which is a number here and the key of the Python callable in a dictionary. Therefore a callback may close its
own session or finalise the module: that removes an entry of the dictionary and frees no thunk that is running.

An exception that a callback raises is stored in `pending` under the frame of the method whose native call runs the
callback. The method raises it when the native call has returned.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from ctypes import CFUNCTYPE, c_ulong, c_void_p, cast
from itertools import count

from cside_ctypes._native import PYPY
from cside_ctypes._pkcs11_arguments import number
from cside_ctypes._pkcs11_errors import PKCS11Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType
    from typing import Any

    from cside_native.pkcs11_types import Notify

__all__ = [
    "GENERAL_ERROR",
    "OK",
    "forget_notify",
    "keys",
    "notify_pointer",
    "pending",
    "raise_pending",
    "refused",
    "register",
    "thunk_address",
]

OK = 0
GENERAL_ERROR = 5

pending: dict[FrameType, tuple[int, BaseException]] = {}
"""Exceptions of callbacks, by the frame of the method that will raise them, each with the number of its thread."""


def raise_pending() -> None:
    """Raise the exception that a callback raised during the native call of the calling frame, if there is one."""
    frame = sys._getframe(1)
    waiting = pending.pop(frame, None)
    if waiting is not None:
        try:
            raise waiting[1]
        finally:
            del waiting  # its traceback refers to this frame: no cycle
    # A signal may have ended a method before it came here. Then an exception of this thread is left over, which belongs
    # to no running call.
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


def refused(error: BaseException) -> int:
    """Store an exception for the method that runs the calling callback. Returns the return value for the module."""
    caller = sys._getframe(1).f_back
    while caller is not None and caller.f_globals.get("__name__") == "_ctypes.function":
        caller = caller.f_back  # PyPy's ctypes is written in Python
    if caller is None or caller.f_globals.get("__package__") != __package__:
        _unraisable(error)
    elif caller in pending:
        _unraisable(error)  # the method raises the first exception of its callbacks
    else:
        pending[caller] = (get_ident(), error)
    if isinstance(error, PKCS11Error):
        try:
            return number(error.rv)
        except (TypeError, OverflowError):
            pass  # the caller made this PKCS11Error, with something that is no CK_RV
    return GENERAL_ERROR


if PYPY:
    from __pypy__ import write_unraisable  # type: ignore[import-not-found]

    def _unraisable(error: BaseException) -> None:
        write_unraisable("in a PKCS #11 callback", error, None)

else:
    _Raising = CFUNCTYPE(None)

    def _unraisable(error: BaseException) -> None:
        """Pass an exception to `sys.unraisablehook`. ctypes does so with one that is raised in a thunk."""

        def raising() -> None:
            raise error

        _Raising(raising)()


keys = count(1)
"""Keys of callables. None is used twice, so that a late callback finds no callable rather than another one."""


def thunk_address(thunk: Any) -> int | None:
    """The address of a thunk, as a number."""
    return cast(thunk, c_void_p).value


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
        return refused(error)


def register(callback: Notify) -> int:
    """Keep a callback and return its key, which is the application's pointer."""
    key = next(keys)
    _notifies[key] = callback
    return key


def forget_notify(keys: Iterable[int]) -> None:
    """Forget the callbacks of these keys."""
    for key in keys:
        _notifies.pop(key, None)


def notify_pointer() -> int | None:
    """The address of the thunk for ``CK_NOTIFY``."""
    if not _notify_thunk:
        thunk = _notify_type(_notify)
        _notify_thunk.append((thunk, thunk_address(thunk)))
    return _notify_thunk[0][1]

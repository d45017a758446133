# SPDX-License-Identifier: Apache-2.0
"""Opening a module, and the methods that do more than convert arguments and results."""

from __future__ import annotations

import atexit
import os
from _operator import index
from ctypes import POINTER, c_char_p, c_int32, c_ulong, c_void_p, sizeof, string_at

from cside_native.pkcs11_types import CK_ASYNC_DATA, CK_C_INITIALIZE_ARGS, CK_INTERFACE, CK_VERSION

from cside_ctypes._idioms_errors import E_NOT_FOUND, raise_status
from cside_ctypes._native import held, released
from cside_ctypes._pkcs11_arguments import byte_string, c_string, let_go, number, pointer, reference, ulong, version
from cside_ctypes._pkcs11_attributes import attributes
from cside_ctypes._pkcs11_callbacks import forget_notify, notify_pointer, pending, raise_pending, register
from cside_ctypes._pkcs11_errors import PKCS11Error
from cside_ctypes._pkcs11_functions import Functions
from cside_ctypes._pkcs11_list import ARGUMENTS, CK_FUNCTION_LIST_3_2, bound
from cside_ctypes._pkcs11_locks import Locks, forget_locks, locks_struct
from cside_ctypes._pkcs11_results import VERSIONS, larger_list, overrun, text_of
from cside_ctypes._pkcs11_structs import CK_ASYNC_DATA as CK_ASYNC_DATA_struct
from cside_ctypes._pkcs11_structs import CK_INTERFACE as CK_INTERFACE_struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn, SupportsIndex

    from cside_native.pkcs11_types import Notify

__all__ = ["Module", "load", "rv_name"]

_ARGUMENTS_BAD = 7
_E_STATE = -106
_INTERFACES = 8

_open = released("cs_pkcs11_open", c_int32, c_char_p, POINTER(c_void_p))
_load_error = held("cs_pkcs11_load_error", c_char_p)
_path = held("cs_pkcs11_path", c_char_p, c_void_p)
_functions = held("cs_pkcs11_functions", c_void_p, c_void_p)
_initialize = released("cs_pkcs11_initialize", c_ulong, c_void_p, c_void_p, c_ulong, c_void_p)
_rv_name = held("cs_pkcs11_rv_name", c_char_p, c_ulong)

_modules: dict[int, Module] = {}
"""All open modules, by their native address. Modules stay loaded until the process ends, so each has one object."""


class Module(Functions):
    """An open PKCS #11 module, made by ``load``; its class cannot be called."""

    __slots__ = ("__weakref__", "_handle", "_list", "_locks", "_reserved", "_sessions")

    _handle: int
    _list: CK_FUNCTION_LIST_3_2
    _locks: Locks | None
    """The callables for locks that C_Initialize was given."""
    _reserved: tuple[object, Any] | None
    """The reserved argument of C_Initialize, which the module may read until C_Finalize, and the hold on it."""
    _sessions: dict[int, tuple[int, int]]
    """The slot and the key of the callback for each session that has a callback."""

    def __new__(cls, *args: object, **kwargs: object) -> Module:
        raise TypeError(f"cannot create '{cls.__name__}' instances: use load()")

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")  # copy.copy() comes here too

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path!r}>"

    @property
    def path(self) -> str:
        """The path that the module was loaded from."""
        return os.fsdecode(_path(self._handle))

    @property
    def version(self) -> CK_VERSION:
        """The version of the module's newest function list."""
        own = self._list.version
        return CK_VERSION(own.major, own.minor)

    def C_Initialize(self, pInitArgs: CK_C_INITIALIZE_ARGS | None = None, /) -> None:
        """Make the module ready; NULL or a CK_C_INITIALIZE_ARGS. Once per process until C_Finalize."""
        if pInitArgs is None:
            rv = self._C_Initialize(None)
            if pending:
                raise_pending()
            if rv:
                raise PKCS11Error(rv, "C_Initialize")
            return
        if not isinstance(pInitArgs, CK_C_INITIALIZE_ARGS):
            raise TypeError(f"a CK_C_INITIALIZE_ARGS or None is required, not '{type(pInitArgs).__name__}'")
        create, destroy, lock, unlock, flags, reserved = pInitArgs
        given = 0
        for callback in (create, destroy, lock, unlock):
            if callback is not None:
                given += 1
                if not callable(callback):
                    raise TypeError(f"'{type(callback).__name__}' object is not callable")
        flags = number(flags)
        reserved_c, _, reserved_h = byte_string(reserved)
        locks = None
        kept = False
        try:
            struct = None
            if create is not None and destroy is not None and lock is not None and unlock is not None:
                locks = Locks(create, destroy, lock, unlock)
                struct = locks_struct(locks)
            elif given:
                raise PKCS11Error(_ARGUMENTS_BAD, "C_Initialize")
            rv = _initialize(self._handle, None if struct is None else reference(struct), flags, reserved_c)
            kept = rv == 0
            if pending:
                raise_pending()
            if rv:
                raise PKCS11Error(rv, "C_Initialize")
        finally:
            if kept:
                self._locks = locks
                self._reserved = (reserved, reserved_h)
            else:
                if locks is not None:
                    forget_locks(locks)
                if reserved_h is not None:
                    let_go(reserved_h)

    def C_Finalize(self) -> None:
        """Give up everything the module holds for this process. `pReserved` is NULL."""
        locks, reserved, sessions = self._locks, self._reserved, list(self._sessions.items())
        rv = self._C_Finalize(None)
        if not rv:
            if locks is not None:
                forget_locks(locks)
                if self._locks is locks:
                    self._locks = None
            if reserved is not None and self._reserved is reserved:
                self._reserved = None
                if reserved[1] is not None:
                    let_go(reserved[1])
            self._forget(sessions)
        if pending:
            raise_pending()
        if rv:
            raise PKCS11Error(rv, "C_Finalize")

    def _forget(self, sessions: Iterable[tuple[int, tuple[int, int]]]) -> None:
        """Forget the callbacks of sessions that have ended."""
        for session, entry in sessions:
            if self._sessions.get(session) is entry:
                del self._sessions[session]
            forget_notify((entry[1],))

    def C_GetFunctionList(self) -> CK_VERSION:
        """The 2.x function list, which belongs to the module. Works before C_Initialize."""
        out = c_void_p()
        rv = self._C_GetFunctionList(reference(out))
        if pending:
            raise_pending()
        if rv:
            raise PKCS11Error(rv, "C_GetFunctionList")
        return _version_at("C_GetFunctionList", out.value)

    def C_GetInterfaceList(self) -> list[CK_INTERFACE]:
        """The interfaces that the module offers. Works before C_Initialize."""
        limit = _INTERFACES
        cell = c_ulong(limit)
        room = (CK_INTERFACE_struct * limit)()
        rv = self._C_GetInterfaceList(reference(room), reference(cell))
        if pending:
            raise_pending()
        if rv:
            # Called for its checks and for MemoryError; the memory that it allocates is not used.
            limit = larger_list(rv, "C_GetInterfaceList", cell, limit, sizeof(CK_INTERFACE_struct))[0]
            room = (CK_INTERFACE_struct * limit)()
            rv = self._C_GetInterfaceList(reference(room), reference(cell))
            if pending:
                raise_pending()
            if rv:
                raise PKCS11Error(rv, "C_GetInterfaceList")
        count = cell.value
        if count > limit:
            raise overrun("C_GetInterfaceList", "items", count, limit)
        return [_interface(room[i]) for i in range(count)]

    def C_GetInterface(
        self, pInterfaceName: str | None, pVersion: tuple[int, int] | None, flags: SupportsIndex, /
    ) -> CK_INTERFACE:
        """An interface by name, version and flags; NULL for the default of each. Works before C_Initialize."""
        name_c, name_h = c_string(pInterfaceName)
        version_h = None
        try:
            version_c, version_h = version(pVersion)
            flags_c = ulong[flags if type(flags) is int else index(flags)]
            out = c_void_p()
            rv = self._C_GetInterface(name_c, version_c, reference(out), flags_c)
            if pending:
                raise_pending()
            if rv:
                raise PKCS11Error(rv, "C_GetInterface")
            if out.value is None:
                raise RuntimeError("C_GetInterface: the module reports success, but no interface")
            return _interface(CK_INTERFACE_struct.from_address(out.value))
        finally:
            for hold in (name_h, version_h):
                if hold is not None:
                    let_go(hold)

    def C_OpenSession(self, slotID: SupportsIndex, flags: SupportsIndex, Notify: Notify | None = None, /) -> int:
        """Open a session with a token. `Notify` is called with `pApplication` on events, and may be NULL."""
        slot = number(slotID)
        flags_c = ulong[flags if type(flags) is int else index(flags)]
        out = c_ulong()
        if Notify is None:
            rv = self._C_OpenSession(ulong[slot], flags_c, None, None, reference(out))
            if pending:
                raise_pending()
            if rv:
                raise PKCS11Error(rv, "C_OpenSession")
            return out.value
        if not callable(Notify):
            raise TypeError(f"'{type(Notify).__name__}' object is not callable")
        key = register(Notify)
        kept = False
        try:
            rv = self._C_OpenSession(ulong[slot], flags_c, pointer(key), pointer(notify_pointer()), reference(out))
            if not rv:
                kept = True
                old = self._sessions.get(out.value)
                self._sessions[out.value] = (slot, key)
                if old is not None:
                    forget_notify((old[1],))  # the module has reused the handle: the old session ended unnoticed
            if pending:
                raise_pending()
            if rv:
                raise PKCS11Error(rv, "C_OpenSession")
            return out.value
        finally:
            if not kept:
                forget_notify((key,))

    def C_CloseSession(self, hSession: SupportsIndex, /) -> None:
        """Close a session, and destroy its session objects. The last one logs out."""
        session = hSession if type(hSession) is int else index(hSession)
        entry = self._sessions.get(session)
        rv = self._C_CloseSession(ulong[session])
        if not rv and entry is not None:
            # Another thread may have got the same handle meanwhile. Its entry is another object and stays.
            self._forget([(session, entry)])
        if pending:
            raise_pending()
        if rv:
            raise PKCS11Error(rv, "C_CloseSession")

    def C_CloseAllSessions(self, slotID: SupportsIndex, /) -> None:
        """Close all of this process's sessions with a token."""
        slot = slotID if type(slotID) is int else index(slotID)
        slot_c = ulong[slot]
        entries = [item for item in list(self._sessions.items()) if item[1][0] == slot]
        rv = self._C_CloseAllSessions(slot_c)
        if not rv:
            self._forget(entries)
        if pending:
            raise_pending()
        if rv:
            raise PKCS11Error(rv, "C_CloseAllSessions")

    def C_GetAttributeValue(
        self, hSession: SupportsIndex, hObject: SupportsIndex, pTemplate: Iterable[int | tuple[int, int]], /
    ) -> list[tuple[int, bytes | None]]:
        """Read attributes into the template. One that is not to be had gets CK_UNAVAILABLE_INFORMATION as its
        length; the others are filled in all the same.
        """
        hSession_c = ulong[hSession if type(hSession) is int else index(hSession)]
        hObject_c = ulong[hObject if type(hObject) is int else index(hObject)]
        return attributes(self._C_GetAttributeValue, hSession_c, hObject_c, pTemplate)

    def C_AsyncComplete(self, hSession: SupportsIndex, pFunctionName: str | None, /) -> CK_ASYNC_DATA:
        """Whether an asynchronous call has ended, and its results."""
        hSession_c = ulong[hSession if type(hSession) is int else index(hSession)]
        name_c, name_h = c_string(pFunctionName)
        try:
            out = CK_ASYNC_DATA_struct()
            rv = self._C_AsyncComplete(hSession_c, name_c, reference(out))
            if pending:
                raise_pending()
            if rv:
                raise PKCS11Error(rv, "C_AsyncComplete")
            value = string_at(out.pValue, out.ulValue) if out.pValue else None
            return CK_ASYNC_DATA(out.ulVersion, value, out.hObject, out.hAdditionalObject)
        finally:
            if name_h is not None:
                let_go(name_h)


def _version_at(function: str, address: int | None) -> CK_VERSION:
    """The version at the start of the function list at `address`."""
    if address is None:
        raise RuntimeError(f"{function}: the module reports success, but no list")
    return VERSIONS[string_at(address, 2)]


def _interface(struct: Any) -> CK_INTERFACE:
    name = struct.pInterfaceName
    return CK_INTERFACE(
        text_of(string_at(name)) if name else "",
        _version_at("C_GetInterface", struct.pFunctionList),
        struct.flags,
    )


def _finalize_at_exit() -> None:
    """Finalise the modules that have locks of ours, because they would call them after the end of Python."""
    for module in list(_modules.values()):
        if module._locks is not None:
            module._C_Finalize(None)


atexit.register(_finalize_at_exit)


def load(path: str | bytes | os.PathLike[str] | os.PathLike[bytes] | None = None, /) -> Module:
    """Open the PKCS #11 module at ``path`` and return an object with its functions as methods.

    None opens the default module: the file that the environment variable CSIDE_PKCS11_MODULE
    names, or else the software token beside libcside. The same file may be loaded again.

    Raises `OSError` with the reason if the file cannot be opened as a module; `ValueError` if
    ``path`` is empty or contains a NUL; `TypeError` if it is not a path; `RuntimeError` if too
    many different modules are open.
    """
    raw = None
    if path is not None:
        raw = os.fsencode(path)
        if 0 in raw:
            raise ValueError("embedded null byte")
    out = c_void_p()
    status = _open(raw, out)
    if status < 0:
        message = os.fsdecode(_load_error())
        if status == E_NOT_FOUND:
            raise OSError(message)
        if status == _E_STATE:
            raise RuntimeError(message)
        raise_status(status)
    handle = out.value
    assert handle is not None
    found = _modules.get(handle)
    if found is not None:
        return found
    address = _functions(handle)
    assert address is not None
    made: Module = object.__new__(Module)
    made._handle = handle
    made._list = CK_FUNCTION_LIST_3_2.from_address(address)
    made._locks = made._reserved = None
    made._sessions = {}
    for name in ARGUMENTS:
        setattr(made, f"_{name}", bound(made._list, name))
    return _modules.setdefault(handle, made)


def rv_name(rv: SupportsIndex, /) -> str | None:
    """Return the standard's name of a return value, or None if it does not define one.

    The name of 0xA0 is 'CKR_PIN_INCORRECT'.

    Raises `OverflowError` if ``rv`` does not fit ``CK_ULONG``; `TypeError` if it has no
    ``__index__``.
    """
    name = _rv_name(number(rv))
    return None if name is None else name.decode()

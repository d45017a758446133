# SPDX-License-Identifier: Apache-2.0
"""`load` and `Module`: an open PKCS #11 module, with those functions that are written by hand.

These functions do more than convert their arguments and results: they keep callbacks alive, repeat a call, or follow
pointers to memory of the module. `Functions` has the generated ones, `Attributes` the one that reads attributes.
"""

from __future__ import annotations

from operator import index
from os import fsdecode, fsencode
from types import MethodType

from cside_native.pkcs11_types import CK_ASYNC_DATA, CK_C_INITIALIZE_ARGS, CK_INTERFACE, CK_VERSION

from cside_cffi._pkcs11_errors import PKCS11Error

from . import _API_MODE
from ._core import ffi, lib
from ._pkcs11_attributes import Attributes
from ._pkcs11_callbacks import callers, check, raised
from ._pkcs11_functions import Functions
from ._pkcs11_locks import Locks
from ._pkcs11_memory import ADDRESS, NULL, ULONG, c_string, cells, done, overrun, ulong
from ._pkcs11_sessions import Notification, notify, state

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from typing import Any, Final, NoReturn, Self, SupportsIndex

    from cside_native.pkcs11_types import Notify

    from ._pkcs11_sessions import State

_new = ffi.new
_cast = ffi.cast
_string = ffi.string
_buffer = ffi.buffer
_typeof = ffi.typeof
_initialize = lib.cs_pkcs11_initialize
_open = lib.cs_pkcs11_open
_TOO_SMALL: Final = 0x150
"""``CKR_BUFFER_TOO_SMALL``"""
_ARGUMENTS_BAD: Final = 0x7
"""``CKR_ARGUMENTS_BAD``"""
_INTERFACES_COUNT: Final = 8
_POINTERS: Final = _typeof("void **")
_VERSION: Final = _typeof("CK_VERSION *")
_INTERFACE: Final = _typeof("CK_INTERFACE *")
_INTERFACES: Final = _typeof("CK_INTERFACE[]")
_ASYNC_DATA: Final = _typeof("CK_ASYNC_DATA *")
_CHAR: Final = _typeof("char *")


def _version(pointer: Any) -> CK_VERSION:
    """Return the version at the beginning of a function list."""
    if not pointer:
        return CK_VERSION(0, 0)
    version = _cast(_VERSION, pointer)
    return CK_VERSION(version.major, version.minor)


def _interface(interface: Any) -> CK_INTERFACE:
    name = interface.pInterfaceName
    text = _string(_cast(_CHAR, name)).decode("utf-8", "surrogateescape") if name else ""
    return CK_INTERFACE(text, _version(interface.pFunctionList), interface.flags)


class Module(Attributes):
    """An open PKCS #11 module, made by ``load``; its class cannot be called."""

    __slots__ = ("__weakref__", "_address", "_path", "_state", "_version")
    _address: Any
    _path: str
    _state: State
    _version: CK_VERSION

    def __new__(cls) -> Self:
        """Raise `TypeError`: only `load` makes modules."""
        raise TypeError("a Module comes from load()")

    @property
    def path(self) -> str:
        """The path that the module was loaded from."""
        return self._path

    @property
    def version(self) -> CK_VERSION:
        """The version of the module's newest function list."""
        return self._version

    def __repr__(self) -> str:
        kind = type(self)
        version = ".".join(map(str, self._version))
        return f"<{kind.__module__}.{kind.__name__} {self._path!r}, PKCS #11 {version}>"

    def C_Initialize(self, pInitArgs: CK_C_INITIALIZE_ARGS | None = None, /) -> None:
        """Make the module ready; NULL or a CK_C_INITIALIZE_ARGS. Once per process until C_Finalize."""
        if pInitArgs is None:
            rv = self._C_Initialize(NULL)
            if rv or raised:
                check(rv, "C_Initialize")
            return
        if not isinstance(pInitArgs, CK_C_INITIALIZE_ARGS):
            raise TypeError(f"a CK_C_INITIALIZE_ARGS or None is required, not '{type(pInitArgs).__name__}'")
        *functions, flags, reserved = pInitArgs
        for callback in functions:
            if callback is not None and not callable(callback):
                raise TypeError(f"a callback must be callable, not '{type(callback).__name__}'")
        flags = ulong(flags)
        views = [] if reserved is None else [ffi.from_buffer(reserved)]
        locks = None
        try:
            given = sum(callback is not None for callback in functions)
            if given not in (0, len(functions)):
                raise PKCS11Error(_ARGUMENTS_BAD, "C_Initialize")
            locks = Locks(*functions) if given else None  # type: ignore[arg-type]
            rv = _initialize(
                self._address, locks.struct if locks is not None else NULL, flags, views[0] if views else NULL
            )
            if not rv:
                kept = self._state.initialised
                kept.append((locks, views))
                locks, views = None, []
        finally:
            done(views)
            if locks is not None:
                locks.forget()
        if rv or raised:
            check(rv, "C_Initialize")

    def C_Finalize(self) -> None:
        """Give up everything the module holds for this process. `pReserved` is NULL."""
        alive = self._state
        initialised = alive.initialised[:]
        sessions = alive.of_slot(None)
        rv = self._C_Finalize(NULL)
        if not rv:
            alive.closed(sessions)
            for item in initialised:
                try:
                    alive.initialised.remove(item)
                except ValueError:
                    continue  # another thread has removed it
                locks, views = item
                done(views)
                if locks is not None:
                    locks.forget()
        if rv or raised:
            check(rv, "C_Finalize")

    def C_OpenSession(self, slotID: SupportsIndex, flags: SupportsIndex, Notify: Notify | None = None, /) -> int:
        """Open a session with a token. `Notify` is called with `pApplication` on events, and may be NULL."""
        slot = ulong(slotID)
        flags = ulong(flags)
        try:
            cell = cells.pop()
        except IndexError:
            cell = _new(ULONG)
        if Notify is None:
            rv = self._C_OpenSession(slot, flags, NULL, NULL, cell)
            session: int = cell[0]
        else:
            if not callable(Notify):
                raise TypeError(f"the callback must be callable, not '{type(Notify).__name__}'")
            notification = Notification(Notify, slot)
            rv = self._C_OpenSession(slot, flags, notification.user, notify, cell)
            session = cell[0]
            if rv:
                notification.forget()
            else:
                self._state.opened(session, notification)
        cells.append(cell)
        if rv or raised:
            check(rv, "C_OpenSession")
        return session

    def C_CloseSession(self, hSession: SupportsIndex, /) -> None:
        """Close a session, and destroy its session objects. The last one logs out."""
        session = ulong(hSession)
        notification = self._state.sessions.get(session)
        rv = self._C_CloseSession(session)
        if notification is not None and not rv:
            self._state.closed([(session, notification)])
        if rv or raised:
            check(rv, "C_CloseSession")

    def C_CloseAllSessions(self, slotID: SupportsIndex, /) -> None:
        """Close all of this process's sessions with a token."""
        slot = ulong(slotID)
        sessions = self._state.of_slot(slot)
        rv = self._C_CloseAllSessions(slot)
        if sessions and not rv:
            self._state.closed(sessions)
        if rv or raised:
            check(rv, "C_CloseAllSessions")

    def C_GetFunctionList(self) -> CK_VERSION:
        """The 2.x function list, which belongs to the module. Works before C_Initialize."""
        pointer = _new(_POINTERS)
        rv = self._C_GetFunctionList(pointer)
        if rv or raised:
            check(rv, "C_GetFunctionList")
        return _version(pointer[0])

    def C_GetInterfaceList(self) -> list[CK_INTERFACE]:
        """The interfaces that the module offers. Works before C_Initialize."""
        room = _INTERFACES_COUNT
        out = _new(_INTERFACES, room)
        size = _new(ULONG, room)
        rv = self._C_GetInterfaceList(out, size)
        count: int = size[0]
        if rv == _TOO_SMALL and count > room:
            room = count
            out = _new(_INTERFACES, room)
            rv = self._C_GetInterfaceList(out, size)
            count = size[0]
        if rv or raised:
            check(rv, "C_GetInterfaceList")
        if count > room:
            raise overrun("C_GetInterfaceList", count, room, "items")
        return [_interface(out[i]) for i in range(count)]

    def C_GetInterface(
        self, pInterfaceName: str | None, pVersion: tuple[int, int] | None, flags: SupportsIndex, /
    ) -> CK_INTERFACE:
        """An interface by name, version and flags; NULL for the default of each. Works before C_Initialize."""
        name = c_string(pInterfaceName)
        version = NULL
        if pVersion is not None:
            if not isinstance(pVersion, tuple) or len(pVersion) != 2:
                raise TypeError("a version must be a pair of integers")
            version = _new(_VERSION, (index(pVersion[0]), index(pVersion[1])))
        pointer = _new(_POINTERS)
        rv = self._C_GetInterface(name, version, pointer, ulong(flags))
        if rv or raised:
            check(rv, "C_GetInterface")
        return _interface(_cast(_INTERFACE, pointer[0]))

    def C_AsyncComplete(self, hSession: SupportsIndex, pFunctionName: str | None, /) -> CK_ASYNC_DATA:
        """Whether an asynchronous call has ended, and its results."""
        session = ulong(hSession)
        name = c_string(pFunctionName)
        data = _new(_ASYNC_DATA)
        rv = self._C_AsyncComplete(session, name, data)
        if rv or raised:
            check(rv, "C_AsyncComplete")
        value: bytes | None = _buffer(data.pValue, data.ulValue)[:] if data.pValue else None
        return CK_ASYNC_DATA(data.ulVersion, value, data.hObject, data.hAdditionalObject)


if _API_MODE:

    def _function(functions: Any, name: str) -> Callable[..., int]:
        """Return a function of the list ``functions``: a C shim, which takes the list first, bound to it as a method.

        A bound method costs no more than passing the list, and its callers need not know the mode.
        """
        return MethodType(getattr(lib, "shim_" + name), functions)

else:

    def _function(functions: Any, name: str) -> Callable[..., int]:
        """Return a function of the list ``functions``: the pointer in the list, looked up once."""
        pointer: Callable[..., int] = getattr(functions, name)
        return pointer


def load(path: str | bytes | PathLike[str] | PathLike[bytes] | None = None, /) -> Module:
    """Open the PKCS #11 module at ``path`` and return an object with its functions as methods.

    None opens the default module: the file that the environment variable CSIDE_PKCS11_MODULE
    names, or else the software token beside libcside. The same file may be loaded again.

    Raises `OSError` with the reason if the file cannot be opened as a module; `ValueError` if
    ``path`` is empty or contains a NUL; `TypeError` if it is not a path; `RuntimeError` if too
    many different modules are open.
    """
    name = NULL
    if path is not None:
        name = fsencode(path)
        if 0 in name:
            raise ValueError("embedded null character")
    out = _new("cs_pkcs11_module **")
    status: int = _open(name, out)
    if status:
        _refused(status)
    address = out[0]
    functions = lib.cs_pkcs11_functions(address)
    self = object.__new__(Module)
    self._address = address
    self._path = fsdecode(_string(lib.cs_pkcs11_path(address)))
    self._version = _version(functions)
    for slot in Functions.__slots__:
        setattr(self, slot, _function(functions, slot[1:]))
    self._state = state(int(_cast(ADDRESS, address)), self._C_Finalize)
    return self


def _refused(status: int) -> NoReturn:
    text = _string(lib.cs_pkcs11_load_error()).decode("utf-8", "surrogateescape")
    if status == lib.CS_E_ARGUMENT:
        raise ValueError(text or "empty path")
    if status == lib.CS_E_NOT_FOUND:
        raise OSError(text)
    if status == lib.CS_E_MEMORY:
        raise MemoryError
    raise RuntimeError(text or _string(lib.cs_status_message(status)).decode())


def rv_name(rv: SupportsIndex, /) -> str | None:
    """Return the standard's name of a return value, or None if it does not define one.

    The name of 0xA0 is 'CKR_PIN_INCORRECT'.

    Raises `OverflowError` if ``rv`` does not fit ``CK_ULONG``; `TypeError` if it has no
    ``__index__``.
    """
    name = lib.cs_pkcs11_rv_name(index(rv))
    return _string(name).decode() if name else None


callers.append(globals())

# SPDX-License-Identifier: Apache-2.0
"""``Module``: the functions of PKCS #11 that do more than convert, beside the generated ones; and `load`.

They keep callbacks alive, ask again for attributes, or follow pointers to what belongs to the module.
"""

from __future__ import annotations

from operator import index
from os import fsdecode, fsencode

from cside_native.pkcs11_types import CK_ASYNC_DATA, CK_C_INITIALIZE_ARGS, CK_INTERFACE, CK_VERSION

from cside_cffi._pkcs11_errors import PKCS11Error

from ._core import ffi, lib
from ._pkcs11_callbacks import Locks, Notification, callers, check, notify, raised, state
from ._pkcs11_functions import Functions
from ._pkcs11_memory import (
    ADDRESS,
    BITS,
    BLOCK_NBYTES,
    CHARS,
    NULL,
    ULONG,
    allocate,
    block,
    blocks,
    c_string,
    cells,
    done,
    frame,
    overrun,
    too_big,
    ulong,
)
from ._pkcs11_mode import function
from ._pkcs11_templates import ROOM_ALIGN, wanted

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any, Final, NoReturn, Self, SupportsIndex

    from cside_native.pkcs11_types import Notify

    from ._pkcs11_callbacks import State

_new = ffi.new
_cast = ffi.cast
_string = ffi.string
_buffer = ffi.buffer
_typeof = ffi.typeof
_initialize = lib.cs_pkcs11_initialize
_open = lib.cs_pkcs11_open
_UNAVAILABLE: Final = (1 << BITS) - 1
_NESTED: Final = frozenset({0x40000211, 0x40000212, 0x40000213})
"""``CKA_WRAP_TEMPLATE``, ``CKA_UNWRAP_TEMPLATE``, ``CKA_DERIVE_TEMPLATE``: made of pointers of their own."""
_OK: Final = 0
_TOO_SMALL: Final = 0x150
_PARTIAL: Final = frozenset({_TOO_SMALL, 0x11, 0x12})
"""``CKR_BUFFER_TOO_SMALL``, ``CKR_ATTRIBUTE_SENSITIVE``, ``CKR_ATTRIBUTE_TYPE_INVALID``: the others were read."""
_ARGUMENTS_BAD: Final = 0x7
_INTERFACES_COUNT: Final = 8
_POINTERS: Final = _typeof("void **")
_VERSION: Final = _typeof("CK_VERSION *")
_INTERFACE: Final = _typeof("CK_INTERFACE *")
_INTERFACES: Final = _typeof("CK_INTERFACE[]")
_ASYNC_DATA: Final = _typeof("CK_ASYNC_DATA *")
_CHAR: Final = _typeof("char *")


def _version(pointer: Any) -> CK_VERSION:
    """The version that a function list begins with."""
    if not pointer:
        return CK_VERSION(0, 0)
    version = _cast(_VERSION, pointer)
    return CK_VERSION(version.major, version.minor)


def _interface(interface: Any) -> CK_INTERFACE:
    name = interface.pInterfaceName
    text = _string(_cast(_CHAR, name)).decode("utf-8", "surrogateescape") if name else ""
    return CK_INTERFACE(text, _version(interface.pFunctionList), interface.flags)


class Module(Functions):
    """An open module, as `load` gives it."""

    __slots__ = ("__weakref__", "_address", "_path", "_state", "_version")
    _address: Any
    _path: str
    _state: State
    _version: CK_VERSION

    def __new__(cls) -> Self:
        """Refused."""
        raise TypeError("a Module comes from load()")

    @property
    def path(self) -> str:
        """The path that it was loaded from."""
        return self._path

    @property
    def version(self) -> CK_VERSION:
        """Version of its newest function list."""
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
                    continue  # another thread was here
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

    def C_GetAttributeValue(
        self, hSession: SupportsIndex, hObject: SupportsIndex, pTemplate: Iterable[int | tuple[int, int]], /
    ) -> list[tuple[int, bytes | None]]:
        """Read attributes: in one call, and in two more where some were not to be had by it."""
        hSession = index(hSession)
        if hSession >> BITS:
            raise too_big(hSession)
        hObject = index(hObject)
        if hObject >> BITS:
            raise too_big(hObject)
        try:
            place = blocks.pop()
        except IndexError:
            place = block()
        _, out, view, address = place
        words, end = wanted(pTemplate, address, _NESTED)
        nbytes = end - address
        if nbytes > BLOCK_NBYTES:
            out = allocate(CHARS, nbytes)
            view = _buffer(out)
            moved = int(_cast(ADDRESS, out)) - address
            words[1::3] = [begin + moved for begin in words[1::3]]
            address += moved
        rv, lengths = self._read(hSession, hObject, words)
        values: list[tuple[int, bytes | None]] = []
        if not rv:
            kinds = iter(words)
            for kind, at, room, got in zip(kinds, kinds, kinds, lengths, strict=True):
                if got <= room:
                    values.append((kind, view[at - address : at - address + got]))
                elif got == _UNAVAILABLE:
                    values.append((kind, None))
                else:
                    raise overrun("C_GetAttributeValue", got, room)
        elif rv in _PARTIAL:
            rv = self._read_more(hSession, hObject, rv, words, lengths, view, address, values)
        blocks.append(place)
        if rv:
            raise PKCS11Error(rv, "C_GetAttributeValue", values or None)
        return values

    def _read(self, session: int, obj: int, words: list[int]) -> tuple[int, tuple[int, ...]]:
        """Call with an array of attributes; the return value, and the lengths that came back."""
        count = len(words) // 3
        if not count:
            rv = self._C_GetAttributeValue(session, obj, NULL, 0)
            if raised:
                check(_OK, "C_GetAttributeValue")
            return rv, ()
        attributes = frame(count)
        attributes.write(words)
        rv = self._C_GetAttributeValue(session, obj, attributes.memory, count)
        lengths = attributes.lengths(count)
        attributes.rest()
        if raised:
            check(_OK, "C_GetAttributeValue")
        return rv, lengths

    def _read_more(
        self,
        session: int,
        obj: int,
        rv: int,
        words: list[int],
        lengths: tuple[int, ...],
        view: Any,
        address: int,
        values: list[tuple[int, bytes | None]],
    ) -> int:
        """Fill in values after a call that read some: ask for the lengths of the others, and read what has one."""
        kinds = words[0::3]
        found: list[bytes | None] = []
        for at, room, got in zip(words[1::3], words[2::3], lengths, strict=True):
            found.append(view[at - address : at - address + got] if got <= room else None)
        missing = [i for i, got in enumerate(lengths) if got == _UNAVAILABLE]
        if missing:
            asked: list[int] = []
            for i in missing:
                asked += (kinds[i], 0, 0)
            rv, lengths = self._read(session, obj, asked)
            there = [(i, got) for i, got in zip(missing, lengths, strict=True) if got != _UNAVAILABLE]
            if there and (not rv or rv in _PARTIAL):
                last = self._read_exactly(session, obj, kinds, there, found)
                rv = rv or last
        values += zip(kinds, found, strict=True)
        return rv

    def _read_exactly(
        self, session: int, obj: int, kinds: list[int], there: list[tuple[int, int]], found: list[bytes | None]
    ) -> int:
        """Read those attributes whose lengths are known."""
        words: list[int] = []
        end = 0
        for i, room in there:
            words += (kinds[i], end, room)
            end += room + -room % ROOM_ALIGN
        out = allocate(CHARS, end + 1)
        view = _buffer(out)
        address = int(_cast(ADDRESS, out))
        words[1::3] = [begin + address for begin in words[1::3]]
        rv, lengths = self._read(session, obj, words)
        if not rv or rv in _PARTIAL:
            for (i, room), at, got in zip(there, words[1::3], lengths, strict=True):
                if got <= room:
                    found[i] = view[at - address : at - address + got]
                elif not rv and got != _UNAVAILABLE:
                    raise overrun("C_GetAttributeValue", got, room)
        return rv


def load(path: str | bytes | PathLike[str] | PathLike[bytes] | None = None, /) -> Module:
    """Open the module at ``path``; None is the default one, see ``pkcs11_shim.h``."""
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
    self._state = state(int(_cast(ADDRESS, address)))
    self._version = _version(functions)
    for slot in Functions.__slots__:
        setattr(self, slot, function(functions, slot[1:]))
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
    """Standard name of a return value; None for one that the standard does not define."""
    name = lib.cs_pkcs11_rv_name(index(rv))
    return _string(name).decode() if name else None


callers.append(globals())

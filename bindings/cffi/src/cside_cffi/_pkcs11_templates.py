# SPDX-License-Identifier: Apache-2.0
"""Arguments that contain pointers: templates, and mechanisms with their parameters.

A template is written as one row of words: type, address, length, and so on; behind them the values that are numbers,
whose addresses are computed. Only pointers to the memory of other objects are stored through cffi, one by one.
"""

from __future__ import annotations

from operator import index

from ._core import ffi
from ._pkcs11_memory import ADDRESS, NOTHING, NULL, Frame, frame, lend, ulong, ulongs
from ._pkcs11_memory import ULONG as _ULONG
from ._pkcs11_memory import ULONG_NBYTES as _ULONG_NBYTES
from ._pkcs11_memory import ULONGS as _ULONGS
from ._pkcs11_parameters import WRITERS

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from typing import Any, Final, SupportsIndex

    from cside_native.pkcs11_types import Mechanism, MechanismParameter, Template

    from ._pkcs11_memory import Views

_new = ffi.new
_from_buffer = ffi.from_buffer
_release = ffi.release
_sizeof = ffi.sizeof
_encode = str.encode
_ATTRIBUTE_NBYTES: Final[int] = ffi.sizeof("CK_ATTRIBUTE")
_ATTRIBUTE_WORDS: Final = _ATTRIBUTE_NBYTES // _ULONG_NBYTES
_MECHANISM: Final = ffi.typeof("CK_MECHANISM *")
_BOOLS: Final = _new("unsigned char[]", [0, 1])
_FALSE: Final = int(ffi.cast(ADDRESS, _BOOLS))
_TRUE: Final = _FALSE + 1
_EMPTY: Final = int(ffi.cast(ADDRESS, NOTHING))

if _ATTRIBUTE_WORDS != 3 or _ATTRIBUTE_NBYTES % _ULONG_NBYTES:
    raise ImportError("CK_ATTRIBUTE is not three words on this platform")


def template(pairs: Template, views: Views) -> tuple[Any, int]:
    """Return an array of ``CK_ATTRIBUTE`` and its count; an empty one is NULL."""
    rows = tuple(pairs)
    if not rows:
        return NULL, 0
    place = _written(rows)
    views.append(place)
    return place.memory, len(rows)


def _written(rows: tuple[Any, ...]) -> Frame:
    """Return a frame that holds these attributes."""
    count = len(rows)
    place = frame(count)
    words: list[int] = []
    values: list[int] = []
    try:
        free = place.address + count * _ATTRIBUTE_NBYTES  # where the next number will stand
        pointed: list[Any] = []
        pointers: list[int] = []  # the positions of their attributes
        for row in rows:
            if type(row) is not tuple and not isinstance(row, tuple):
                raise TypeError(f"each attribute must be a pair of type and value, not '{type(row).__name__}'")
            try:
                kind, value = row
            except ValueError:
                raise TypeError(f"each attribute must be a pair of type and value, not {len(row)} items") from None
            if not isinstance(kind, int):
                kind = index(kind)
            if value is True:
                words += (kind, _TRUE, 1)
                continue
            if value is False:
                words += (kind, _FALSE, 1)
                continue
            if not isinstance(value, int):
                if type(value) is str:
                    value = _encode(value)
                if type(value) is bytes and value:
                    pointers.append(len(words) // 3)
                    pointed.append(_from_buffer(value))
                    words += (kind, 0, len(value))
                    continue
                value = _other(value, place)
                if type(value) is tuple:
                    words += (kind, *value)
                    continue
                if not isinstance(value, int):
                    pointers.append(len(words) // 3)
                    pointed.append(value)
                    place.views.append(value)
                    words += (kind, 0, _sizeof(value))
                    continue
            words += (kind, free, _ULONG_NBYTES)
            free += _ULONG_NBYTES
            values.append(value)
        place.write(words + values)
        if pointers:
            place.pointed = pointed
            elements = place.elements
            for i, view in zip(pointers, pointed, strict=True):
                elements[i].pValue = view
    except BaseException:
        place.rest()
        ulongs(*words, *values)  # if several numbers are wrong, the exception is about the leftmost
        raise
    return place


def _other(value: Any, place: Frame) -> Any:
    """Convert a value that is neither int nor ``bytes``: to a number, to address and size, or to memory to be lent."""
    if value is None:
        return 0, 0
    if isinstance(value, str):
        value = _encode(value)
    elif isinstance(value, (list, tuple)):
        items = tuple(value)
        if not items:
            return _EMPTY, 0
        if isinstance(items[0], tuple):
            inner = _written(items)
            place.inner.append(inner)
            return inner.address, len(items) * _ATTRIBUTE_NBYTES
        return _new(_ULONGS, [ulong(item) for item in items])
    try:
        view = _from_buffer(value)
    except TypeError:
        if not hasattr(type(value), "__index__"):
            raise TypeError(f"the value of an attribute must not be of type '{type(value).__name__}'") from None
        return index(value)
    if not len(view):
        _release(view)
        return _EMPTY, 0
    return view


_plain: Final[dict[int, Any]] = {}
_PLAIN_COUNT: Final = 1024
"""How many mechanisms without a parameter are kept for later calls. No module writes to them."""


def mechanism(value: Mechanism | None, views: Views) -> Any:
    """Return a pointer to a ``CK_MECHANISM``; None is NULL."""
    if isinstance(value, int):
        try:
            return _plain[value]
        except KeyError:
            return _without_parameter(value)
    if value is None:
        return NULL
    if not isinstance(value, tuple):
        return _without_parameter(index(value))
    if len(value) != 2:
        raise TypeError(f"a mechanism must be a number or a pair of number and parameter, not {len(value)} items")
    kind = ulong(value[0])
    if value[1] is None:
        return mechanism(kind, views)
    pointer, nbytes = parameter(value[1], views, False)
    return _new(_MECHANISM, (kind, pointer, nbytes))


def _without_parameter(kind: int) -> Any:
    number = ulong(kind)
    made = _new(_MECHANISM, (number, NULL, 0))
    if len(_plain) < _PLAIN_COUNT:
        _plain[number] = made
    return made


def parameter(value: MechanismParameter, views: Views, writable: bool = True) -> tuple[Any, int]:
    """Return a pointer to a mechanism's parameter, and its size in bytes. ``writable``: a buffer has to be writable."""
    if value is None:
        return NULL, 0
    if isinstance(value, int):
        return _number(value, views)
    if isinstance(value, tuple):
        for kind in type(value).__mro__:
            if kind in WRITERS:
                return WRITERS[kind](value, views)
        raise TypeError(f"a mechanism has no parameter of type '{type(value).__name__}'")
    try:
        return lend(value, views, writable)  # type: ignore[arg-type]
    except TypeError:
        if not hasattr(type(value), "__index__"):
            raise
        return _number(value, views)  # type: ignore[arg-type]


def _number(value: SupportsIndex, views: Views) -> tuple[Any, int]:
    cell = _new(_ULONG, ulong(value))
    views.append(cell)
    return cell, _ULONG_NBYTES

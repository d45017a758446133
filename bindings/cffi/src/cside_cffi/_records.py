# SPDX-License-Identifier: Apache-2.0
"""Idioms of structs: by value, by pointer, arrays of them, unions, a size field; and the trace, which is read as one.

Points and boxes are plain cdata. cffi would make a struct out of a list, tuple or dict, and take any ``void *`` for a
pointer, NULL included; so the types are checked here first.
"""

from __future__ import annotations

from operator import index, itemgetter

from ._core import ffi, lib
from ._failure import failure
from ._scalars import real

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Final, Protocol, SupportsFloat, SupportsIndex

    from typing_extensions import Buffer

    class PointLike(Protocol):
        """``cs_point`` as cdata."""

        x: float
        y: float

    class BoxLike(Protocol):
        """``cs_box *`` as cdata."""


_new = ffi.new
_string = ffi.string
_unpack = ffi.unpack
_typeof = ffi.typeof
_from_buffer = ffi.from_buffer
_release = ffi.release
_allocate = ffi.new_allocator(should_clear_after_alloc=False)
_CData = ffi.CData
_NULL: Final = ffi.NULL
_CHARS: Final = ffi.typeof("char[]")
_POINT: Final = ffi.typeof("cs_point *")
_BOX: Final = ffi.typeof("cs_box *")
_ATTRS: Final = ffi.typeof("cs_attr[]")
_VARIANT: Final = ffi.typeof("cs_variant *")
_CONFIG: Final = ffi.typeof("cs_config *")
_VIEW: Final = ffi.typeof("cs_config_view *")
_RECORD: Final = ffi.typeof("cs_trace_record *")

_point_add = lib.cs_point_add
_box_fill = lib.cs_box_fill
_box_area = lib.cs_box_area
_attrs_digest = lib.cs_attrs_digest
_attrs_get = lib.cs_attrs_get
_variant_double = lib.cs_variant_double
_config_read = lib.cs_config_read
_trace_enable = lib.cs_trace_enable
_trace_name = lib.cs_trace_name
_trace_read = lib.cs_trace_read

trace_enabled = lib.cs_trace_enabled
trace_reset = lib.cs_trace_reset
trace_count = lib.cs_trace_count


def Point(x: SupportsFloat, y: SupportsFloat, /) -> PointLike:
    """A new ``cs_point``: a struct, which keeps its memory alive; what `point_add` returns is one too."""
    try:
        point: PointLike = _new(_POINT, (x, y))[0]
    except TypeError:
        point = _new(_POINT, (real(x), real(y)))[0]
    return point


def Box() -> BoxLike:
    """A new ``cs_box``, all zero: a pointer, which owns its memory."""
    box: BoxLike = _new(_BOX)
    return box


def point_add(a: PointLike, b: PointLike, /) -> PointLike:
    """By value. cffi itself refuses cdata of another type."""
    if isinstance(a, _CData) and isinstance(b, _CData):
        total: PointLike = _point_add(a, b)
        return total
    raise TypeError("point_add() takes two points")


def box_fill(box: BoxLike, tag: SupportsIndex, /) -> None:
    """By pointer, in place."""
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        _box_fill(box, index(tag))
    else:
        raise TypeError(f"expected a box, not {type(box).__name__}")


def box_area(box: BoxLike, /) -> float:
    """By pointer, read."""
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        area: float = _box_area(box)
        return area
    raise TypeError(f"expected a box, not {type(box).__name__}")


def box_unpack(box: Any, /) -> tuple[float, float, float, float, int]:
    """Every field, read from memory."""
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        low = box.min
        high = box.max
        return low.x, low.y, high.x, high.y, box.tag
    raise TypeError(f"expected a box, not {type(box).__name__}")


def _attr_type(value: SupportsIndex) -> int:
    """A ``uint32_t``."""
    number = index(value)
    if number >> 32:
        raise OverflowError("an attribute's type does not fit uint32_t")
    return number


def attrs_digest(attrs: Sequence[tuple[int, Buffer]], /) -> int:
    """Hash of ``(type, value)`` pairs, each value read where it lies."""
    if not isinstance(attrs, (list, tuple)):
        raise TypeError(f"attrs must be a list or tuple, not {type(attrs).__name__}")
    views: list[Any] = []
    rows = []
    try:
        for attr in tuple(attrs):  # a copy: __index__ may change the list
            if not isinstance(attr, tuple) or len(attr) != 2:
                raise TypeError("each attribute must be a tuple of two")
            kind = _attr_type(attr[0])
            view = _from_buffer(attr[1])
            views.append(view)
            rows.append((kind, view, len(view)))
        digest: int = _attrs_digest(_new(_ATTRS, rows), len(rows))
    finally:
        for view in views:
            _release(view)
    return digest


def attrs_get(types: Iterable[SupportsIndex], /) -> list[tuple[int, bytes]]:
    """``(type, value)`` for each type: all sizes by one call, all values by another, into one allocation."""
    numbers = [_attr_type(kind) for kind in tuple(types)]
    count = len(numbers)
    attrs = _new(_ATTRS, [(number,) for number in numbers])
    status: int = _attrs_get(attrs, count)
    if status:
        raise failure(status)
    elements = list(attrs)
    sizes = [attr.value_nbytes for attr in elements]
    nbytes = sum(sizes)
    memory = place = _allocate(_CHARS, nbytes)
    for attr, size in zip(elements, sizes, strict=True):
        attr.value = place
        place += size
    status = _attrs_get(attrs, count)
    if status:
        raise failure(status)
    values: bytes = _unpack(memory, nbytes)
    result = []
    begin = 0
    for number, size in zip(numbers, sizes, strict=True):
        result.append((number, values[begin : begin + size]))
        begin += size
    return result


class _Variant:
    """A ``cs_variant`` with a pointer to each member: ``as`` is a keyword, and asking each time is slow."""

    __slots__ = ("address", "data", "integer", "real")

    def __init__(self) -> None:
        self.address = _new(_VARIANT)
        self.integer = ffi.addressof(self.address, "as", "integer")
        self.real = ffi.addressof(self.address, "as", "real")
        self.data = ffi.buffer(ffi.addressof(self.address, "as", "bytes"))


_variants: Final = [_Variant()]
_INTEGER: Final[int] = lib.CS_VARIANT_INTEGER
_REAL: Final[int] = lib.CS_VARIANT_REAL
_BYTES: Final[int] = lib.CS_VARIANT_BYTES


def variant_double(value: int | float | bytes, /) -> int | float | bytes:
    """Twice an int or a float, or eight bytes reversed, through a tagged union."""
    try:
        variant = _variants.pop()
    except IndexError:
        variant = _Variant()
    address = variant.address
    doubled: int | float | bytes
    if isinstance(value, int):
        address.kind = _INTEGER
        variant.integer[0] = value
        status: int = _variant_double(address)
        doubled = variant.integer[0]
    elif isinstance(value, float):
        address.kind = _REAL
        variant.real[0] = value
        status = _variant_double(address)
        doubled = variant.real[0]
    elif isinstance(value, bytes):
        if len(value) != 8:
            raise ValueError("need 8 bytes")
        address.kind = _BYTES
        variant.data[:] = value
        status = _variant_double(address)
        doubled = variant.data[:]
    else:
        raise TypeError(f"expected int, float or bytes, not {type(value).__name__}")
    _variants.append(variant)
    if status:
        raise failure(status)
    return doubled


_configs: Final = [(_new(_CONFIG), _new(_VIEW))]


def config_read(
    retries: SupportsIndex, timeout_s: SupportsFloat, flags: SupportsIndex, struct_nbytes: SupportsIndex, /
) -> tuple[int, int, float, int]:
    """What the library understands of a struct that says its own size."""
    try:
        config, view = _configs.pop()
    except IndexError:
        config, view = _new(_CONFIG), _new(_VIEW)
    config.retries = index(retries)
    try:
        config.timeout_s = timeout_s
    except TypeError:
        config.timeout_s = real(timeout_s)
    config.flags = index(flags)
    config.struct_nbytes = index(struct_nbytes)
    status: int = _config_read(config, view)
    understood = (view.version, view.retries, view.timeout_s, view.flags)
    _configs.append((config, view))
    if status:
        raise failure(status)
    return understood


class TraceRecord(tuple[int, int, int, int, int, tuple[int, ...]]):
    """``cs_trace_record``: a named tuple, made by hand because to import `collections` takes longer than all this."""

    __slots__ = ()
    _fields = ("calls", "errors", "in_nbytes", "out_nbytes", "total_ns", "histogram")
    calls = property(itemgetter(0))
    errors = property(itemgetter(1))
    in_nbytes = property(itemgetter(2))
    out_nbytes = property(itemgetter(3))
    total_ns = property(itemgetter(4))
    histogram = property(itemgetter(5))

    def __repr__(self) -> str:
        return f"TraceRecord({', '.join(f'{name}={value!r}' for name, value in zip(self._fields, self, strict=True))})"


def trace_enable(on: object, /) -> None:
    """Switch tracing on or off."""
    _trace_enable(bool(on))


def trace_name(position: SupportsIndex, /) -> str | None:
    """Name of a traced function."""
    text = _trace_name(index(position))
    return _string(text).decode() if text else None


def trace_read(position: SupportsIndex, /) -> TraceRecord:
    """Sum over all threads."""
    record = _new(_RECORD)
    status: int = _trace_read(index(position), record)
    if status:
        raise failure(status)
    histogram: tuple[int, ...] = tuple(_unpack(record.histogram, len(record.histogram)))
    return TraceRecord(
        (record.calls, record.errors, record.in_nbytes, record.out_nbytes, record.total_ns, histogram),
    )

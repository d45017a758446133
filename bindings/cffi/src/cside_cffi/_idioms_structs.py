# SPDX-License-Identifier: Apache-2.0
"""Structs: by value, by pointer, nested, and one that carries its own size.

A point is a class around its cdata, a box is plain cdata. cffi would make a struct out of a list, tuple or dict, and
accept any ``void *`` as a pointer to a struct, NULL included. So the functions check the types before the call.
"""

from _operator import index
from _struct import Struct

from . import _API_MODE
from ._core import ffi, lib
from ._idioms_errors import failure
from ._idioms_scalars import real, u32

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, SupportsFloat, SupportsIndex

    class BoxLike(Protocol):
        """``cs_box *`` as cdata."""


if _API_MODE:
    CONFIG_NBYTES: int = lib.CS_CONFIG_NBYTES
    CONFIG_V1_NBYTES: int = lib.CS_CONFIG_V1_NBYTES
else:
    # The macros are expressions, which cffi cannot declare in ABI mode; these are the same expressions.
    CONFIG_NBYTES = ffi.sizeof("cs_config")
    CONFIG_V1_NBYTES = ffi.offsetof("cs_config", "flags")

_new = ffi.new
_buffer = ffi.buffer
_typeof = ffi.typeof
_CData = ffi.CData
_POINT = ffi.typeof("cs_point *")
_BOX = ffi.typeof("cs_box *")

_fields = Struct("IIdI").unpack_from  # a cs_config_view

# Structs that no call is using, and buffers of them; the first call makes the first ones.
_views: "list[tuple[Any, Any]]" = []

_point_add = lib.cs_point_add
_box_fill = lib.cs_box_fill
_box_area = lib.cs_box_area

if _API_MODE:
    _config_read: "Callable[..., int]" = lib.shim_config_read
else:
    _configs: "list[Any]" = []
    _cs_config_read = lib.cs_config_read

    def _config_read(retries: int, timeout_s: "SupportsFloat", flags: int, struct_nbytes: int, view: "Any", /) -> int:
        try:
            config = _configs.pop()
        except IndexError:
            config = _new("cs_config *")
        config.retries = retries
        config.timeout_s = timeout_s
        config.flags = flags
        config.struct_nbytes = struct_nbytes
        status: int = _cs_config_read(config, view)
        _configs.append(config)
        return status


class Point:
    """Return a new point, a C struct of two doubles with the attributes ``x`` and ``y``.

    ``Point`` is a class. Points with equal coordinates are equal. As a point can change, it has
    no hash.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """

    # cdata has neither a repr of our own nor equality by value, and its type cannot be subclassed. So a point has one.
    __slots__ = ("_struct",)
    __module__ = __name__.removesuffix("_idioms_structs") + "idioms"
    _struct: "Any"

    def __init__(self, x: "SupportsFloat", y: "SupportsFloat", /) -> None:
        # The struct keeps its memory alive. cs_point_add returns the same kind of cdata.
        try:
            self._struct = _new(_POINT, (x, y))[0]
        except TypeError:
            self._struct = _new(_POINT, (real(x), real(y)))[0]

    @property
    def x(self) -> float:
        """The first coordinate."""
        x: float = self._struct.x
        return x

    @x.setter
    def x(self, value: "SupportsFloat") -> None:
        try:
            self._struct.x = value
        except TypeError:
            self._struct.x = real(value)

    @property
    def y(self) -> float:
        """The second coordinate."""
        y: float = self._struct.y
        return y

    @y.setter
    def y(self, value: "SupportsFloat") -> None:
        try:
            self._struct.y = value
        except TypeError:
            self._struct.y = real(value)

    def __repr__(self) -> str:
        return f"Point(x={self._struct.x!r}, y={self._struct.y!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Point):
            a, b = self._struct, other._struct
            return bool(a.x == b.x and a.y == b.y)
        return NotImplemented

    def __reduce__(self) -> "tuple[type[Point], tuple[float, float]]":
        """Copy and pickle the coordinates: two points never share a struct."""
        return type(self), (self._struct.x, self._struct.y)


_point_new = object.__new__


def Box() -> "BoxLike":
    """Return a new box, a C struct in memory that Python owns, with all fields zero."""
    # The pointer owns its memory.
    box: BoxLike = _new(_BOX)
    return box


def point_add(a: "Point", b: "Point", /) -> "Point":
    """Return the component-wise sum of two points, which are passed to C by value.

    Raises `TypeError` if an argument is not a point that this module made.
    """
    if isinstance(a, Point) and isinstance(b, Point):
        total = _point_new(Point)
        total._struct = _point_add(a._struct, b._struct)
        return total
    raise TypeError("point_add() takes two points")


def box_fill(box: "BoxLike", tag: "SupportsIndex", /) -> None:
    """Set the fields of a box, which is passed to C by pointer.

    ``min`` becomes (tag, tag + 1), ``max`` becomes (tag + 2, tag + 4), ``tag`` becomes ``tag``.

    Raises `TypeError` if ``box`` is not a box that this module made or ``tag`` has no
    ``__index__``; `OverflowError` if ``tag`` does not fit ``uint32_t``.
    """
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        _box_fill(box, index(tag))
    else:
        raise TypeError(f"expected a box, not {type(box).__name__}")


def box_area(box: "BoxLike", /) -> float:
    """Return the area of a box, (max.x - min.x) * (max.y - min.y).

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        area: float = _box_area(box)
        return area
    raise TypeError(f"expected a box, not {type(box).__name__}")


def box_unpack(box: "Any", /) -> tuple[float, float, float, float, int]:
    """Return ``(min.x, min.y, max.x, max.y, tag)`` of a box, read without a native call.

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        low = box.min
        high = box.max
        return low.x, low.y, high.x, high.y, box.tag
    raise TypeError(f"expected a box, not {type(box).__name__}")


def config_read(
    retries: "SupportsIndex", timeout_s: "SupportsFloat", flags: "SupportsIndex", struct_nbytes: "SupportsIndex", /
) -> tuple[int, int, float, int]:
    """Pass a struct that states its own size to the library and return what it understood.

    ``struct_nbytes`` is the size that the struct states: ``CONFIG_NBYTES`` for version 2, or
    ``CONFIG_V1_NBYTES`` for version 1, which has no ``flags``. The result is ``(version,
    retries, timeout_s, flags)``, with ``flags`` 0 for version 1.

    Raises `StatusError` ``CS_E_VERSION`` for any other size; `OverflowError` if ``retries`` or
    ``flags`` does not fit ``uint32_t``, ``struct_nbytes`` does not fit ``size_t``, or
    ``timeout_s`` is an integer too large for a Python float; `TypeError` if an integer argument
    has no ``__index__``, or ``timeout_s`` is text or ``float()`` does not take it.
    """
    try:
        kept = _views.pop()
    except IndexError:
        view = _new("cs_config_view *")
        kept = view, _buffer(view)
    view, read = kept
    try:
        status = _config_read(index(retries), timeout_s, index(flags), index(struct_nbytes), view)
    except TypeError:
        status = _config_read(u32(retries), real(timeout_s), u32(flags), index(struct_nbytes), view)
    understood: tuple[int, int, float, int] = _fields(read)
    _views.append(kept)
    if status:
        raise failure(status)
    return understood

# SPDX-License-Identifier: Apache-2.0
"""Structs: passed by value, passed by pointer, nested, and one that starts with its own size.

Where a prototype declares a pointer to a struct, the struct object itself is passed. ctypes then takes its address,
which is faster than `byref()` and about three times as fast as `pointer()`. ctypes would also take None and pass NULL,
therefore each function checks the type first.
"""

from _operator import index
from ctypes import POINTER, Structure, c_double, c_int32, c_size_t, c_uint32, sizeof
from struct import Struct

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import PYPY, SmallInt, held, number, size, too_large, uint32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsFloat, SupportsIndex

__all__ = [
    "CONFIG_NBYTES",
    "CONFIG_V1_NBYTES",
    "Box",
    "Point",
    "box_area",
    "box_fill",
    "box_unpack",
    "config_read",
    "point_add",
    "refusal",
]


class Point(Structure):
    """Return a new point, a C struct of two doubles with the attributes ``x`` and ``y``.

    ``Point`` is a class. Points with equal coordinates are equal. As a point can change, it has
    no hash.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """

    __slots__ = ()
    __module__ = "cside_ctypes.idioms"
    _fields_ = [("x", c_double), ("y", c_double)]

    if TYPE_CHECKING:
        x: float
        y: float

    def __init__(self, x: "SupportsFloat", y: "SupportsFloat", /) -> None:
        try:
            self.x = x  # type: ignore[assignment]
            self.y = y  # type: ignore[assignment]
        except TypeError:
            self.x, self.y = number(x), number(y)  # PyPy's fields do not call __index__

    def __repr__(self) -> str:
        return f"{type(self).__name__}(x={self.x!r}, y={self.y!r})"

    def __eq__(self, other: object) -> bool:
        """Compare ``x`` and ``y`` as floats are compared."""
        if not isinstance(other, Point):
            return NotImplemented
        return self.x == other.x and self.y == other.y

    __hash__ = None  # type: ignore[assignment]  # points are mutable

    def __reduce__(self) -> "tuple[type[Point], tuple[float, float]]":
        """Copy and pickle by the coordinates; the ``__reduce__`` of ``Structure`` needs a ``__dict__``."""
        return type(self), (self.x, self.y)


class Box(Structure):
    """Return a new box, a C struct in memory that Python owns, with all fields zero."""

    __slots__ = ()
    __module__ = "cside_ctypes.idioms"
    _fields_ = [("min", Point), ("max", Point), ("tag", c_uint32)]

    def __init__(self, /) -> None:
        """Accept no initial values; the constructor of ``Structure`` would."""


class Config(Structure):
    """``cs_config``. The library reads as many bytes of it as its first field says."""

    __slots__ = ()
    _fields_ = [("struct_nbytes", c_size_t), ("retries", c_uint32), ("timeout_s", c_double), ("flags", c_uint32)]


class ConfigView(Structure):
    """``cs_config_view``: what the library understood of a ``cs_config``."""

    __slots__ = ()
    _fields_ = [("version", c_uint32), ("retries", c_uint32), ("timeout_s", c_double), ("flags", c_uint32)]


CONFIG_NBYTES: int = sizeof(Config)
CONFIG_V1_NBYTES: int = Config.flags.offset

_point_add = held("cs_point_add", Point, Point, Point)
_box_fill = held("cs_box_fill", None, POINTER(Box), SmallInt(c_uint32))
_box_area = held("cs_box_area", c_double, POINTER(Box))
_config_read = held("cs_config_read", c_int32, POINTER(Config), POINTER(ConfigView))


def refusal(value: object, wanted: "type[object]", /) -> TypeError:
    """The exception for an argument that is not an instance of `wanted`."""
    return TypeError(f"a {wanted.__name__} is required, not '{type(value).__name__}'")


def point_add(a: Point, b: Point, /) -> Point:
    """Return the component-wise sum of two points, which are passed to C by value.

    Raises `TypeError` if an argument is not a point that this module made.
    """
    if type(a) is Point is type(b) or (isinstance(a, Point) and isinstance(b, Point)):
        return _point_add(a, b)
    raise refusal(b if isinstance(a, Point) else a, Point)


def box_fill(box: Box, tag: "SupportsIndex", /) -> None:
    """Set the fields of a box, which is passed to C by pointer.

    ``min`` becomes (tag, tag + 1), ``max`` becomes (tag + 2, tag + 4), ``tag`` becomes ``tag``.

    Raises `TypeError` if ``box`` is not a box that this module made or ``tag`` has no
    ``__index__``; `OverflowError` if ``tag`` does not fit ``uint32_t``.
    """
    if not isinstance(box, Box):
        raise refusal(box, Box)
    tag = index(tag)
    if tag >> 32:
        raise too_large("uint32_t")
    _box_fill(box, tag)


def box_area(box: Box, /) -> float:
    """Return the area of a box, (max.x - min.x) * (max.y - min.y).

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    if not isinstance(box, Box):
        raise refusal(box, Box)
    return _box_area(box)


if PYPY:

    def box_unpack(box: Box, /) -> "tuple[float, float, float, float, int]":
        """Return ``(min.x, min.y, max.x, max.y, tag)`` of a box, read without a native call.

        Raises `TypeError` if ``box`` is not a box that this module made.
        """
        if not isinstance(box, Box):
            raise refusal(box, Box)
        low, high = box.min, box.max
        return low.x, low.y, high.x, high.y, box.tag

else:
    _unpack_box = Struct("@4dI").unpack_from

    def box_unpack(box: Box, /) -> "tuple[float, float, float, float, int]":
        """Return ``(min.x, min.y, max.x, max.y, tag)`` of a box, read without a native call.

        Raises `TypeError` if ``box`` is not a box that this module made.
        """
        # One call reads the whole memory. Seven attributes would be slower: ctypes makes a new object for each of the
        # two that are structs.
        if not isinstance(box, Box):
            raise refusal(box, Box)
        return _unpack_box(box)


def config_read(
    retries: "SupportsIndex", timeout_s: "SupportsFloat", flags: "SupportsIndex", struct_nbytes: "SupportsIndex", /
) -> "tuple[int, int, float, int]":
    """Pass a struct that states its own size to the library and return what it understood.

    ``struct_nbytes`` is the size that the struct states: ``CONFIG_NBYTES`` for version 2, or
    ``CONFIG_V1_NBYTES`` for version 1, which has no ``flags``. The result is ``(version,
    retries, timeout_s, flags)``, with ``flags`` 0 for version 1.

    Raises `StatusError` ``CS_E_VERSION`` for any other size; `OverflowError` if ``retries`` or
    ``flags`` does not fit ``uint32_t``, ``struct_nbytes`` does not fit ``size_t``, or
    ``timeout_s`` is an integer too large for a Python float; `TypeError` if an integer argument
    has no ``__index__``, or ``timeout_s`` is text or ``float()`` does not take it.
    """
    retries, timeout_s, flags = uint32(retries), number(timeout_s), uint32(flags)
    view = ConfigView()
    status = _config_read(Config(size(struct_nbytes), retries, timeout_s, flags), view)
    if status < 0:
        raise_status(status)
    return view.version, view.retries, view.timeout_s, view.flags

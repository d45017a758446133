# SPDX-License-Identifier: Apache-2.0
"""Structs: by value, by pointer, nested, and one that carries its own size.

Points and boxes are plain cdata. cffi would make a struct out of a list, tuple or dict, and accept any ``void *`` as a
pointer to a struct, NULL included. So the functions check the types before the call.
"""

from _operator import index

from . import _API_MODE
from ._core import ffi, lib
from ._idioms_errors import failure
from ._idioms_scalars import real

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from typing import Any, Protocol, SupportsFloat, SupportsIndex

    class PointLike(Protocol):
        """``cs_point`` as cdata."""

        x: float
        y: float

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
_typeof = ffi.typeof
_CData = ffi.CData
_POINT = ffi.typeof("cs_point *")
_BOX = ffi.typeof("cs_box *")

# Structs that no call is using; the first call makes the first ones.
_configs: "list[Any]" = []

_point_add = lib.cs_point_add
_box_fill = lib.cs_box_fill
_box_area = lib.cs_box_area
_config_read = lib.cs_config_read


def Point(x: "SupportsFloat", y: "SupportsFloat", /) -> "PointLike":
    """Return a new point, a C struct of two doubles with the attributes ``x`` and ``y``.

    ``Point`` is a class. Points with equal coordinates are equal. As a point can change, it has
    no hash.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """
    # The struct keeps its memory alive. point_add() returns the same kind of cdata.
    try:
        point: PointLike = _new(_POINT, (x, y))[0]
    except TypeError:
        point = _new(_POINT, (real(x), real(y)))[0]
    return point


def Box() -> "BoxLike":
    """Return a new box, a C struct in memory that Python owns, with all fields zero."""
    # The pointer owns its memory.
    box: BoxLike = _new(_BOX)
    return box


def point_add(a: "PointLike", b: "PointLike", /) -> "PointLike":
    """Return the component-wise sum of two points, which are passed to C by value.

    Raises `TypeError` if an argument is not a point that this module made.
    """
    # cffi itself refuses cdata of another type.
    if isinstance(a, _CData) and isinstance(b, _CData):
        total: PointLike = _point_add(a, b)
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
        config, view = _configs.pop()
    except IndexError:
        config, view = _new("cs_config *"), _new("cs_config_view *")
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

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
    """A new ``cs_point``: a struct, which keeps its memory alive. `point_add` returns the same kind of cdata."""
    try:
        point: PointLike = _new(_POINT, (x, y))[0]
    except TypeError:
        point = _new(_POINT, (real(x), real(y)))[0]
    return point


def Box() -> "BoxLike":
    """A new ``cs_box``, all zero: a pointer, which owns its memory."""
    box: BoxLike = _new(_BOX)
    return box


def point_add(a: "PointLike", b: "PointLike", /) -> "PointLike":
    """Sum of two structs passed by value. cffi itself refuses cdata of another type."""
    if isinstance(a, _CData) and isinstance(b, _CData):
        total: PointLike = _point_add(a, b)
        return total
    raise TypeError("point_add() takes two points")


def box_fill(box: "BoxLike", tag: "SupportsIndex", /) -> None:
    """Fill a struct in place, through its pointer."""
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        _box_fill(box, index(tag))
    else:
        raise TypeError(f"expected a box, not {type(box).__name__}")


def box_area(box: "BoxLike", /) -> float:
    """Area of a box, which C reads through its pointer."""
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        area: float = _box_area(box)
        return area
    raise TypeError(f"expected a box, not {type(box).__name__}")


def box_unpack(box: "Any", /) -> tuple[float, float, float, float, int]:
    """Every field of a box, which cffi reads from its memory."""
    if isinstance(box, _CData) and _typeof(box) is _BOX:
        low = box.min
        high = box.max
        return low.x, low.y, high.x, high.y, box.tag
    raise TypeError(f"expected a box, not {type(box).__name__}")


def config_read(
    retries: "SupportsIndex", timeout_s: "SupportsFloat", flags: "SupportsIndex", struct_nbytes: "SupportsIndex", /
) -> tuple[int, int, float, int]:
    """What the library reads of a struct that carries its own size: version, retries, timeout_s, flags."""
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

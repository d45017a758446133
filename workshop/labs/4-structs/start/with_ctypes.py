"""ctypes: the layout of a struct is what this file says, whatever the header says."""

import ctypes

import cside_native

_library = ctypes.CDLL(str(cside_native.library()))


class Point(ctypes.Structure):
    _fields_ = (("x", ctypes.c_double), ("y", ctypes.c_double))


class Box(ctypes.Structure):
    _fields_ = (("tag", ctypes.c_uint32), ("min", Point), ("max", Point))


_library.cs_point_add.argtypes = [Point, Point]

_library.cs_box_fill.argtypes = [ctypes.POINTER(Box), ctypes.c_uint32]
_library.cs_box_fill.restype = None

_library.cs_box_area.argtypes = [ctypes.POINTER(Box)]
_library.cs_box_area.restype = ctypes.c_double


def point_add(a, b):
    """The sum of two pairs (x, y), as a pair."""
    total = _library.cs_point_add(Point(*a), Point(*b))
    return total.x, total.y


def box_fill(tag):
    """A new box, filled by the library."""
    box = Box()
    _library.cs_box_fill(box, tag)
    return box


def box_area(box):
    """The area of a box that box_fill() returned."""
    return _library.cs_box_area(box)


# TODO: attrs_digest(attrs), of pairs (type, value), where value is bytes or None

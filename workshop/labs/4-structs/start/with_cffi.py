"""The Python side of the cffi module that build_cffi.py describes."""

from _with_cffi import ffi, lib


def point_add(a, b):
    """The sum of two pairs (x, y), as a pair."""
    total = lib.cs_point_add({"x": a[0], "y": a[1]}, {"x": b[0], "y": b[1]})
    return total.x, total.y


def box_fill(tag):
    """A new box, filled by the library."""
    box = ffi.new("cs_box *")
    lib.cs_box_fill(box, tag)
    return box


def box_area(box):
    """The area of a box that box_fill() returned."""
    return lib.cs_box_area(box)


# TODO: attrs_digest(attrs), of pairs (type, value), where value is bytes or None

# SPDX-License-Identifier: Apache-2.0
# Idioms, structs: a nested struct, passed by pointer.


cdef class Box:
    """Two points and a tag, all zero at first."""

    cdef cs_box box

    def __init__(self):
        """Refuse arguments."""


def box_fill(Box box not None, tag, /):
    """Fill a box, which is passed by pointer."""
    cs_box_fill(&box.box, PyNumber_Index(tag))


def box_area(Box box not None, /):
    """Area of a box, which is passed by pointer."""
    return cs_box_area(&box.box)


def box_unpack(Box box not None, /):
    """(min.x, min.y, max.x, max.y, tag), read from the struct without a call of the library."""
    return box.box.min.x, box.box.min.y, box.box.max.x, box.box.max.y, box.box.tag

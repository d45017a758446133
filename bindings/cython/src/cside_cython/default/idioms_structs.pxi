# SPDX-License-Identifier: Apache-2.0
# Idioms, structs: a nested struct, passed by pointer.


cdef class Box:
    """Box()
--

    Return a new box, a C struct in memory that Python owns, with all fields zero."""

    cdef cs_box box

    def __init__(self):
        """Refuse arguments."""


def box_fill(Box box not None, tag, /):
    """Set the fields of a box, which is passed to C by pointer.

    ``min`` becomes (tag, tag + 1), ``max`` becomes (tag + 2, tag + 4), ``tag`` becomes ``tag``.

    Raises `TypeError` if ``box`` is not a box that this module made or ``tag`` has no
    ``__index__``; `OverflowError` if ``tag`` does not fit ``uint32_t``.
    """
    cs_box_fill(&box.box, PyNumber_Index(tag))


def box_area(Box box not None, /):
    """Return the area of a box, (max.x - min.x) * (max.y - min.y).

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    return cs_box_area(&box.box)


def box_unpack(Box box not None, /):
    """Return ``(min.x, min.y, max.x, max.y, tag)`` of a box, read without a native call.

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    return box.box.min.x, box.box.min.y, box.box.max.x, box.box.max.y, box.box.tag

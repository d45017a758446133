# SPDX-License-Identifier: Apache-2.0
# Idioms, structs: by value, by pointer, nested, and with a field that says the size of the struct.

CONFIG_NBYTES = CS_CONFIG_NBYTES
CONFIG_V1_NBYTES = CS_CONFIG_V1_NBYTES


# ---- by value ---------------------------------------------------------------------------------------

@cython.final
@cython.freelist(16)
cdef class Point:
    """Two doubles, x and y, which can be read and assigned."""

    cdef cs_point point

    def __init__(self, double x, double y, /):
        self.point.x = x
        self.point.y = y

    @property
    def x(self):
        return self.point.x

    @x.setter
    def x(self, double value):
        self.point.x = value

    @property
    def y(self):
        return self.point.y

    @y.setter
    def y(self, double value):
        self.point.y = value

    def __repr__(self):
        return f"Point({self.point.x!r}, {self.point.y!r})"

    def __reduce__(self):
        raise TypeError("cannot pickle 'Point' object")


def point_add(Point a not None, Point b not None, /):
    """Sum of two points by component; the structs are passed by value."""
    cdef Point result = Point.__new__(Point)
    result.point = cs_point_add(a.point, b.point)
    return result


# ---- by pointer, nested -----------------------------------------------------------------------------

@cython.final
@cython.freelist(16)
cdef class Box:
    """Two points and a tag, all zero at first."""

    cdef cs_box box

    def __init__(self):
        """Refuse arguments."""

    def __reduce__(self):
        raise TypeError("cannot pickle 'Box' object")


def box_fill(Box box not None, tag, /):
    """Fill a box, which is passed by pointer."""
    cs_box_fill(&box.box, as_u32(tag))


def box_area(Box box not None, /):
    """Area of a box, which is passed by pointer."""
    return cs_box_area(&box.box)


def box_unpack(Box box not None, /):
    """(min.x, min.y, max.x, max.y, tag), read from the struct without a call of the library."""
    return box.box.min.x, box.box.min.y, box.box.max.x, box.box.max.y, box.box.tag


# ---- with a field for its size ----------------------------------------------------------------------

def config_read(retries, timeout_s, flags, struct_nbytes, /):
    """(version, retries, timeout_s, flags), as the library reads a struct that says it has that size."""
    cdef cs_config config
    cdef cs_config_view view
    config.retries = as_u32(retries)
    config.timeout_s = timeout_s
    config.flags = as_u32(flags)
    config.struct_nbytes = as_u64(struct_nbytes)
    check(cs_config_read(&config, &view))
    return view.version, view.retries, view.timeout_s, view.flags

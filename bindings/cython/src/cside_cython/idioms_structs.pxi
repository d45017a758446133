# SPDX-License-Identifier: Apache-2.0
# Idioms, structs: by value, by pointer, nested, and with a field that says the size of the struct.
#
# On a build without a GIL several threads may use one object: its struct is read and written in critical sections. No
# Python code runs in one: arguments are converted before it, and results after it. With a GIL it is no code at all.

CONFIG_NBYTES = CS_CONFIG_NBYTES
CONFIG_V1_NBYTES = CS_CONFIG_V1_NBYTES


# ---- by value ---------------------------------------------------------------------------------------

@cython.final
@cython.freelist(16)
cdef class Point:
    """Point(x, y, /)
--

    Return a new point, a C struct of two doubles with the attributes ``x`` and ``y``.

    ``Point`` is a class. Points with equal coordinates are equal. As a point can change, it has
    no hash.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """

    cdef cs_point point

    @cython.critical_section
    def __init__(self, double x, double y, /):
        self.point.x = x
        self.point.y = y

    @cython.critical_section
    cdef cs_point read(self) noexcept:
        return self.point

    @property
    @cython.critical_section
    def x(self):
        """The first coordinate."""
        return self.point.x

    @x.setter
    @cython.critical_section
    def x(self, double value):
        self.point.x = value

    @property
    @cython.critical_section
    def y(self):
        """The second coordinate."""
        return self.point.y

    @y.setter
    @cython.critical_section
    def y(self, double value):
        self.point.y = value

    def __repr__(self):
        cdef cs_point point = self.read()
        return f"Point(x={point.x!r}, y={point.y!r})"

    def __eq__(self, other):  # without __hash__: a point can be changed, so that it has no hash
        cdef cs_point mine, others
        if not isinstance(other, Point):
            return NotImplemented
        mine = self.read()
        others = (<Point>other).read()
        return mine.x == others.x and mine.y == others.y

    def __reduce__(self):
        raise TypeError("cannot pickle 'Point' object")


def point_add(Point a not None, Point b not None, /):
    """Return the component-wise sum of two points, which are passed to C by value.

    Raises `TypeError` if an argument is not a point that this module made.
    """
    cdef Point result = Point.__new__(Point)
    with cython.critical_section(a, b):
        result.point = cs_point_add(a.point, b.point)
    return result


# ---- by pointer, nested -----------------------------------------------------------------------------

@cython.final
@cython.freelist(16)
cdef class Box:
    """Box()
--

    Return a new box, a C struct in memory that Python owns, with all fields zero."""

    cdef cs_box box

    def __init__(self):
        """Refuse arguments."""

    def __reduce__(self):
        raise TypeError("cannot pickle 'Box' object")


def box_fill(Box box not None, tag, /):
    """Set the fields of a box, which is passed to C by pointer.

    ``min`` becomes (tag, tag + 1), ``max`` becomes (tag + 2, tag + 4), ``tag`` becomes ``tag``.

    Raises `TypeError` if ``box`` is not a box that this module made or ``tag`` has no
    ``__index__``; `OverflowError` if ``tag`` does not fit ``uint32_t``.
    """
    cdef uint32_t number = as_u32(tag)
    with cython.critical_section(box):
        cs_box_fill(&box.box, number)


def box_area(Box box not None, /):
    """Return the area of a box, (max.x - min.x) * (max.y - min.y).

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    cdef double area
    with cython.critical_section(box):
        area = cs_box_area(&box.box)
    return area


def box_unpack(Box box not None, /):
    """Return ``(min.x, min.y, max.x, max.y, tag)`` of a box, read without a native call.

    Raises `TypeError` if ``box`` is not a box that this module made.
    """
    cdef cs_box copy
    with cython.critical_section(box):
        copy = box.box
    return copy.min.x, copy.min.y, copy.max.x, copy.max.y, copy.tag


# ---- with a field for its size ----------------------------------------------------------------------

def config_read(retries, timeout_s, flags, struct_nbytes, /):
    """Pass a struct that states its own size to the library and return what it understood.

    ``struct_nbytes`` is the size that the struct states: ``CONFIG_NBYTES`` for version 2, or
    ``CONFIG_V1_NBYTES`` for version 1, which has no ``flags``. The result is ``(version,
    retries, timeout_s, flags)``, with ``flags`` 0 for version 1.

    Raises `StatusError` ``CS_E_VERSION`` for any other size; `OverflowError` if ``retries`` or
    ``flags`` does not fit ``uint32_t``, ``struct_nbytes`` does not fit ``size_t``, or
    ``timeout_s`` is an integer too large for a Python float; `TypeError` if an integer argument
    has no ``__index__``, or ``timeout_s`` is text or ``float()`` does not take it.
    """
    cdef cs_config config
    cdef cs_config_view view
    config.retries = as_u32(retries)
    config.timeout_s = timeout_s
    config.flags = as_u32(flags)
    config.struct_nbytes = as_u64(struct_nbytes)
    check(cs_config_read(&config, &view))
    return view.version, view.retries, view.timeout_s, view.flags

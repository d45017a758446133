# SPDX-License-Identifier: Apache-2.0
# Structs by value, arrays of structs, a struct that carries its size; a table of functions.

@cython.final
@cython.freelist(16)
cdef class Point:
    """Two doubles."""

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
    """Component-wise sum, the structs passed by value."""
    cdef Point result = Point.__new__(Point)
    result.point = cs_point_add(a.point, b.point)
    return result


# ---- array of structs -------------------------------------------------------------------------------

cdef tuple snapshot(object items):
    """The items as a tuple: it keeps them alive, whatever the conversion of one of them does to a list."""
    if not isinstance(items, (list, tuple)):
        raise TypeError(f"a list or tuple is required, not '{type(items).__name__}'")
    return tuple(items)


cdef enum:
    FEW = 8  # attributes that need no memory from the heap


def attrs_digest(attrs, /):
    """Hash of (type, value) pairs."""
    cdef tuple items = snapshot(attrs)
    cdef Py_ssize_t count = len(items), opened = 0, i
    cdef cs_attr few_attrs[FEW]
    cdef Input few_values[FEW]
    cdef cs_attr *array = few_attrs
    cdef Input *values = few_values
    try:
        if count > FEW:
            array = <cs_attr *>PyMem_Malloc(<size_t>count * sizeof(cs_attr))
            values = <Input *>PyMem_Malloc(<size_t>count * sizeof(Input))
            if array == NULL or values == NULL:
                raise MemoryError
        for i in range(count):
            item = items[i]
            if not isinstance(item, tuple) or len(<tuple>item) != 2:
                raise TypeError("a tuple of type and value is required")
            array[i].type = as_u32((<tuple>item)[0])
            open_input((<tuple>item)[1], &values[i])
            opened += 1
            array[i].value = <void *>values[i].data
            array[i].value_nbytes = values[i].nbytes
        return cs_attrs_digest(array, <size_t>count)
    finally:
        for i in range(opened):
            close_input(&values[i])
        if array != few_attrs:
            PyMem_Free(array)
        if values != few_values:
            PyMem_Free(values)


def attrs_get(types, /):
    """(type, value) for each type, by one call for all sizes and one for all values."""
    cdef tuple items = snapshot(types)
    cdef Py_ssize_t count = len(items), made = 0, i
    cdef cs_attr few_attrs[FEW]
    cdef PyObject *few_values[FEW]
    cdef cs_attr *array = few_attrs
    cdef PyObject **values = few_values  # owned; PyPy wants them filled before Python sees them
    try:
        if count > FEW:
            array = <cs_attr *>PyMem_Malloc(<size_t>count * sizeof(cs_attr))
            values = <PyObject **>PyMem_Malloc(<size_t>count * sizeof(PyObject *))
            if array == NULL or values == NULL:
                raise MemoryError
        for i in range(count):
            array[i].type = as_u32(items[i])
            array[i].value = NULL
            array[i].value_nbytes = 0
        check(cs_attrs_get(array, <size_t>count))
        for i in range(count):
            values[i] = new_bytes(NULL, <Py_ssize_t>array[i].value_nbytes)
            made += 1
            array[i].value = bytes_data(values[i])
        check(cs_attrs_get(array, <size_t>count))
        return [(array[i].type, <object>values[i]) for i in range(count)]
    finally:
        for i in range(made):
            Py_XDECREF(values[i])
        if array != few_attrs:
            PyMem_Free(array)
        if values != few_values:
            PyMem_Free(values)


# ---- struct with a size field -----------------------------------------------------------------------

def config_read(retries, timeout_s, flags, struct_nbytes, /):
    """(version, retries, timeout_s, flags), as a library understands a struct of that size."""
    cdef cs_config config
    cdef cs_config_view view
    config.retries = as_u32(retries)
    config.timeout_s = timeout_s
    config.flags = as_u32(flags)
    config.struct_nbytes = as_u64(struct_nbytes)
    check(cs_config_read(&config, &view))
    return view.version, view.retries, view.timeout_s, view.flags


# ---- function-pointer table -------------------------------------------------------------------------

cdef const cs_ops *OPS = cs_ops_get()


def ops_add(a, b, /):
    """Sum of two int32_t, through a function pointer."""
    return OPS.add(as_i32(a), as_i32(b))


def ops_multiply(a, b, /):
    """Product of two int32_t, through a function pointer."""
    return OPS.multiply(as_i32(a), as_i32(b))

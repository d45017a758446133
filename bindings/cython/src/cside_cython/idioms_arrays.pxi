# SPDX-License-Identifier: Apache-2.0
# Idioms, arrays: arrays of structs that point to values of different sizes.

from cpython.mem cimport PyMem_Free, PyMem_Malloc

cdef enum:
    FEW = 8  # up to this many attributes are laid out on the stack, more on the heap


cdef tuple snapshot(object items):
    """The items as a tuple, which keeps them alive even if converting one of them changes the list."""
    if not isinstance(items, (list, tuple)):
        raise TypeError(f"a list or tuple is required, not '{type(items).__name__}'")
    return tuple(items)


def attrs_digest(attrs, /):
    """Return the 64-bit FNV-1a hash of a list or tuple of attributes ``(type, value)``.

    Each attribute is a tuple of an ``uint32_t`` and a buffer. The hash runs over the type, as 4
    bytes in little-endian order, and the bytes of the value.

    Raises `TypeError` if ``attrs`` is not a list or tuple of tuples of two, a type has no
    ``__index__``, or a value does not support the buffer protocol; `OverflowError` if a type
    does not fit ``uint32_t``; `BufferError` if a value is not C-contiguous.
    """
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
    """Return an attribute ``(type, value)`` for each type in a sequence.

    The value of type t has t modulo 64 bytes, each of them t modulo 256. One native call asks
    for all sizes, a second one fetches all values.

    Raises `LookupError` if a type is above 4096; `OverflowError` if it does not fit
    ``uint32_t``; `TypeError` if it has no ``__index__``, or ``types`` is not a sequence.
    """
    cdef tuple items = tuple(types)  # which keeps the items alive even if converting one of them changes a list
    cdef Py_ssize_t count = len(items), made = 0, i
    cdef cs_attr few_attrs[FEW]
    cdef PyObject *few_values[FEW]
    cdef cs_attr *array = few_attrs
    cdef PyObject **values = few_values  # owned references; on PyPy C must write to them before Python sees them
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

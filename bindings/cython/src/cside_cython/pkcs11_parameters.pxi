# SPDX-License-Identifier: Apache-2.0
# PKCS #11, parameters: mechanisms, and the structs, integers or bytes that are their parameters.

from cpython.buffer cimport PyObject_CheckBuffer
from cpython.long cimport PyLong_Check
from cpython.object cimport PyTypeObject
from libc.string cimport memcpy

cdef extern from "Python.h":
    bint PyObject_TypeCheck(object obj, PyTypeObject *type) noexcept


cdef int hold_parameter(Arena *arena, object value, bint written, void **data, CK_ULONG *nbytes) except -1:
    """Hold the parameter of a mechanism or of a message; `written` says that the module may write to its bytes."""
    if value is None:
        data[0] = NULL
        nbytes[0] = 0
        return 0
    if PyLong_Check(value):
        return hold_ulong(arena, value, data, nbytes)
    if isinstance(value, tuple):
        return hold_struct(arena, <tuple>value, data, nbytes)
    if written and PyObject_CheckBuffer(value):
        return hold_writable(arena, value, data, nbytes)
    return hold_other(arena, value, data, nbytes)


cdef int copy_exactly(object source, CK_BYTE *target, Py_ssize_t nbytes, str name) except -1:
    """Copy a byte string into an array of bytes, whose size it must have."""
    cdef Input data
    open_input(source, &data)
    try:
        if data.nbytes != <size_t>nbytes:
            raise ValueError(f"{name} takes {nbytes} bytes, not {data.nbytes}")
        memcpy(target, data.data, <size_t>nbytes)
    finally:
        close_input(&data)
    return 0


cdef inline bint is_record(object value, object record_class) noexcept:
    return PyObject_TypeCheck(value, <PyTypeObject *>record_class)


cdef inline int need_bits(str name, CK_ULONG nbytes, CK_ULONG bits) except -1:
    """Check that a buffer has the number of bits that another field gives."""
    if nbytes < bits // 8 + (bits % 8 != 0):
        raise ValueError(f"{name} has {nbytes} bytes, which is less than {bits} bits")
    return 0


cdef inline int need_fields(tuple fields, Py_ssize_t count) except -1:
    """Check that a named tuple has all fields; one that was made by tuple.__new__() may lack some."""
    if len(fields) != count:
        raise TypeError(f"{count} fields are required, not {len(fields)}")
    return 0


cdef CK_MECHANISM *open_mechanism(Arena *arena, object source, CK_MECHANISM *mechanism) except? NULL:
    """Make a mechanism from a type, or from a pair of type and parameter; None becomes NULL."""
    cdef tuple pair
    if source is None:
        return NULL
    mechanism.pParameter = NULL
    mechanism.ulParameterLen = 0
    if not isinstance(source, tuple):
        mechanism.mechanism = as_ulong(source)
        return mechanism
    pair = as_pair(source)
    mechanism.mechanism = as_ulong(pair[0])
    hold_parameter(arena, pair[1], False, &mechanism.pParameter, &mechanism.ulParameterLen)
    return mechanism

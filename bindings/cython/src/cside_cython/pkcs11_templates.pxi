# SPDX-License-Identifier: Apache-2.0
# Templates, mechanisms and parameters: Python values laid out as the standard's structs.

from cpython.object cimport PyTypeObject

cdef extern from "Python.h":
    bint PyBool_Check(object obj) noexcept
    bint PyIndex_Check(object obj) noexcept
    bint PyObject_TypeCheck(object obj, PyTypeObject *type) noexcept


cdef enum:
    DEPTH = 200  # templates within templates; the interpreters' own limits do not know how much stack this takes


cdef int hold_ulong(Arena *arena, object value, void **data, CK_ULONG *nbytes) except -1:
    cdef CK_ULONG *number = <CK_ULONG *>reserve(arena, sizeof(CK_ULONG))
    number[0] = as_ulong(value)
    data[0] = number
    nbytes[0] = sizeof(CK_ULONG)
    return 0


cdef int hold_truth(Arena *arena, bint value, void **data, CK_ULONG *nbytes) except -1:
    cdef CK_BBOOL *truth = <CK_BBOOL *>reserve(arena, sizeof(CK_BBOOL))
    truth[0] = value
    data[0] = truth
    nbytes[0] = sizeof(CK_BBOOL)
    return 0


cdef int hold_numbers(Arena *arena, tuple items, void **data, CK_ULONG *nbytes) except -1:
    cdef Py_ssize_t count = len(items), i
    cdef CK_ULONG *numbers = <CK_ULONG *>reserve_array(arena, count, sizeof(CK_ULONG))
    for i in range(count):
        numbers[i] = as_ulong(items[i])
    data[0] = numbers
    nbytes[0] = <CK_ULONG>count * sizeof(CK_ULONG)
    return 0


cdef int hold_sequence(Arena *arena, object source, void **data, CK_ULONG *nbytes) except -1:
    """Integers are an array of CK_ULONG, pairs a template of its own."""
    cdef tuple items = snapshot_in(arena, source)
    cdef CK_ATTRIBUTE *attributes
    if len(items) == 0:
        data[0] = <void *>EMPTY
        nbytes[0] = 0
        return 0
    if not isinstance(items[0], tuple):
        return hold_numbers(arena, items, data, nbytes)
    if arena.depth == DEPTH:  # a list may hold itself
        raise RecursionError(f"templates are nested more than {DEPTH} deep")
    arena.depth += 1
    attributes = hold_pairs(arena, items)
    arena.depth -= 1
    data[0] = attributes
    nbytes[0] = <CK_ULONG>len(items) * sizeof(CK_ATTRIBUTE)
    return 0


cdef int hold_value(Arena *arena, object value, void **data, CK_ULONG *nbytes) except -1:
    """The value of an attribute."""
    if PyLong_Check(value):
        if PyBool_Check(value):
            return hold_truth(arena, value is True, data, nbytes)
        return hold_ulong(arena, value, data, nbytes)
    if value is None or PyBytes_CheckExact(value):
        return hold_optional(arena, value, data, nbytes)
    if isinstance(value, str):
        return hold_text(arena, value, data, nbytes)
    if isinstance(value, (list, tuple)):
        return hold_sequence(arena, value, data, nbytes)
    return hold_other(arena, value, data, nbytes)


cdef int hold_other(Arena *arena, object value, void **data, CK_ULONG *nbytes) except -1:
    """What a parameter and an attribute have in common."""
    if PyObject_CheckBuffer(value):
        return hold_bytes(arena, value, data, nbytes)
    if PyIndex_Check(value):
        return hold_ulong(arena, value, data, nbytes)
    raise TypeError(f"an integer, a bytes-like object or None is required, not '{type(value).__name__}'")


cdef inline tuple as_pair(object source):
    """A tuple of two items, which keeps these alive."""
    if not isinstance(source, tuple) or len(<tuple>source) != 2:
        raise TypeError("a pair, which is a tuple, is required")
    return <tuple>source


cdef CK_ATTRIBUTE *hold_pairs(Arena *arena, tuple items) except NULL:
    """An array of attributes; there is at least one."""
    cdef Py_ssize_t count = len(items), i
    cdef CK_ATTRIBUTE *attributes = <CK_ATTRIBUTE *>reserve_array(arena, count, sizeof(CK_ATTRIBUTE))
    cdef tuple pair
    for i in range(count):
        pair = as_pair(items[i])
        attributes[i].type = as_ulong(pair[0])
        hold_value(arena, pair[1], &attributes[i].pValue, &attributes[i].ulValueLen)
    return attributes


cdef int open_template(Arena *arena, object source, CK_ATTRIBUTE_PTR *attributes, CK_ULONG *count) except -1:
    """An iterable of pairs; an empty one is NULL with 0."""
    cdef tuple items = snapshot_in(arena, source)
    count[0] = <CK_ULONG>len(items)
    attributes[0] = hold_pairs(arena, items) if len(items) != 0 else NULL
    return 0


# ---- mechanisms -------------------------------------------------------------------------------------

cdef int hold_parameter(Arena *arena, object value, bint written, void **data, CK_ULONG *nbytes) except -1:
    """The parameter of a mechanism, or of a message: the module may write to the latter's bytes."""
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


cdef inline bint is_record(object value, object record_class) noexcept:
    return PyObject_TypeCheck(value, <PyTypeObject *>record_class)


cdef inline int need_bits(str name, CK_ULONG nbytes, CK_ULONG bits) except -1:
    """A buffer whose size is given in bits."""
    if nbytes < bits // 8 + (bits % 8 != 0):
        raise ValueError(f"{name} has {nbytes} bytes, which is less than {bits} bits")
    return 0


cdef inline int need_fields(tuple fields, Py_ssize_t count) except -1:
    """A named tuple has them, unless it was made by tuple.__new__()."""
    if len(fields) != count:
        raise TypeError(f"{count} fields are required, not {len(fields)}")
    return 0


cdef CK_MECHANISM *open_mechanism(Arena *arena, object source, CK_MECHANISM *mechanism) except? NULL:
    """A type, or a pair of type and parameter; None is NULL."""
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

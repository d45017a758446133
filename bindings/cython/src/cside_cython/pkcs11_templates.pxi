# SPDX-License-Identifier: Apache-2.0
# PKCS #11, templates: sequences of (type, value) pairs become arrays of CK_ATTRIBUTE.

from cpython.bytes cimport PyBytes_CheckExact
from cpython.long cimport PyLong_Check

cdef extern from "Python.h":
    bint PyBool_Check(object obj) noexcept


cdef enum:
    DEPTH = 200  # levels of templates in templates; the limits of interpreters do not count the stack that these take


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
    """Hold a sequence: integers become an array of CK_ULONG, pairs become a nested template."""
    cdef tuple items = snapshot_in(arena, source)
    cdef CK_ATTRIBUTE *attributes
    if len(items) == 0:
        data[0] = <void *>EMPTY
        nbytes[0] = 0
        return 0
    if not isinstance(items[0], tuple):
        return hold_numbers(arena, items, data, nbytes)
    if arena.depth == DEPTH:  # a list may contain itself
        raise RecursionError(f"templates are nested more than {DEPTH} deep")
    arena.depth += 1
    attributes = hold_pairs(arena, items)
    arena.depth -= 1
    data[0] = attributes
    nbytes[0] = <CK_ULONG>len(items) * sizeof(CK_ATTRIBUTE)
    return 0


cdef int hold_value(Arena *arena, object value, void **data, CK_ULONG *nbytes) except -1:
    """Hold the value of an attribute."""
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


cdef inline tuple as_pair(object source):
    """A tuple of two items; as a tuple it keeps them alive."""
    if not isinstance(source, tuple) or len(<tuple>source) != 2:
        raise TypeError("a pair, which is a tuple, is required")
    return <tuple>source


cdef CK_ATTRIBUTE *hold_pairs(Arena *arena, tuple items) except NULL:
    """An array of attributes, from one pair or more."""
    cdef Py_ssize_t count = len(items), i
    cdef CK_ATTRIBUTE *attributes = <CK_ATTRIBUTE *>reserve_array(arena, count, sizeof(CK_ATTRIBUTE))
    cdef tuple pair
    for i in range(count):
        pair = as_pair(items[i])
        attributes[i].type = as_ulong(pair[0])
        hold_value(arena, pair[1], &attributes[i].pValue, &attributes[i].ulValueLen)
    return attributes


cdef int open_template(Arena *arena, object source, CK_ATTRIBUTE_PTR *attributes, CK_ULONG *count) except -1:
    """Make a template from an iterable of pairs; an empty one becomes NULL with a count of 0."""
    cdef tuple items = snapshot_in(arena, source)
    count[0] = <CK_ULONG>len(items)
    attributes[0] = hold_pairs(arena, items) if len(items) != 0 else NULL
    return 0

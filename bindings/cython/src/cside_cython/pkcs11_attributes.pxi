# SPDX-License-Identifier: Apache-2.0
# PKCS #11, attributes: C_GetAttributeValue.
#
# The first call gives each value a capacity by guess. If some values did not fit, a second call asks for their lengths
# and a third call reads them.

from cpython.bytes cimport PyBytes_FromStringAndSize

cdef enum:
    ROOM_ATTRIBUTE_NBYTES = 256
    FEW_WORDS = 128  # up to this many 8-byte words of values are on the stack


cdef struct Reading:
    const CK_FUNCTION_LIST_3_2 *functions
    CK_SESSION_HANDLE session
    CK_OBJECT_HANDLE item


cdef inline bint is_partial(CK_RV rv) noexcept:
    """Whether a return value means that some attributes were read and the others are CK_UNAVAILABLE_INFORMATION."""
    return rv == CKR_BUFFER_TOO_SMALL or rv == CKR_ATTRIBUTE_SENSITIVE or rv == CKR_ATTRIBUTE_TYPE_INVALID


cdef int read_attributes(Reading *reading, CK_ATTRIBUTE *attributes, CK_ULONG count, CK_RV *out_rv) except -1:
    cdef Call call
    cdef CK_RV rv
    enter(&call)
    with nogil:
        rv = reading.functions.C_GetAttributeValue(reading.session, reading.item, attributes, count)
    out_rv[0] = rv
    return leave(&call)


cdef int request_attributes(tuple items, CK_ATTRIBUTE *attributes, CK_ULONG *rooms) except -1:
    """Set the types and capacities of the attributes, from types or pairs of type and capacity."""
    cdef Py_ssize_t i
    cdef tuple pair
    for i in range(len(items)):
        item = items[i]
        rooms[i] = ROOM_ATTRIBUTE_NBYTES
        if isinstance(item, tuple):
            pair = as_pair(item)
            attributes[i].type = as_ulong(pair[0])
            rooms[i] = as_ulong(pair[1])
        else:
            attributes[i].type = as_ulong(item)
        if attributes[i].type in (CKA_WRAP_TEMPLATE, CKA_UNWRAP_TEMPLATE, CKA_DERIVE_TEMPLATE):
            raise ValueError("an attribute that is a template cannot be read")
    return 0


cdef CK_ULONG total_room(const CK_ULONG *rooms, CK_ULONG count) except? 1:
    """Bytes of memory for all values, each of which begins at a multiple of 8."""
    cdef CK_ULONG total = 0, i, most = <CK_ULONG>PY_SSIZE_T_MAX - BLOCK_NBYTES
    for i in range(count):
        if rooms[i] > most or total > most - rooms[i]:
            raise MemoryError
        total += (rooms[i] + 7) & ~<CK_ULONG>7
    return total


cdef void give_room(CK_ATTRIBUTE *attributes, const CK_ULONG *rooms, CK_ULONG count, uint8_t *memory) noexcept:
    cdef CK_ULONG i
    for i in range(count):
        attributes[i].pValue = memory
        attributes[i].ulValueLen = rooms[i]
        memory += (rooms[i] + 7) & ~<CK_ULONG>7


cdef tuple read_value(const CK_ATTRIBUTE *attribute, CK_ULONG room):
    """(type, bytes), or (type, None) if there is no value."""
    cdef CK_ULONG nbytes = attribute.ulValueLen
    number = PyLong_FromUnsignedLong(attribute.type)
    if nbytes <= room:
        return number, PyBytes_FromStringAndSize(<const char *>attribute.pValue, <Py_ssize_t>nbytes)
    if nbytes != CK_UNAVAILABLE_INFORMATION:
        refuse_excess(b"C_GetAttributeValue", nbytes, b"bytes", room)
    return number, None


cdef CK_ULONG keep_these(CK_ATTRIBUTE *attributes, CK_ULONG *rooms, Py_ssize_t *places, CK_ULONG count,
                         bint available) noexcept:
    """Move the attributes that have a length, or those that have none, to the front, and return their number."""
    cdef CK_ULONG i, kept = 0
    for i in range(count):
        if (attributes[i].ulValueLen != CK_UNAVAILABLE_INFORMATION) == available:
            attributes[kept] = attributes[i]
            rooms[kept] = attributes[i].ulValueLen
            places[kept] = places[i]
            kept += 1
    return kept


cdef CK_RV read_rest(Reading *reading, Arena *arena, CK_ATTRIBUTE *attributes, CK_ULONG *rooms, Py_ssize_t *places,
                     CK_ULONG count, list values) except? CKR_GENERAL_ERROR:
    """Ask for the lengths of the attributes that were not read, and read those that have one."""
    cdef CK_ULONG i
    cdef CK_RV rv, last_rv
    for i in range(count):
        attributes[i].pValue = NULL
        attributes[i].ulValueLen = 0
    read_attributes(reading, attributes, count, &rv)
    if rv != CKR_OK and not is_partial(rv):
        return rv
    count = keep_these(attributes, rooms, places, count, True)
    if count == 0:
        return rv
    give_room(attributes, rooms, count, <uint8_t *>reserve(arena, total_room(rooms, count)))
    read_attributes(reading, attributes, count, &last_rv)
    if last_rv == CKR_OK or is_partial(last_rv):
        for i in range(count):
            values[places[i]] = read_value(&attributes[i], rooms[i])
    return rv if rv != CKR_OK else last_rv


cdef list get_attributes(Reading *reading, object types):
    cdef Arena arena
    cdef uint64_t few[FEW_WORDS]
    cdef uint8_t *memory
    cdef CK_ATTRIBUTE *attributes
    cdef CK_ULONG *rooms
    cdef Py_ssize_t *places
    cdef CK_ULONG count, total, i
    cdef CK_RV rv
    cdef list values = []
    cdef tuple items
    open_arena(&arena)
    try:
        items = snapshot_in(&arena, types)
        count = <CK_ULONG>len(items)
        attributes = <CK_ATTRIBUTE *>reserve_array(&arena, <Py_ssize_t>count, sizeof(CK_ATTRIBUTE))
        rooms = <CK_ULONG *>reserve_array(&arena, <Py_ssize_t>count, sizeof(CK_ULONG))
        request_attributes(items, attributes, rooms)
        total = total_room(rooms, count)
        memory = <uint8_t *>few if total <= sizeof(few) else <uint8_t *>reserve(&arena, total)
        give_room(attributes, rooms, count, memory)
        read_attributes(reading, attributes if count != 0 else NULL, count, &rv)
        if not is_partial(rv):
            need_ok(rv, b"C_GetAttributeValue")
        for i in range(count):
            values.append(read_value(&attributes[i], rooms[i]))
        if rv != CKR_OK:
            places = <Py_ssize_t *>reserve_array(&arena, <Py_ssize_t>count, sizeof(Py_ssize_t))
            for i in range(count):
                places[i] = <Py_ssize_t>i
            count = keep_these(attributes, rooms, places, count, False)
            if count != 0:
                rv = read_rest(reading, &arena, attributes, rooms, places, count, values)
            if rv != CKR_OK:
                refuse(rv, b"C_GetAttributeValue", values)
                pending()
        return values
    finally:
        close_arena(&arena)

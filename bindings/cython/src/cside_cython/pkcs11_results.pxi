# SPDX-License-Identifier: Apache-2.0
# PKCS #11, results: byte strings, lists of numbers and named tuples from what a module wrote.

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport Py_INCREF
from libc.string cimport strlen

cdef extern from *:
    """
    /* A named tuple whose values are still to be set. The constructor of a named tuple is written in Python; this does
       what the constructor of tuple does, without the tuple of values that it takes. PyPy fills a plain tuple first. */
    static inline PyObject *cside_new_record(PyObject *type, Py_ssize_t count)
    {
    #ifdef PYPY_VERSION
        (void)type;
        return PyTuple_New(count);
    #else
        PyObject *record = ((PyTypeObject *)type)->tp_alloc((PyTypeObject *)type, count);
    #if PY_VERSION_HEX >= 0x030E0000
        if (record != NULL) {
            ((PyTupleObject *)record)->ob_hash = -1; /* not computed yet */
        }
    #endif
        return record;
    #endif
    }

    static inline PyObject *cside_whole_record(PyObject *type, PyObject *record)
    {
    #ifdef PYPY_VERSION
        PyObject *args = PyTuple_Pack(1, record);
        PyObject *whole = args == NULL ? NULL : PyTuple_Type.tp_new((PyTypeObject *)type, args, NULL);
        Py_XDECREF(args);
        return whole;
    #else
        (void)type;
        return Py_NewRef(record);
    #endif
    }
    """
    object new_record "cside_new_record"(object type, Py_ssize_t count)
    object whole_record "cside_whole_record"(object type, object record)


cdef extern from "Python.h":
    void PyTuple_SET_ITEM(object record, Py_ssize_t position, object value)


cdef inline void put(object record, Py_ssize_t position, object value) noexcept:
    Py_INCREF(value)
    PyTuple_SET_ITEM(record, position, value)


cdef object blank_padded(const CK_BYTE *text, Py_ssize_t nbytes):
    """Text of a fixed-width field, without the spaces at its end."""
    while nbytes > 0 and text[nbytes - 1] == c' ':
        nbytes -= 1
    return PyUnicode_DecodeUTF8(<const char *>text, nbytes, "surrogateescape")


# ---- byte strings -----------------------------------------------------------------------------------

cdef enum:
    ROOM_NBYTES = 512  # in addition to the number of bytes of input
    FEW_NBYTES = 1024  # up to this size output is copied from the stack; larger output is written into a bytes object


cdef struct Output:
    CK_BYTE *data
    CK_ULONG nbytes  # capacity before the call, length after it
    CK_ULONG room
    PyObject *out  # a bytes object that the module writes to; an owned reference
    bint repeated
    CK_BYTE few[FEW_NBYTES]


cdef inline void clear_output(Output *output) noexcept:
    output.out = NULL
    output.repeated = False


cdef int open_output(Output *output, CK_ULONG room) except -1:
    output.room = room
    output.nbytes = room
    if room <= FEW_NBYTES:
        output.data = output.few
        return 0
    output.out = allocate(<Py_ssize_t>room if room <= <CK_ULONG>PY_SSIZE_T_MAX else PY_SSIZE_T_MAX)
    output.data = <CK_BYTE *>bytes_data(output.out)
    return 0


cdef int unsettled(Output *output, CK_RV rv, const char *function) except -1:
    """Whether the call has to be repeated with the capacity that the module asks for."""
    if rv == CKR_BUFFER_TOO_SMALL and output.nbytes > output.room and not output.repeated:
        drop_output(output)
        output.repeated = True
        open_output(output, output.nbytes)
        return 1
    need_ok(rv, function)
    if output.nbytes > output.room:
        refuse_excess(function, output.nbytes, b"bytes", output.room)
    return 0


cdef object take_output(Output *output):
    if output.out == NULL:
        return PyBytes_FromStringAndSize(<const char *>output.data, <Py_ssize_t>output.nbytes)
    if output.nbytes != output.room:
        resize_bytes(&output.out, <Py_ssize_t>output.nbytes)
    result = <object>output.out
    drop_output(output)
    return result


cdef inline void drop_output(Output *output) noexcept:
    cdef PyObject *out = output.out
    output.out = NULL
    Py_XDECREF(out)


cdef int open_filled(Output *output, CK_ULONG nbytes) except -1:
    """Open an output that the module fills completely."""
    output.out = allocate(<Py_ssize_t>nbytes if nbytes <= <CK_ULONG>PY_SSIZE_T_MAX else PY_SSIZE_T_MAX)
    output.data = <CK_BYTE *>bytes_data(output.out)
    output.room = nbytes
    output.nbytes = nbytes
    return 0


# ---- lists of numbers -------------------------------------------------------------------------------

cdef enum:
    ROOM_NUMBERS = 64


cdef struct Numbers:
    CK_ULONG *items
    CK_ULONG count  # capacity before the call, numbers after it
    CK_ULONG room
    bint repeated
    CK_ULONG few[ROOM_NUMBERS]


cdef inline void clear_numbers(Numbers *numbers) noexcept:
    numbers.items = numbers.few
    numbers.repeated = False


cdef int open_numbers(Numbers *numbers, CK_ULONG room) except -1:
    numbers.room = room
    numbers.count = room
    if room <= ROOM_NUMBERS:
        return 0
    if room > <CK_ULONG>PY_SSIZE_T_MAX // sizeof(CK_ULONG):
        raise MemoryError
    numbers.items = <CK_ULONG *>PyMem_Malloc(room * sizeof(CK_ULONG))
    if numbers.items == NULL:
        numbers.items = numbers.few
        raise MemoryError
    return 0


cdef int unsettled_numbers(Numbers *numbers, CK_RV rv, const char *function) except -1:
    if rv == CKR_BUFFER_TOO_SMALL and numbers.count > numbers.room and not numbers.repeated:
        numbers.repeated = True
        open_numbers(numbers, numbers.count)
        return 1
    need_ok(rv, function)
    if numbers.count > numbers.room:
        refuse_excess(function, numbers.count, b"items", numbers.room)
    return 0


cdef list take_numbers(Numbers *numbers):
    cdef Py_ssize_t count = <Py_ssize_t>numbers.count, i
    cdef list taken = PyList_New(count)
    for i in range(count):
        number = PyLong_FromUnsignedLong(numbers.items[i])
        Py_INCREF(number)
        PyList_SET_ITEM(taken, i, number)
    return taken


cdef inline void drop_numbers(Numbers *numbers) noexcept:
    if numbers.items != numbers.few:
        PyMem_Free(numbers.items)


# ---- named tuples that need more than their fields --------------------------------------------------

cdef object interface_record(const CK_INTERFACE *interface):
    """CK_INTERFACE without a call through the interface: every function list begins with its version."""
    cdef const CK_VERSION *version = <const CK_VERSION *>interface.pFunctionList
    cdef CK_VERSION none
    cdef const char *name = <const char *>interface.pInterfaceName
    none.major = 0
    none.minor = 0
    record = new_record(class_CK_INTERFACE, 3)
    put(record, 0, PyUnicode_DecodeUTF8(name, strlen(name), "surrogateescape") if name != NULL else "")
    put(record, 1, record_CK_VERSION(version if version != NULL else &none))
    put(record, 2, PyLong_FromUnsignedLong(interface.flags))
    return whole_record(class_CK_INTERFACE, record)


cdef object async_record(const CK_ASYNC_DATA *result):
    """CK_ASYNC_DATA with a copy of the bytes that the result points to."""
    value = None
    if result.pValue != NULL:
        if result.ulValue > <CK_ULONG>PY_SSIZE_T_MAX:
            raise MemoryError
        value = PyBytes_FromStringAndSize(<const char *>result.pValue, <Py_ssize_t>result.ulValue)
    record = new_record(class_CK_ASYNC_DATA, 4)
    put(record, 0, PyLong_FromUnsignedLong(result.ulVersion))
    put(record, 1, value)
    put(record, 2, PyLong_FromUnsignedLong(result.hObject))
    put(record, 3, PyLong_FromUnsignedLong(result.hAdditionalObject))
    return whole_record(class_CK_ASYNC_DATA, record)

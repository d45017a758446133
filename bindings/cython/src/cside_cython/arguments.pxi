# SPDX-License-Identifier: Apache-2.0
# Arguments: Python objects become integers, text and buffers of C, and C text becomes Python text.

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_CheckExact, PyByteArray_GET_SIZE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.long cimport PyLong_Check
from cpython.number cimport PyNumber_Index
from cpython.object cimport PyCallable_Check
from libc.string cimport strlen

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *nbytes) except NULL
    object PyUnicode_DecodeUTF8(const char *text, Py_ssize_t nbytes, const char *errors)
    # Cython's own conversion calls PyLong_FromLong, which takes 10 ns longer for numbers of more than 30 bits.
    object PyLong_FromUnsignedLong(unsigned long value)


cdef extern from *:
    """
    #ifdef Py_GIL_DISABLED
    #define CSIDE_HAS_GIL 0
    #else
    #define CSIDE_HAS_GIL 1
    #endif
    """
    enum:
        CSIDE_HAS_GIL


# ---- integers ---------------------------------------------------------------------------------------
# Cython converts an object to a C integer by __int__: it takes 1.5 as 1, and refuses an object that has only
# __index__. An argument that is declared as `int32_t a` is therefore wrong. These functions convert by __index__ and
# leave an int to Cython, whose conversion is fast and checks the width. There is one function per type, because an
# inline function that returns a C integer needs no reference count.

cdef inline int8_t as_i8(object value) except? -1:
    return <int8_t>value if PyLong_Check(value) else <int8_t>PyNumber_Index(value)


cdef inline uint8_t as_u8(object value) except? 0xFF:
    return <uint8_t>value if PyLong_Check(value) else <uint8_t>PyNumber_Index(value)


cdef inline int16_t as_i16(object value) except? -1:
    return <int16_t>value if PyLong_Check(value) else <int16_t>PyNumber_Index(value)


cdef inline uint16_t as_u16(object value) except? 0xFFFF:
    return <uint16_t>value if PyLong_Check(value) else <uint16_t>PyNumber_Index(value)


cdef inline int32_t as_i32(object value) except? -1:
    return <int32_t>value if PyLong_Check(value) else <int32_t>PyNumber_Index(value)


cdef inline uint32_t as_u32(object value) except? 0xFFFFFFFF:
    return <uint32_t>value if PyLong_Check(value) else <uint32_t>PyNumber_Index(value)


cdef inline int64_t as_i64(object value) except? -1:
    return <int64_t>value if PyLong_Check(value) else <int64_t>PyNumber_Index(value)


cdef inline uint64_t as_u64(object value) except? 0xFFFFFFFFFFFFFFFF:
    return <uint64_t>value if PyLong_Check(value) else <uint64_t>PyNumber_Index(value)


# ---- text -------------------------------------------------------------------------------------------

cdef inline const char *utf8(object text, Py_ssize_t *nbytes) except NULL:
    """The UTF-8 of a str; the str owns it."""
    if not isinstance(text, str):
        raise TypeError(f"a str is required, not '{type(text).__name__}'")
    return PyUnicode_AsUTF8AndSize(text, nbytes)


cdef inline const char *utf8_without_nul(object text) except NULL:
    cdef Py_ssize_t nbytes
    cdef const char *data = utf8(text, &nbytes)
    if strlen(data) != <size_t>nbytes:
        raise ValueError("embedded null character")
    return data


cdef inline object text_or_none(const char *text):
    if text == NULL:
        return None
    return PyUnicode_DecodeUTF8(text, strlen(text), NULL)


# ---- buffers ----------------------------------------------------------------------------------------
# An exact bytes object cannot change or move, and the caller's reference keeps it alive: it needs no Py_buffer.

cdef struct Input:
    const uint8_t *data
    size_t nbytes
    bint held  # whether `view` has to be released
    Py_buffer view


cdef inline int open_input(object source, Input *data) except -1:
    if PyBytes_CheckExact(source):
        data.data = <const uint8_t *>PyBytes_AS_STRING(source)
        data.nbytes = <size_t>PyBytes_GET_SIZE(source)
        data.held = False
        return 0
    return open_view(source, data)


cdef int open_view(object source, Input *data) except -1:
    data.held = False
    if not PyObject_CheckBuffer(source):
        raise TypeError(f"a bytes-like object is required, not '{type(source).__name__}'")
    PyObject_GetBuffer(source, &data.view, PyBUF_SIMPLE)
    data.data = <const uint8_t *>data.view.buf
    data.nbytes = <size_t>data.view.len
    data.held = True
    return 0


cdef inline int open_briefly(object source, Input *data) except -1:
    """Open an input for a call that holds the GIL and runs no Python code, so that a bytearray cannot change either."""
    if CSIDE_HAS_GIL and PyByteArray_CheckExact(source):
        data.data = <const uint8_t *>PyByteArray_AS_STRING(source)
        data.nbytes = <size_t>PyByteArray_GET_SIZE(source)
        data.held = False
        return 0
    return open_input(source, data)


cdef int open_writable(object target, Py_buffer *view) except -1:
    if not PyObject_CheckBuffer(target):
        raise TypeError(f"a bytes-like object is required, not '{type(target).__name__}'")
    if isinstance(target, bytes):  # PyPy raises ValueError for it
        raise BufferError("Object is not writable.")
    PyObject_GetBuffer(target, view, PyBUF_WRITABLE)
    return 0


cdef inline void close_input(Input *data) noexcept:
    if data.held:
        PyBuffer_Release(&data.view)
        data.held = False


# ---- callables --------------------------------------------------------------------------------------

cdef int need_callable(object callback) except -1:
    if not PyCallable_Check(callback):
        raise TypeError(f"'{type(callback).__name__}' object is not callable")
    return 0

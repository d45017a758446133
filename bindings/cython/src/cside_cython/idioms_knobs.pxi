# SPDX-License-Identifier: Apache-2.0
# Of the idioms, the functions that every variant has too.

from cpython.ref cimport Py_DECREF

cdef extern from "Python.h":
    PyObject *PyObject_CallOneArg(PyObject *function, object argument)


# ---- no-op ------------------------------------------------------------------------------------------

def noop():
    """Call a function that does nothing."""
    cs_noop()


# ---- scalars ----------------------------------------------------------------------------------------

def i32_add(a, b, /):
    """Sum of two int32_t, modulo 2**32."""
    return cs_i32_add(as_i32(a), as_i32(b))


def f64_add(double a, double b, /):
    """Sum in double precision."""
    return cs_f64_add(a, b)


def mixed_sum(a, b, c, d, e, f, /):
    """Sum of an int32_t, a uint64_t, a double, a bool, an int8_t and a float."""
    return cs_mixed_sum(as_i32(a), as_u64(b), c, d, as_i8(e), f)


# ---- byte buffers -----------------------------------------------------------------------------------

def bytes_sum(data, /):
    """Sum of all bytes modulo 2**32."""
    cdef Input source
    cdef uint32_t result
    open_briefly(data, &source)
    result = cs_bytes_sum(source.data, source.nbytes)
    close_input(&source)
    return PyLong_FromUnsignedLong(result)


def buffer_fill(out, value, /):
    """Set every byte of a writable buffer to a value."""
    cdef Py_buffer view
    cdef uint8_t filling
    if CSIDE_HAS_GIL and PyByteArray_CheckExact(out) and PyLong_CheckExact(value):  # neither runs Python meanwhile
        filling = as_u8(value)
        cs_buffer_fill(<uint8_t *>PyByteArray_AS_STRING(out), <size_t>PyByteArray_GET_SIZE(out), filling)
        return
    open_writable(out, &view)
    try:
        cs_buffer_fill(<uint8_t *>view.buf, <size_t>view.len, as_u8(value))
    finally:
        PyBuffer_Release(&view)


# ---- strings ----------------------------------------------------------------------------------------

def string_length(text, /):
    """Length in bytes of the UTF-8."""
    return cs_string_length(utf8_without_nul(text))


def label_get(number, /):
    """A text of a fixed-width field, without its padding."""
    cdef char label[CS_LABEL_NBYTES]
    cdef Py_ssize_t nbytes = CS_LABEL_NBYTES
    cs_label_get(as_u32(number), label)
    while nbytes > 0 and label[nbytes - 1] == c' ':
        nbytes -= 1
    return PyUnicode_DecodeUTF8(label, nbytes, NULL)


# ---- struct by pointer ------------------------------------------------------------------------------

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
    """Fill a box in place, passed by pointer."""
    cs_box_fill(&box.box, as_u32(tag))


def box_area(Box box not None, /):
    """Area of a box."""
    return cs_box_area(&box.box)


def box_unpack(Box box not None, /):
    """(min.x, min.y, max.x, max.y, tag), read from memory."""
    return box.box.min.x, box.box.min.y, box.box.max.x, box.box.max.y, box.box.tag


# ---- callback, on the calling thread, which holds the GIL -------------------------------------------

cdef int pending() except -1:
    """Go on with the exception that is set already."""
    return -1


cdef int need_callable(object callback) except -1:
    if not PyCallable_Check(callback):
        raise TypeError(f"'{type(callback).__name__}' object is not callable")
    return 0


cdef int64_t call_each(void *user, int32_t value) except CS_EACH_STOP:
    """A cs_each_fn. An exception makes it return CS_EACH_STOP and stays set: Cython's convention is the library's.

    Called by hand, so that a traceback does not show this function, which costs time and, on PyPy, memory.
    """
    cdef PyObject *result = PyObject_CallOneArg(<PyObject *>user, value)
    if result == NULL:
        return CS_EACH_STOP
    returned = <object>result
    Py_DECREF(returned)
    return as_i32(returned)


def each_call(times, callback, /):
    """Sum of callback(0) to callback(times - 1)."""
    cdef uint32_t count = as_u32(times)
    cdef int64_t total = 0
    cdef cs_status status
    need_callable(callback)
    status = cs_each_call(count, <cs_each_fn>call_each, <void *>callback, &total)
    if status == CS_E_ABORTED:
        pending()
    check(status)
    return total

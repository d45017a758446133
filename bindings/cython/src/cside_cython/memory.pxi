# SPDX-License-Identifier: Apache-2.0
# Memory: bytes objects that C fills before Python sees them.

cdef extern from "Python.h":
    PyObject *new_bytes "PyBytes_FromStringAndSize"(const char *text, Py_ssize_t nbytes) except NULL
    char *bytes_data "PyBytes_AS_STRING"(PyObject *obj) noexcept
    Py_ssize_t bytes_nbytes "PyBytes_GET_SIZE"(PyObject *obj) noexcept
    int resize_bytes "_PyBytes_Resize"(PyObject **obj, Py_ssize_t nbytes) except -1
    void Py_XDECREF(PyObject *obj)


cdef extern from *:
    const Py_ssize_t PY_SSIZE_T_MAX


cdef enum:
    HEADER_NBYTES = 1024  # more than any interpreter puts before the bytes of a bytes object


cdef PyObject *allocate(Py_ssize_t nbytes) except NULL:
    """A new bytes object for C to fill. Where there is no memory, PyPy would abort or raise SystemError."""
    if nbytes <= PY_SSIZE_T_MAX - HEADER_NBYTES:
        try:
            return new_bytes(NULL, nbytes)
        except (MemoryError, SystemError):
            pass
    raise MemoryError("Unable to allocate output buffer.")

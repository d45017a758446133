# SPDX-License-Identifier: Apache-2.0
# PKCS #11, arguments: integers, byte strings and text for one call of a module.

from cpython.bytes cimport PyBytes_CheckExact
from cpython.long cimport PyLong_Check
from cpython.number cimport PyNumber_Index
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    #if defined(PYPY_VERSION)
    #define cside_is_ascii(text) 0
    #elif PY_VERSION_HEX < 0x030C0000
    #define cside_is_ascii(text) (PyUnicode_READY(text) == 0 && PyUnicode_IS_ASCII(text))
    #else
    #define cside_is_ascii(text) PyUnicode_IS_ASCII(text)
    #endif
    """
    bint is_ascii "cside_is_ascii"(object text) noexcept


cdef extern from "Python.h":
    PyObject *encode "PyUnicode_AsUTF8String"(object text) except NULL


# ---- integers ---------------------------------------------------------------------------------------

cdef inline unsigned long as_ulong(object value) except? 0xFFFFFFFF:
    return <unsigned long>value if PyLong_Check(value) else <unsigned long>PyNumber_Index(value)


cdef inline long as_long(object value) except? -1:
    return <long>value if PyLong_Check(value) else <long>PyNumber_Index(value)


# ---- byte strings -----------------------------------------------------------------------------------

cdef const uint8_t *EMPTY = b""  # the data of a buffer that is empty and whose own pointer is NULL


cdef inline int open_optional(object source, Input *data) except -1:
    """Open a byte string; None becomes NULL with length 0."""
    if PyBytes_CheckExact(source):
        return open_input(source, data)
    return open_other(source, data)


cdef int open_other(object source, Input *data) except -1:
    if source is None:
        data.data = NULL
        data.nbytes = 0
        return 0
    open_view(source, data)
    if data.data == NULL:
        data.data = EMPTY
    return 0


# ---- text, which may be a PIN -----------------------------------------------------------------------

cdef struct Text:
    Input source
    PyObject *copy  # UTF-8 made for this call; an owned reference; overwritten after the call


cdef inline void clear_text(Text *text) noexcept:
    text.source.held = False
    text.copy = NULL


cdef int open_text(object source, Text *text) except -1:
    """Open the UTF-8 of a str, which for ASCII text is the memory of the str itself; or open a byte string."""
    if not isinstance(source, str):
        return open_optional(source, &text.source)
    if is_ascii(source):
        text.source.data = <const uint8_t *>PyUnicode_AsUTF8AndSize(source, <Py_ssize_t *>&text.source.nbytes)
        return 0
    text.copy = encode(source)
    text.source.data = <const uint8_t *>bytes_data(text.copy)
    text.source.nbytes = <size_t>bytes_nbytes(text.copy)
    return 0


cdef inline void close_text(Text *text) noexcept:
    close_input(&text.source)
    if text.copy != NULL:
        wipe_bytes(text.copy)
        text.copy = NULL


cdef void wipe_bytes(PyObject *copy) noexcept:
    """Overwrite bytes that nothing else refers to with zeros, and release them."""
    memset(bytes_data(copy), 0, <size_t>bytes_nbytes(copy))
    Py_XDECREF(copy)


cdef int pad_text(object source, CK_UTF8CHAR *padded, Py_ssize_t width) except -1:
    """Copy text into a field, and pad it with spaces."""
    cdef Text text
    clear_text(&text)
    if source is None:
        raise TypeError("a str or a bytes-like object is required, not 'NoneType'")
    try:
        open_text(source, &text)
        if text.source.nbytes > <size_t>width:
            raise ValueError(f"text of {text.source.nbytes} bytes, where {width} are the most")
        memset(padded, c' ', <size_t>width)
        memcpy(padded, text.source.data, text.source.nbytes)
    finally:
        close_text(&text)
    return 0


cdef inline const char *text_to_nul(object source) except? NULL:
    """The UTF-8 of a text, which ends in NUL; None becomes NULL."""
    return NULL if source is None else utf8_without_nul(source)


cdef const CK_VERSION *open_version(object source, CK_VERSION *version) except? NULL:
    """A version from a pair of integers; None becomes NULL."""
    if source is None:
        return NULL
    if not isinstance(source, tuple) or len(<tuple>source) != 2:
        raise TypeError("a version is a pair of integers")
    version.major = as_u8((<tuple>source)[0])
    version.minor = as_u8((<tuple>source)[1])
    return version

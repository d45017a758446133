# SPDX-License-Identifier: Apache-2.0
# Idioms, text: strings that end in NUL, which the caller or the library owns, and fields of a fixed width.

from libc.string cimport memcpy, memset


def string_length(text, /):
    """Length in bytes of the UTF-8 of a text."""
    return cs_string_length(utf8_without_nul(text))


def string_borrow(number, /):
    """A text that the library owns, or None."""
    return text_or_none(cs_string_borrow(as_u32(number)))


def string_repeat(text, times, /):
    """A text repeated; the library allocates the result, which is freed once it is decoded."""
    cdef const char *data = utf8_without_nul(text)
    cdef char *repeated = NULL
    check(cs_string_repeat(data, as_u32(times), &repeated))
    try:
        return text_or_none(repeated)
    finally:
        cs_string_free(repeated)


# ---- fields of a fixed width, padded with spaces ----------------------------------------------------

def label_get(number, /):
    """A text of a fixed-width field, without its padding."""
    cdef char label[CS_LABEL_NBYTES]
    cdef Py_ssize_t nbytes = CS_LABEL_NBYTES
    cs_label_get(as_u32(number), label)
    while nbytes > 0 and label[nbytes - 1] == c' ':
        nbytes -= 1
    return PyUnicode_DecodeUTF8(label, nbytes, NULL)


def label_hash(text, /):
    """Hash of a text in a fixed-width field, which is padded with spaces."""
    cdef char label[CS_LABEL_NBYTES]
    cdef Py_ssize_t nbytes
    cdef const char *data = utf8(text, &nbytes)
    if nbytes > CS_LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    memset(label, c' ', CS_LABEL_NBYTES)
    memcpy(label, data, <size_t>nbytes)
    return PyLong_FromUnsignedLong(cs_label_hash(label))

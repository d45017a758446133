# SPDX-License-Identifier: Apache-2.0
# Idioms, text: strings that end in NUL, which the caller or the library owns, and fields of a fixed width.

from libc.string cimport memcpy, memset


def string_length(text, /):
    """Return the length of a text in bytes of UTF-8.

    Raises `TypeError` if ``text`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    return cs_string_length(utf8_without_nul(text))


def string_borrow(index, /):
    """Return a copy of a text that the library owns, or None if there is none.

    ``index`` 0 gives 'borrowed', 1 a text that is not ASCII, 3 an empty text, and anything from
    4 on gives None.

    Raises `UnicodeDecodeError` if ``index`` is 2, the text that is not valid UTF-8;
    `OverflowError` if it does not fit ``uint32_t``; `TypeError` if it has no ``__index__``.
    """
    return text_or_none(cs_string_borrow(as_u32(index)))


def string_repeat(text, times, /):
    """Return ``text`` repeated ``times`` times.

    The library allocates the result; it is freed after it was copied to the ``str``.

    Raises `MemoryError` if there is no memory for the result; `TypeError` if ``text`` is not a
    ``str`` or ``times`` has no ``__index__``; `ValueError` if ``text`` contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate; `OverflowError` if ``times`` does not
    fit ``uint32_t``.
    """
    cdef const char *data = utf8_without_nul(text)
    cdef char *repeated = NULL
    check(cs_string_repeat(data, as_u32(times), &repeated))
    try:
        return text_or_none(repeated)
    finally:
        cs_string_free(repeated)


# ---- fields of a fixed width, padded with spaces ----------------------------------------------------

def label_get(index, /):
    """Return label number ``index`` without the spaces that pad it to 32 bytes.

    Raises `OverflowError` if ``index`` does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    cdef char label[CS_LABEL_NBYTES]
    cdef Py_ssize_t nbytes = CS_LABEL_NBYTES
    cs_label_get(as_u32(index), label)
    while nbytes > 0 and label[nbytes - 1] == c' ':
        nbytes -= 1
    return PyUnicode_DecodeUTF8(label, nbytes, NULL)


def label_hash(text, /):
    """Return the 32-bit FNV-1a hash of a text that is padded with spaces to 32 bytes of UTF-8.

    A NUL in the text is hashed like any other byte.

    Raises `ValueError` 'label longer than 32 bytes' if the UTF-8 is longer; `TypeError` if
    ``text`` is not a ``str``; `UnicodeEncodeError` if it contains a lone surrogate.
    """
    cdef char label[CS_LABEL_NBYTES]
    cdef Py_ssize_t nbytes
    cdef const char *data = utf8(text, &nbytes)
    if nbytes > CS_LABEL_NBYTES:
        raise ValueError("label longer than 32 bytes")
    memset(label, c' ', CS_LABEL_NBYTES)
    memcpy(label, data, <size_t>nbytes)
    return PyLong_FromUnsignedLong(cs_label_hash(label))

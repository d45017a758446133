# SPDX-License-Identifier: Apache-2.0
# Idioms, text: a string that ends in NUL, and a field of a fixed width.


def string_length(text, /):
    """Return the length of a text in bytes of UTF-8.

    Raises `TypeError` if ``text`` is not a ``str``; `ValueError` if it contains a NUL;
    `UnicodeEncodeError` if it contains a lone surrogate.
    """
    cdef bytes encoded = str.encode(text)
    if b"\0" in encoded:
        raise ValueError("embedded null character")
    return cs_string_length(encoded)


def label_get(index, /):
    """Return label number ``index`` without the spaces that pad it to 32 bytes.

    Raises `OverflowError` if ``index`` does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    cdef char label[CS_LABEL_NBYTES]
    cs_label_get(PyNumber_Index(index), label)
    return label[:CS_LABEL_NBYTES].decode().rstrip(" ")

# SPDX-License-Identifier: Apache-2.0
# Idioms, text: a string that ends in NUL, and a field of a fixed width.


def string_length(text, /):
    """Length in bytes of the UTF-8 of a text."""
    cdef bytes encoded = str.encode(text)
    if b"\0" in encoded:
        raise ValueError("embedded null character")
    return cs_string_length(encoded)


def label_get(number, /):
    """A text of a fixed-width field, without its padding."""
    cdef char label[CS_LABEL_NBYTES]
    cs_label_get(PyNumber_Index(number), label)
    return label[:CS_LABEL_NBYTES].decode().rstrip(" ")

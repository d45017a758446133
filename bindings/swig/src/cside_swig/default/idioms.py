# SPDX-License-Identifier: Apache-2.0
"""The idioms that the variant has, as SWIG writes them: Python functions and a proxy class."""

from cside_swig.default.core import (
    Box,
    box_area,
    box_fill,
    box_unpack,
    buffer_fill,
    bytes_sum,
    each_call,
    f64_add,
    i32_add,
    label_get,
    mixed_sum,
    noop,
    string_length,
)

__all__ = [
    "Box",
    "box_area",
    "box_fill",
    "box_unpack",
    "buffer_fill",
    "bytes_sum",
    "each_call",
    "f64_add",
    "i32_add",
    "label_get",
    "mixed_sum",
    "noop",
    "string_length",
]

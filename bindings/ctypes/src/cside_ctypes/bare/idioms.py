# SPDX-License-Identifier: Apache-2.0
"""The part of the catalogue that is measured."""

from cside_ctypes.bare._knobs import (
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

# SPDX-License-Identifier: Apache-2.0
"""The functions of the idioms that this variant has."""

from cside_ctypes.bare._idioms_buffers import buffer_fill, bytes_sum
from cside_ctypes.bare._idioms_callbacks import each_call
from cside_ctypes.bare._idioms_scalars import f64_add, i32_add, mixed_sum, noop
from cside_ctypes.bare._idioms_structs import Box, box_area, box_fill, box_unpack
from cside_ctypes.bare._idioms_text import label_get, string_length

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

# SPDX-License-Identifier: Apache-2.0
"""The functions of the idioms that this variant has. Their code is that of the whole binding, by group."""

from cside_ctypes import _idioms_buffers as _buffers
from cside_ctypes import _idioms_callbacks as _callbacks
from cside_ctypes import _idioms_scalars as _scalars
from cside_ctypes import _idioms_structs as _structs
from cside_ctypes import _idioms_text as _text
from cside_ctypes._idioms_structs import Box, box_unpack
from cside_ctypes.cdll._functions import by_cdll

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

noop = by_cdll(_scalars.noop, __name__)
i32_add = by_cdll(_scalars.i32_add, __name__)
f64_add = by_cdll(_scalars.f64_add, __name__)
mixed_sum = by_cdll(_scalars.mixed_sum, __name__)
bytes_sum = by_cdll(_buffers.bytes_sum, __name__)
buffer_fill = by_cdll(_buffers.buffer_fill, __name__)
string_length = by_cdll(_text.string_length, __name__)
label_get = by_cdll(_text.label_get, __name__)
box_fill = by_cdll(_structs.box_fill, __name__)
box_area = by_cdll(_structs.box_area, __name__)
each_call = by_cdll(_callbacks.each_call, __name__)

# SPDX-License-Identifier: Apache-2.0
"""The functions that every variant offers. Each name is the compiled function itself."""

from cside_cython.default import unavailable

if unavailable is None:
    from cside_cython.default._core import (
        Box,
        StatusError,
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
else:
    raise ImportError(unavailable)

__all__ = [
    "Box",
    "StatusError",
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

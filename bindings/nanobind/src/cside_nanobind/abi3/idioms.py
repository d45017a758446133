# SPDX-License-Identifier: Apache-2.0
"""The functions of ``idioms`` that every variant has, imported from the compiled module without a Python wrapper."""

from cside_nanobind.abi3 import unavailable

if unavailable is None:
    from cside_nanobind._abi3 import (
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

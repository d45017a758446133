# SPDX-License-Identifier: Apache-2.0
"""The idioms: small functions, each for one thing that a C interface makes a binding do.

``cside/idioms.h`` says what each function computes. The code of a group of functions is in ``_idioms_<group>.py``.
Those modules have four habits in common:

- cffi converts an int by ``__int__``, which accepts a Decimal and rejects an object that has only ``__index__``. So
  integers pass through `operator.index` first. If two arguments are wrong, the exception is about the left one, as in
  C: after a `TypeError` the call is repeated with each argument checked in turn.
- An out-parameter is a cdata that is taken from a list and put back after the call, because allocating one costs as
  much as the call. `list.pop` and `list.append` are atomic, so no two threads, signal handlers or finalisers share one.
- C gets a ``bytes`` object itself. Any other buffer goes through ``from_buffer``, which locks it until ``release``.
- They import little, because the time of an import is measured too: `_operator`, which is compiled, instead of
  `operator`; and quoted annotations instead of ``from __future__ import annotations``, which imports a module.
"""

from ._idioms_arrays import (
    attrs_digest,
    attrs_get,
)
from ._idioms_buffers import (
    blob_get,
    buffer_fill,
    bytes_sum,
    runs_expand,
)
from ._idioms_callbacks import (
    each_call,
    ops_add,
    ops_multiply,
    thread_call,
)
from ._idioms_errors import (
    StatusError,
    errno_raise,
    status_raise,
)
from ._idioms_handles import (
    Counter,
)
from ._idioms_scalars import (
    bool_not,
    f32_add,
    f64_add,
    i8_add,
    i16_add,
    i32_add,
    i64_add,
    mixed_sum,
    noop,
    u8_add,
    u16_add,
    u32_add,
    u64_add,
    varargs_sum,
)
from ._idioms_structs import (
    CONFIG_NBYTES,
    CONFIG_V1_NBYTES,
    Box,
    Point,
    box_area,
    box_fill,
    box_unpack,
    config_read,
    point_add,
)
from ._idioms_text import (
    label_get,
    label_hash,
    string_borrow,
    string_length,
    string_repeat,
)
from ._idioms_threads import (
    spin_held,
    spin_released,
    state_fini,
    state_init,
    state_next,
    tls_get,
    tls_set,
)
from ._idioms_trace import (
    TraceRecord,
    trace_count,
    trace_enable,
    trace_enabled,
    trace_name,
    trace_read,
    trace_reset,
)
from ._idioms_values import (
    COLOR_BLUE,
    COLOR_GREEN,
    COLOR_RED,
    CONST_CAST,
    CONST_CHAR,
    CONST_EXPR,
    CONST_FLOAT,
    CONST_HEX,
    CONST_INT,
    CONST_NEGATIVE,
    CONST_SHIFT,
    CONST_STRING,
    FLAG_ALL,
    FLAG_EXEC,
    FLAG_READ,
    FLAG_WRITE,
    bits_pack,
    bits_unpack,
    color_next,
    const_text,
    flags_toggle,
    inline_rotl,
    macro_clamp,
    variant_double,
)

__all__ = [
    "COLOR_BLUE",
    "COLOR_GREEN",
    "COLOR_RED",
    "CONFIG_NBYTES",
    "CONFIG_V1_NBYTES",
    "CONST_CAST",
    "CONST_CHAR",
    "CONST_EXPR",
    "CONST_FLOAT",
    "CONST_HEX",
    "CONST_INT",
    "CONST_NEGATIVE",
    "CONST_SHIFT",
    "CONST_STRING",
    "FLAG_ALL",
    "FLAG_EXEC",
    "FLAG_READ",
    "FLAG_WRITE",
    "Box",
    "Counter",
    "Point",
    "StatusError",
    "TraceRecord",
    "attrs_digest",
    "attrs_get",
    "bits_pack",
    "bits_unpack",
    "blob_get",
    "bool_not",
    "box_area",
    "box_fill",
    "box_unpack",
    "buffer_fill",
    "bytes_sum",
    "color_next",
    "config_read",
    "const_text",
    "each_call",
    "errno_raise",
    "f32_add",
    "f64_add",
    "flags_toggle",
    "i8_add",
    "i16_add",
    "i32_add",
    "i64_add",
    "inline_rotl",
    "label_get",
    "label_hash",
    "macro_clamp",
    "mixed_sum",
    "noop",
    "ops_add",
    "ops_multiply",
    "point_add",
    "runs_expand",
    "spin_held",
    "spin_released",
    "state_fini",
    "state_init",
    "state_next",
    "status_raise",
    "string_borrow",
    "string_length",
    "string_repeat",
    "thread_call",
    "tls_get",
    "tls_set",
    "trace_count",
    "trace_enable",
    "trace_enabled",
    "trace_name",
    "trace_read",
    "trace_reset",
    "u8_add",
    "u16_add",
    "u32_add",
    "u64_add",
    "varargs_sum",
    "variant_double",
]

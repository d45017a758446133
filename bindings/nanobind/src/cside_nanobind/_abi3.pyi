# SPDX-License-Identifier: Apache-2.0
"""Types of what `cside_nanobind.abi3` takes from the module: classes of its own, and functions typed as in `_core`."""

from typing import SupportsIndex, final

from cside_nanobind._core import (
    buffer_fill as buffer_fill,
)
from cside_nanobind._core import (
    bytes_sum as bytes_sum,
)
from cside_nanobind._core import (
    crc32 as crc32,
)
from cside_nanobind._core import (
    each_call as each_call,
)
from cside_nanobind._core import (
    f64_add as f64_add,
)
from cside_nanobind._core import (
    i32_add as i32_add,
)
from cside_nanobind._core import (
    label_get as label_get,
)
from cside_nanobind._core import (
    mixed_sum as mixed_sum,
)
from cside_nanobind._core import (
    noop as noop,
)
from cside_nanobind._core import (
    string_length as string_length,
)

class StatusError(Exception):
    status: int
    name: str

@final
class Box:
    def __init__(self) -> None: ...

def box_fill(box: Box, tag: SupportsIndex, /) -> None: ...
def box_area(box: Box, /) -> float: ...
def box_unpack(box: Box, /) -> tuple[float, float, float, float, int]: ...

# SPDX-License-Identifier: Apache-2.0
"""``ffi`` and ``lib`` as API mode's compiled ``_core`` has them: the library opened by its path at run time."""

from __future__ import annotations

import cside_native

from cside_cffi.abi._declarations import ffi as ffi

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from typing import Any

lib: Any = ffi.dlopen(str(cside_native.library()))

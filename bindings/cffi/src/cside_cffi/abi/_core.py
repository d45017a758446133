# SPDX-License-Identifier: Apache-2.0
"""``ffi`` and ``lib`` as the compiled ``_core`` of API mode has them; here the library is opened at run time."""

import cside_native

from cside_cffi.abi._declarations import ffi as ffi

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from typing import Any

lib: "Any" = ffi.dlopen(str(cside_native.library()))

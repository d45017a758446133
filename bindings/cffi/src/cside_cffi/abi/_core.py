# SPDX-License-Identifier: Apache-2.0
"""``ffi`` and ``lib`` as API mode's compiled ``_core`` has them: the library opened by its path at run time."""

from typing import Any

import cside_native

from cside_cffi.abi._declarations import ffi as ffi

lib: Any = ffi.dlopen(str(cside_native.library()))

# SPDX-License-Identifier: Apache-2.0
"""Write the C source of a cffi module: ``emit.py DECLARATIONS MODULE OUTPUT``."""

import sys
from pathlib import Path

import cffi

declarations, module, output = sys.argv[1:]
ffi = cffi.FFI()
ffi.cdef(Path(declarations).read_text(encoding="utf-8"))
ffi.set_source(module, '#include "hz.h"\n')
ffi.emit_c_code(output)

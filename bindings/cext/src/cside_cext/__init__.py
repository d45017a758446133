# SPDX-License-Identifier: Apache-2.0
"""libcside bound by a hand-written C extension: ``cside_cext.idioms``, ``cside_cext.codec``, ``cside_cext.pkcs11``."""

# This package does not import `typing`, which would take nine tenths of its import time.
import sys
from os.path import isdir as _isdir

__all__ = ["__version__", "features", "gaps"]

__version__ = "0.1.0"

# The modules' run path leads to cside_native/lib beside this package. If that is elsewhere, as after `pip install -e`,
# and on Windows, which has no run paths, they find the library because it is loaded already.
if sys.platform == "win32" or not _isdir(f"{__path__[0]}/../cside_native"):
    import cside_native

    cside_native.preload()
    del cside_native

_PYPY = sys.implementation.name == "pypy"

gaps: dict[str, str] = {}
"""Features that this binding does not have on the running interpreter, with the reason."""

if _PYPY:
    gaps["zero-copy-in"] = (
        "PyPy copies a bytes object into C memory when the C API gets it, because the object may move"
    )
    gaps["zero-copy-out"] = "PyPy copies what C has written into a new bytes object when the result leaves the C API"
if _PYPY or sys.version_info < (3, 12):
    gaps["subinterpreters"] = "a GIL of its own for each interpreter exists from CPython 3.12 on"
if _PYPY or sys.version_info < (3, 13):
    gaps["free-threading"] = "builds without a GIL exist from CPython 3.13 on"

features: frozenset[str] = frozenset(
    {
        "bit-fields",
        "callbacks",
        "callbacks-from-foreign-threads",
        "constants-from-header",
        "free-threading",
        "gil-held",
        "gil-released",
        "macros-and-inlines",
        "pkcs11",
        "second-copy",
        "struct-by-value",
        "subinterpreters",
        "varargs",
        "zero-copy-in",
        "zero-copy-out",
    }
    - gaps.keys()
)
"""Features that this binding has on the running interpreter."""

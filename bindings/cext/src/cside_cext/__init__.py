# SPDX-License-Identifier: Apache-2.0
"""libcside through a hand-written C extension: ``cside_cext.idioms``, ``.codec`` and ``.pkcs11``."""

# `typing` would be nine tenths of the time that importing this package takes.
import sys

__all__ = ["__version__", "features", "gaps"]

__version__ = "0.1.0"

_PYPY = sys.implementation.name == "pypy"

gaps: dict[str, str] = {}
"""What this binding lacks on the running interpreter, and why."""

if _PYPY:
    gaps["zero-copy-in"] = "PyPy copies a bytes object into C memory when it enters the C API, for its own may move"
    gaps["zero-copy-out"] = "PyPy copies what C wrote into a bytes object of its own when it leaves the C API"
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
        "struct-by-value",
        "subinterpreters",
        "varargs",
        "zero-copy-in",
        "zero-copy-out",
    }
    - gaps.keys()
)
"""What this binding offers on the running interpreter."""

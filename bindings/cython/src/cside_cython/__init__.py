# SPDX-License-Identifier: Apache-2.0
"""libcside bound with Cython: ``cside_cython.idioms``, ``cside_cython.codec`` and ``cside_cython.pkcs11``."""

# `typing` is not imported, because importing it takes longer than importing the rest of the package.
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

gaps: dict[str, str] = {
    "subinterpreters": "Cython keeps classes and constants in C globals; its module state, which would avoid that, is "
    "experimental, makes struct arguments five times slower and crashed in an interpreter with its own GIL",
}
"""What this binding lacks on the running interpreter, and why."""

if sys.implementation.name == "pypy":
    gaps["free-threading"] = "PyPy has no build without a GIL"
    gaps["zero-copy-in"] = "PyPy's C API gives C a copy of a bytes object, because the object may be moved"
    gaps["zero-copy-out"] = "PyPy's C API copies the bytes object that C has written when Python first sees it"
elif sys.version_info < (3, 13):
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
        "varargs",
        "zero-copy-in",
        "zero-copy-out",
    }
).difference(gaps)
"""What this binding offers on the running interpreter."""

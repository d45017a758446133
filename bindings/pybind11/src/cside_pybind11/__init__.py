# SPDX-License-Identifier: Apache-2.0
"""libcside bound with pybind11: ``cside_pybind11.idioms`` and ``cside_pybind11.codec``."""

# `typing` is not imported, because importing it takes longer than importing the rest of the package.
import sys
from os.path import isdir as _isdir

__all__ = ["__version__", "features", "gaps"]

__version__ = "0.1.0"

# The module's run path leads to cside_native/lib beside this package. If that is elsewhere, as after `pip install -e`,
# and on Windows, which has no run paths, it finds the library because that is loaded already.
if sys.platform == "win32" or not _isdir(f"{__path__[0]}/../cside_native"):
    import cside_native

    cside_native.preload()
    del cside_native

gaps: dict[str, str] = {
    "free-threading": "pybind11 supports builds without a GIL, but this binding has not been tested on one",
    "pkcs11": "what generates the functions of PKCS #11 has no templates for pybind11",
    "second-copy": "pybind11 gives an interpreter the module that it has when a module of that name is loaded again",
}
"""What this binding lacks on the running interpreter, and why."""

if sys.implementation.name == "pypy":
    gaps["free-threading"] = "PyPy has no build without a GIL"
    gaps["subinterpreters"] = "PyPy has no subinterpreters"
    gaps["zero-copy-in"] = "PyPy's C API gives C a copy of a bytes object, because the object may be moved"
    gaps["zero-copy-out"] = "PyPy's C API copies the bytes object that C has written when Python first sees it"
elif sys.version_info < (3, 12):
    gaps["free-threading"] = "builds without a GIL exist from CPython 3.13 on"
    gaps["subinterpreters"] = "a GIL of its own for each interpreter exists from CPython 3.12 on"

features: frozenset[str] = frozenset(
    {
        "bit-fields",
        "callbacks",
        "callbacks-from-foreign-threads",
        "constants-from-header",
        "gil-held",
        "gil-released",
        "macros-and-inlines",
        "struct-by-value",
        "subinterpreters",
        "varargs",
        "zero-copy-in",
        "zero-copy-out",
    }
).difference(gaps)
"""What this binding offers on the running interpreter."""

# SPDX-License-Identifier: Apache-2.0
"""libcside through SWIG, which writes the compiled module ``_core`` from typemaps in interface files."""

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

_COPIES = sys.implementation.name == "pypy"

features: frozenset[str] = frozenset(
    {
        "bit-fields",
        "callbacks",
        "callbacks-from-foreign-threads",
        "constants-from-header",
        "gil-held",
        "gil-released",
        "macros-and-inlines",
        "pkcs11",
        "second-copy",
        "struct-by-value",
        "varargs",
    }
    | (set() if _COPIES else {"zero-copy-in", "zero-copy-out"})
)
"""The features of the contract that this binding has."""

gaps: dict[str, str] = {
    "free-threading": "SWIG's runtime keeps ownership flags and attribute dictionaries of its objects without locks; "
    "its option -nogil declares a module safe but does not make it so.",
    "subinterpreters": "SWIG keeps the types and exceptions of a module in C globals, shared by all interpreters.",
    **(
        {
            "zero-copy-in": "PyPy's C-API copies a bytes object from its own heap when C first asks for the address.",
            "zero-copy-out": "PyPy's C-API copies the bytes that C wrote back to its own heap.",
        }
        if _COPIES
        else {}
    ),
}
"""The features of the contract that this binding lacks, each with the reason."""

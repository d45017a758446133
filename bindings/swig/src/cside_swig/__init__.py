# SPDX-License-Identifier: Apache-2.0
"""libcside through SWIG: typemaps in interface files, wrappers written by SWIG, one compiled module."""

import sys

__all__ = ["__version__", "features", "gaps"]

__version__ = "0.1.0"

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
        "struct-by-value",
        "varargs",
    }
    | (set() if _COPIES else {"zero-copy-in", "zero-copy-out"})
)
"""What this binding offers, by the names of the contract."""

gaps: dict[str, str] = {
    "free-threading": "SWIG's runtime keeps ownership flags and attribute dictionaries of its objects without locks; "
    "its option -nogil declares a module safe but does not make it so.",
    "subinterpreters": "SWIG keeps types and exceptions of a module in C globals, which interpreters would share.",
    **(
        {
            "zero-copy-in": "PyPy's C-API copies a bytes object out of its own heap when C first asks for its memory.",
            "zero-copy-out": "PyPy's C-API copies what C wrote into a bytes object back to its own heap.",
        }
        if _COPIES
        else {}
    ),
}
"""Why the others are missing."""

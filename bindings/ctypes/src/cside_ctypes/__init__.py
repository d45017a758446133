# SPDX-License-Identifier: Apache-2.0
"""libcside bound with :mod:`ctypes`: every prototype is written in Python, and no machine needs a compiler.

The modules are ``cside_ctypes.idioms``, ``cside_ctypes.codec`` and ``cside_ctypes.pkcs11``; this package imports none
of them. ``features`` names what the binding offers on this interpreter, ``gaps`` what is missing, each with a reason.
"""

import sys

__all__ = ["__version__", "features", "gaps"]

__version__ = "0.1.0"

_gaps = {
    "constants-from-header": "ctypes never reads a header: constants are copied by hand and checked by a test.",
    "macros-and-inlines": "ctypes calls exported symbols only, and macros and static-inline functions have none.",
    "zero-copy-out": (
        "ctypes cannot shrink a bytes object, so results of unknown size are copied once, to length; "
        "on CPython those of known size are written in place."
    ),
}
if sys.implementation.name == "pypy":
    _gaps |= {
        "free-threading": "PyPy has no build without the GIL.",
        "gil-held": "PyPy's ctypes has no PyDLL: each of its calls releases the GIL.",
        "subinterpreters": "PyPy has no subinterpreters.",
        "zero-copy-out": "PyPy's bytes objects cannot be written by C: each result is copied once.",
    }
elif sys.version_info < (3, 13):
    _gaps |= {
        "free-threading": "This CPython is older than the builds without the GIL.",
        "subinterpreters": "ctypes supports a GIL per subinterpreter from CPython 3.13 on.",
    }

gaps: dict[str, str] = _gaps
"""What the binding lacks on this interpreter: the name of each missing feature, and the reason."""

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
    }.difference(gaps)
)
"""What the binding offers on this interpreter. The names are those of the contract."""

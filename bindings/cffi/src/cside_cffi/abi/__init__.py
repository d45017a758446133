# SPDX-License-Identifier: Apache-2.0
"""libcside bound with cffi in ABI mode: no compiler; libffi makes the calls, by declarations that nothing has checked.

This folder holds only what ABI mode has of its own: `_core`, which opens the library at run time, and type stubs. All
other modules are those of the parent folder, and are not copied. This package's ``__path__`` has two entries, its own
folder and the parent's, and Python searches them in this order. So ``import cside_cffi.abi.idioms`` finds
``cside_cffi/idioms.py`` and runs it as a second module under that name. There its relative imports, such as
``from ._core import lib``, lead to this package.

Where the two modes need different code, a module has both versions and chooses by `_API_MODE`, which is ``False`` here.
The choice is made once, at import. Two modules from one file, rather than one module with a ``lib`` parameter, keep the
library's functions globals of each module, which CPython's specialiser and PyPy's JIT treat as constants.
"""

import sys
from os.path import dirname as _dirname

from cside_cffi import __version__ as __version__

# The parent's folder contains ``abi`` too, so that cside_cffi.abi.abi would be found, and abi.abi.abi, and so on.
if __name__ != "cside_cffi.abi":
    raise ImportError("cside_cffi.abi has no package of its own name")
__path__.append(_dirname(_dirname(__file__)))

_API_MODE: bool = False
"""The modules of the parent folder read it (as ``from . import _API_MODE``) where the two modes need different code."""

features: frozenset[str] = frozenset(
    {
        "bit-fields",
        "callbacks",
        "callbacks-from-foreign-threads",
        "free-threading",
        "gil-released",
        "pkcs11",
        "second-copy",
        "struct-by-value",
        "varargs",
        "zero-copy-in",
    }
)
"""The features that this variant has, by their names in the contract."""

gaps: dict[str, str] = {
    "constants-from-header": "no compiler reads the header: constants are copied into the declarations by hand.",
    "gil-held": "cffi releases the GIL around every call and offers no way to keep it.",
    "macros-and-inlines": "a library has no symbol for them, and ABI mode knows nothing but symbols.",
    "subinterpreters": "cffi's runtime, _cffi_backend, has single-phase initialisation: no GIL of its own.",
    "zero-copy-out": "cffi cannot allocate a bytes object for C to write to: results are copied out of its own memory.",
}
"""The features that it lacks, each with the reason."""

if sys.implementation.name == "pypy":
    features -= {"free-threading"}
    gaps["free-threading"] = "PyPy has no build without a GIL."

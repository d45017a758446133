# SPDX-License-Identifier: Apache-2.0
"""libcside bound with cffi in API mode: cffi generates a C module, and the C compiler checks it against the headers.

The public modules are ``cside_cffi.idioms``, ``cside_cffi.codec`` and ``cside_cffi.pkcs11``. The package
``cside_cffi.abi`` offers the same three in ABI mode, without a compiler. Both modes run the same Python sources, those
of this folder; ``abi/__init__.py`` explains how.
"""

import sys
from os.path import isdir as _isdir

__version__ = "0.1.0"

# The modules' run path leads to cside_native/lib beside this package. If that is elsewhere, as after `pip install -e`,
# and on Windows, which has no run paths, they find the library because it is loaded already.
if sys.platform == "win32" or not _isdir(f"{__path__[0]}/../cside_native"):
    import cside_native

    cside_native.preload()
    del cside_native

_API_MODE: bool = True
"""The modules of this folder read it (as ``from . import _API_MODE``) where the two modes need different code."""

features: frozenset[str] = frozenset(
    {
        "bit-fields",
        "callbacks",
        "callbacks-from-foreign-threads",
        "constants-from-header",
        "free-threading",
        "gil-released",
        "macros-and-inlines",
        "pkcs11",
        "second-copy",
        "struct-by-value",
        "varargs",
        "zero-copy-in",
    }
)
"""The features that this binding has, by their names in the contract."""

gaps: dict[str, str] = {
    "gil-held": "cffi releases the GIL around every call and offers no way to keep it.",
    "subinterpreters": "cffi's runtime, _cffi_backend, has single-phase initialisation: no GIL of its own.",
    "zero-copy-out": "cffi cannot allocate a bytes object for C to write to: results are copied out of its own memory.",
}
"""The features that it lacks, each with the reason."""

if sys.implementation.name == "pypy":
    features -= {"free-threading"}
    gaps["free-threading"] = "PyPy has no build without a GIL."

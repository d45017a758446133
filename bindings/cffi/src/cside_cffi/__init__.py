# SPDX-License-Identifier: Apache-2.0
"""libcside bound with cffi in API mode: a compiled module, checked against the header by the C compiler.

``cside_cffi.idioms``, ``cside_cffi.codec`` and ``cside_cffi.pkcs11`` are the nouns; ``cside_cffi.abi`` is the same
binding in ABI mode, where no compiler takes part.
"""

import sys

__version__ = "0.1.0"

features: frozenset[str] = frozenset(
    {
        "bit-fields",
        "callbacks",
        "callbacks-from-foreign-threads",
        "constants-from-header",
        "free-threading",
        "gil-released",
        "macros-and-inlines",
        "struct-by-value",
        "varargs",
        "zero-copy-in",
    }
)
"""What this binding can do, in the contract's names."""

gaps: dict[str, str] = {
    "gil-held": "cffi releases the GIL around every call and offers no way to keep it.",
    "subinterpreters": "cffi's runtime, _cffi_backend, has single-phase initialisation: no GIL of its own.",
    "zero-copy-out": "cffi cannot allocate a bytes object for C to write to: results are copied out of its own memory.",
}
"""What it cannot, and why."""

if sys.implementation.name == "pypy":
    features -= {"free-threading"}
    gaps["free-threading"] = "PyPy has no build without a GIL."

# SPDX-License-Identifier: Apache-2.0
"""libcside bound with cffi in ABI mode: no compiler, calls go through libffi by declarations that nobody checked.

Everything above ``ffi`` and ``lib`` is the same source as API mode's. It is not copied: this package looks for its
modules in its own folder first (``_core``, ``_mode``: what differs) and then in its parent's, so that
``cside_cffi.abi.idioms`` is the file of ``cside_cffi.idioms``, run again with this package's ``_core`` and ``_mode``.
That keeps ``lib``'s functions globals of each, which both CPython's specialiser and PyPy's JIT treat as constants.
"""

import sys
from os.path import dirname as _dirname

from cside_cffi import __version__ as __version__

if __name__ != "cside_cffi.abi":  # the parent's folder has an ``abi`` too; packages within it would never end
    raise ImportError("cside_cffi.abi has no package of its own name")
__path__.append(_dirname(_dirname(__file__)))

features: frozenset[str] = frozenset(
    {
        "bit-fields",
        "callbacks",
        "callbacks-from-foreign-threads",
        "free-threading",
        "gil-released",
        "struct-by-value",
        "varargs",
        "zero-copy-in",
    }
)
"""What this variant can do, in the contract's names."""

gaps: dict[str, str] = {
    "constants-from-header": "no compiler reads the header: constants are copied into the declarations by hand.",
    "gil-held": "cffi releases the GIL around every call and offers no way to keep it.",
    "macros-and-inlines": "a library has no symbol for them, and ABI mode knows nothing but symbols.",
    "subinterpreters": "cffi's runtime, _cffi_backend, has single-phase initialisation: no GIL of its own.",
    "zero-copy-out": "cffi cannot allocate a bytes object for C to write to: results are copied out of its own memory.",
}
"""What it cannot, and why."""

if sys.implementation.name == "pypy":
    features -= {"free-threading"}
    gaps["free-threading"] = "PyPy has no build without a GIL."

# SPDX-License-Identifier: Apache-2.0
"""libcside bound with :mod:`ctypes` without ``argtypes``: Python code converts each argument before the call.

This variant has a few functions of the binding and shows what ``argtypes`` cost or save. Checks, structs and the GIL
policy are those of the whole binding. A native function declares at most its result.

Without ``argtypes``, ctypes passes an int as a C ``int`` (its lower 32 bits), bytes as their address, None as NULL, a
thunk as its address and a struct by value. Every other argument has to be made a ctypes object, above all sizes and
addresses, of which a C ``int`` would lose the high bits.
"""

from cside_ctypes import __version__, features, gaps

__all__ = ["__version__", "features", "gaps", "partial", "unavailable"]

partial: bool = True
"""The variant offers only a part of the contract."""

unavailable: str | None = None
"""Why this interpreter cannot have the variant, or None. ctypes can call without prototypes on every interpreter."""

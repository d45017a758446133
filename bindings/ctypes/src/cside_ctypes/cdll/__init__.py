# SPDX-License-Identifier: Apache-2.0
"""libcside bound with :mod:`ctypes` and called through ``CDLL`` only: every call releases the GIL and takes it again.

This variant has a few functions of the binding and shows what ``PyDLL`` saves. Only the handle of its native functions
differs from the whole binding.
"""

import sys

from cside_ctypes import __version__
from cside_ctypes import features as _features
from cside_ctypes import gaps as _gaps

__all__ = ["__version__", "features", "gaps", "partial", "unavailable"]

partial: bool = True
"""The variant offers only a part of the contract."""

unavailable: str | None = (
    "PyPy's ctypes has no PyDLL, so that the whole binding calls through CDLL there already."
    if sys.implementation.name == "pypy"
    else None
)
"""Why this interpreter cannot have the variant, or None."""

gaps: dict[str, str] = _gaps | {"gil-held": "CDLL releases the GIL around every call: this is what the variant shows."}
"""What the variant lacks on this interpreter: the name of each missing feature, and the reason."""

features: frozenset[str] = _features.difference(gaps)
"""What the variant offers on this interpreter. The names are those of the contract."""

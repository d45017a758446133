# SPDX-License-Identifier: Apache-2.0
"""libcside through :mod:`ctypes` with ``CDLL`` for every call, so that each gives up the GIL and takes it again.

A part of the binding, to measure what ``PyDLL`` saves. Everything but the library's functions is the whole binding's.
"""

import sys

from cside_ctypes import __version__
from cside_ctypes import features as _features
from cside_ctypes import gaps as _gaps

__all__ = ["__version__", "features", "gaps", "partial", "unavailable"]

partial: bool = True
"""Only a few functions are here."""

unavailable: str | None = (
    "PyPy's ctypes has no PyDLL, so that the whole binding calls through CDLL there already."
    if sys.implementation.name == "pypy"
    else None
)
"""Why this interpreter cannot have the variant, or None."""

gaps: dict[str, str] = _gaps | {"gil-held": "CDLL releases the GIL around every call: this is what the variant shows."}
"""What is missing here, and why."""

features: frozenset[str] = _features.difference(gaps)
"""What it can do."""

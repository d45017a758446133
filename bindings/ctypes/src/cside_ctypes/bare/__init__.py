# SPDX-License-Identifier: Apache-2.0
"""libcside through :mod:`ctypes` without ``argtypes``: each argument is made what C expects before the call.

A part of the binding, to measure what ``argtypes`` cost or save. Checks, structs and the policy for the GIL are those
of the whole binding; the functions of the library know their result at most.
"""

from cside_ctypes import __version__, features, gaps

__all__ = ["__version__", "features", "gaps", "partial", "unavailable"]

partial: bool = True
"""Only a few functions are here."""

unavailable: str | None = None
"""ctypes needs no prototypes on any interpreter."""

# SPDX-License-Identifier: Apache-2.0
"""libcside through SWIG with ``-fastproxy``: functions are the compiled ones, and structs keep their Python classes.

A part of the functions, built to measure what ``-builtin`` gains. ``_core`` is the compiled module, ``core`` the Python
file that SWIG writes.
"""

from cside_swig import __version__, features, gaps

__all__ = ["__version__", "features", "gaps", "partial", "unavailable"]

partial: bool = True
"""The variant has a part of the functions only."""

unavailable: str | None = None
"""The reason why an interpreter cannot have the variant. None, because SWIG writes proxies for every interpreter."""

# SPDX-License-Identifier: Apache-2.0
"""libcside through SWIG with ``-fastproxy``: C functions are called directly, structs keep their Python classes.

A part of the binding, to measure what ``-builtin`` gains. ``_core`` is what was compiled, ``core`` SWIG's Python file.
"""

from cside_swig import __version__, features, gaps

__all__ = ["__version__", "features", "gaps", "partial", "unavailable"]

partial: bool = True
"""Only a few functions are here."""

unavailable: str | None = None
"""SWIG writes proxies for every interpreter."""

# SPDX-License-Identifier: Apache-2.0
"""Cython on the stable ABI: the sources of the whole binding, compiled for the limited API of CPython 3.11."""

import sys

from cside_cython import features as _features_of_all
from cside_cython import gaps as _gaps_of_all

__all__ = ["features", "gaps", "partial", "unavailable"]

partial = True
"""This variant offers only some functions: those that the contract lists for variants."""

unavailable: str | None = None
"""Why the running interpreter cannot have this variant, or None."""

if sys.implementation.name == "pypy":
    unavailable = "PyPy has no limited API"
elif "free-threading build" in sys.version:
    unavailable = "up to CPython 3.14 builds without a GIL have no stable ABI"

gaps: dict[str, str] = dict(_gaps_of_all)
"""What the variant lacks on the running interpreter, and why."""

if unavailable is not None:
    gaps = dict.fromkeys([*_features_of_all, *_gaps_of_all], unavailable)
else:
    gaps["free-threading"] = "up to CPython 3.14 builds without a GIL have no stable ABI"

features: frozenset[str] = _features_of_all.difference(gaps)
"""What the variant offers on the running interpreter."""

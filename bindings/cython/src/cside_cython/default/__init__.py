# SPDX-License-Identifier: Apache-2.0
"""Cython as its tutorial teaches it: default directives, plain conversions, no optimisation."""

import sys

from cside_cython import features as _features_of_all
from cside_cython import gaps as _gaps_of_all

__all__ = ["features", "gaps", "partial", "unavailable"]

partial = True
"""This variant offers only some functions: those that the contract lists for variants."""

unavailable: str | None = None
"""Why the running interpreter cannot have this variant, or None."""

if "free-threading build" in sys.version:
    unavailable = "a module says by a directive that it needs no GIL; importing this one would switch the GIL back on"

gaps: dict[str, str] = dict(_gaps_of_all)
"""What the variant lacks on the running interpreter, and why."""

if unavailable is not None:
    gaps = dict.fromkeys([*_features_of_all, *_gaps_of_all], unavailable)
else:
    gaps.setdefault("free-threading", "a module says by a directive that it needs no GIL; this one says nothing")

features: frozenset[str] = _features_of_all.difference(gaps)
"""What the variant offers on the running interpreter."""

# SPDX-License-Identifier: Apache-2.0
"""Cython as a newcomer writes it: default directives, plain conversions, nothing tuned."""

import sys

from cside_cython import features as _features_of_all
from cside_cython import gaps as _gaps_of_all

__all__ = ["features", "gaps", "partial", "unavailable"]

partial = True
"""A variant of a few functions."""

unavailable: str | None = None
"""Why this interpreter cannot have it."""

if "free-threading build" in sys.version:
    unavailable = "a module says by a directive that it needs no GIL; importing this one would switch the GIL back on"

gaps: dict[str, str] = dict(_gaps_of_all)
"""What the technique lacks on the running interpreter, and why."""

if unavailable is not None:
    gaps = dict.fromkeys([*_features_of_all, *_gaps_of_all], unavailable)
else:
    gaps.setdefault("free-threading", "a module says by a directive that it needs no GIL, and none is set here")

features: frozenset[str] = _features_of_all.difference(gaps)
"""What the technique offers on the running interpreter."""

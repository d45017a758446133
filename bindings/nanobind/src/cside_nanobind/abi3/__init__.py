# SPDX-License-Identifier: Apache-2.0
"""The binding built for the stable ABI: some of the same sources, compiled for the limited API of CPython 3.12."""

import sys

from cside_nanobind import features as _features_of_all
from cside_nanobind import gaps as _gaps_of_all

__all__ = ["features", "gaps", "partial", "unavailable"]

partial = True
"""This variant has only the functions that every variant has."""

unavailable: str | None = None
"""Why the running interpreter cannot have this variant; None if it can."""

if sys.implementation.name == "pypy":
    unavailable = "PyPy has no limited API"
elif "free-threading build" in sys.version:
    unavailable = "up to CPython 3.14 builds without a GIL have no stable ABI"
elif sys.version_info < (3, 12):
    unavailable = "nanobind, linked into the module, needs the limited API of CPython 3.12"

gaps: dict[str, str] = {**_gaps_of_all, "free-threading": "up to CPython 3.14 builds without a GIL have no stable ABI"}
"""Features that this variant does not have on the running interpreter, with the reason."""

if unavailable is not None:
    gaps = dict.fromkeys([*_features_of_all, *_gaps_of_all], unavailable)

features: frozenset[str] = _features_of_all.difference(gaps)
"""Features that this variant has on the running interpreter."""

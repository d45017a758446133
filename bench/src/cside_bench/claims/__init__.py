# SPDX-License-Identifier: Apache-2.0
"""The claims ledger: statements about binding C to Python, kept as data and judged by a run.

``claims.toml`` holds the claims, each with its source and a hypothesis; :mod:`.catalogue` reads them, :mod:`.judging`
judges them by a :class:`cside_bench.results.evidence.Run`, and ``docs/claims.md`` is the method.
"""

from cside_bench.claims.catalogue import Catalogue, CatalogueError, Claim
from cside_bench.claims.judging import judge, write

__all__ = ["Catalogue", "CatalogueError", "Claim", "judge", "write"]

# SPDX-License-Identifier: Apache-2.0
"""Which approach for whom, from what a run measured; ``rules.toml`` has every rule.

A profile says what a team has and needs (:mod:`.profiles`). Hard constraints leave approaches out
(:mod:`.constraints`); measured cells become times (:mod:`.prediction`), those and other costs a score
(:mod:`.scoring`), draws of what few processes leave open (:mod:`.draws`) a probability. :mod:`.flips` finds what
would change the answer, :mod:`.answer` puts it together, :mod:`.document` writes ``recommendations.json``.
"""

from cside_bench.recommend.document import answers, write

__all__ = ["answers", "write"]

# SPDX-License-Identifier: Apache-2.0
"""Draws of how far a user's function is from its shape."""

import json
from pathlib import Path

import numpy as np
import pytest
from cside_bench.recommend.draws import Deviates
from cside_bench.recommend.misses import FEWEST, Misses
from cside_bench.recommend.prediction import Prediction
from cside_bench.results.evidence import Run
from profiles_of_tests import RULES
from synthetic_advice import KNOWN, LABEL, ON_PYPY, PYPY, write

DRAWS = 4000


def with_misses(folder: Path, misses: dict[str, list[float | None]], kinds: int) -> Run:
    """Return a run whose ``shapes.json`` has these misses on both interpreters."""
    found = write(folder, {LABEL: KNOWN, PYPY: ON_PYPY})
    approaches = [{"subject": name, "misses": its} for name, its in misses.items()]
    document = {
        "format": 1,
        "kinds": [f"kind{number}" for number in range(kinds)],
        "interpreters": [{"label": label, "approaches": approaches} for label in (LABEL, PYPY)],
    }
    (folder / "shapes.json").write_text(json.dumps(document), encoding="utf-8")
    return Run.load(found.folder)


def drawn(run: Run) -> Misses:
    """Return the draws of a run."""
    return Misses(run, run.bindings, lambda name, many: Deviates(name, 1, DRAWS, many))


def test_the_spread_and_the_correlation_are_those_of_the_misses(tmp_path: Path) -> None:
    """Mean products about 0, so that a bias counts; Student's t is a little wider than the normal distribution."""
    draw = np.random.default_rng(5)
    shared = draw.standard_normal(16) * 0.4 + 0.3
    misses = {name: (shared + draw.standard_normal(16) * 0.1).tolist() for name in KNOWN}
    run = with_misses(tmp_path / "run", misses, 16)
    found = drawn(run).factors(LABEL, "scalars")
    assert not isinstance(found, float)
    assert found[0] == pytest.approx(np.ones(len(KNOWN)))
    logs = np.log(found[1:])
    table = np.array([misses[name] for name in run.bindings])
    assert np.sqrt((logs**2).mean(axis=0)) == pytest.approx(np.sqrt((table**2).mean(axis=1) * 16 / 14), rel=0.1)
    apart = logs[:, 0] - logs[:, 1]
    assert apart.std() < 0.4 * logs[:, 0].std(), "what both miss alike cancels in their ratio"


def test_interpreters_share_the_draws_of_a_kind_of_call_and_kinds_do_not(tmp_path: Path) -> None:
    """A function that is unlike its shape is so on all interpreters."""
    run = with_misses(tmp_path / "run", {name: [0.2, -0.3, 0.5, 0.1] for name in KNOWN}, 4)
    its = drawn(run)
    one, same, other = its.factors(LABEL, "a"), its.factors(PYPY, "a"), its.factors(LABEL, "b")
    assert np.array_equal(one, same) and not np.array_equal(one, other)


def test_an_approach_that_lacks_a_kind_has_the_mean_of_the_others(tmp_path: Path) -> None:
    """So it is not taken for one that is predicted exactly."""
    misses: dict[str, list[float | None]] = {name: [0.4, 0.4, 0.4, None] for name in KNOWN}
    misses["cext"] = [None, None, None, None]
    table = drawn(with_misses(tmp_path / "run", misses, 4)).table(LABEL)
    assert table is not None
    assert table[:3] == pytest.approx(0.4) and np.isnan(table[3]).all()


def test_too_few_kinds_say_nothing(tmp_path: Path) -> None:
    """The factor is 1, and the answer says so."""
    its = drawn(with_misses(tmp_path / "run", {name: [0.4] * (FEWEST - 1) for name in KNOWN}, FEWEST - 1))
    assert its.table(LABEL) is None and its.factors(LABEL, "a") == 1.0


def test_predictions_keep_their_estimates_and_get_a_wider_spread(tmp_path: Path) -> None:
    """The overhead of each draw is multiplied; C's own time is not."""
    plain = Prediction(write(tmp_path / "plain", {LABEL: KNOWN}), DRAWS, 1)
    rough = Prediction(with_misses(tmp_path / "rough", {name: [0.5, -0.5, 0.5, -0.5] for name in KNOWN}, 4), DRAWS, 1)
    idiom = RULES.idioms["scalars"]
    before = plain.overhead(LABEL, idiom, 0.0, 0, DRAWS + 1)
    after = rough.overhead(LABEL, idiom, 0.0, 0, DRAWS + 1)
    assert after[0] == pytest.approx(before[0], rel=0.05)
    spread = np.log(after[1:]).std(axis=0)
    assert (spread > 0.45).all() and (spread > 3 * np.log(before[1:]).std(axis=0)).all()
    assert rough.native(LABEL, idiom, 0.0) == pytest.approx(plain.native(LABEL, idiom, 0.0), rel=0.05)

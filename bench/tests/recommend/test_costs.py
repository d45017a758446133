# SPDX-License-Identifier: Apache-2.0
"""Costs beside running time, and what loops over arrays change."""

from dataclasses import replace

import numpy as np
import pytest
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.scoring import Scoring
from cside_bench.results.evidence import Run
from profiles_of_tests import RULES, SEED, changed, hot
from synthetic_advice import KNOWN, LABEL, drill, write

FIRST = slice(0, 1)


def scoring_of(advisor: Advisor, profile: Profile) -> Scoring:
    """The costs for a profile that the run can rank."""
    found = advisor.situation(profile).scoring
    assert found is not None
    return found


def test_loops_are_paid_once_by_what_takes_them_in(advisor: Advisor) -> None:
    """By Cython and the C extension; the others pay for each element as before, and for the interpreter's loop."""
    profile = hot()
    scoring = scoring_of(advisor, profile)
    alone = scoring.running(profile, FIRST).share[LABEL][0]
    looped = scoring.running(changed(profile, elements_per_loop=1000.0), FIRST).share[LABEL][0]
    own = 0.999 * RULES.scale.element_ns * 1e-9 * profile.numbers["calls_per_second"]
    for n, name in enumerate(scoring.subjects):
        inside = name in ("cext", "cython")
        assert looped[n] == pytest.approx(alone[n] / 1000 if inside else alone[n] + own)


def test_an_interface_in_c_plus_plus_costs_a_layer_where_c_is_all_that_is_called(advisor: Advisor) -> None:
    """With a layer of one's own, as without C++, no approach has more lines."""
    scoring = scoring_of(advisor, hot())
    plain, layered, plus = (scoring.lines(hot(language=it), FIRST) for it in ("c", "c-layer", "c++"))
    assert plain is not None and layered is not None and plus is not None
    assert np.array_equal(plain, layered)
    more = dict(zip(scoring.subjects, (plus - plain)[0], strict=True))
    lines = RULES.scale.layer_lines * hot().numbers["functions"]
    assert more == pytest.approx({"cext": 0, "cython": 0, "swig": 0, "cffi": lines, "cffi.abi": lines, "ctypes": lines})


def test_generated_declarations_count_the_lines_of_the_noun_that_has_them(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Of the three nouns that are counted, one has generated declarations."""
    found = write(tmp_path_factory.mktemp("runs") / "run")
    for it in found.summary["costs"]["bindings"]:
        for entry in it["lines"]:
            if it["binding"] == "cffi" and entry["noun"] == "pkcs11":
                entry["code_lines"] /= 2
    scoring = scoring_of(Advisor(found, RULES, SEED), hot())
    column = scoring.subjects.index("cffi")
    written, generated = (scoring.lines_per_function(hot(declarations=it)) for it in ("written", "generated"))
    assert written is not None and generated is not None
    assert written[0, column] == pytest.approx(13, rel=0.05)
    assert generated[0, column] == pytest.approx(6.5, rel=0.05)


def test_a_binding_that_leaves_out_a_noun_is_compared_on_the_others(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """With as many lines per function in the nouns that it has, it has as many lines; generated ones are not known."""
    whole = scoring_of(Advisor(write(tmp_path_factory.mktemp("runs") / "run"), RULES, SEED), hot())
    found = write(tmp_path_factory.mktemp("runs") / "run")
    for it in found.summary["costs"]["bindings"]:
        if it["binding"] == "cython":
            it["lines"] = [entry for entry in it["lines"] if entry["noun"] != "pkcs11"]
    part = scoring_of(Advisor(found, RULES, SEED), hot())
    column = part.subjects.index("cython")
    for declarations in ("written", "generated"):
        profile = hot(declarations=declarations)
        with_it, without = whole.lines_per_function(profile), part.lines_per_function(profile)
        assert with_it is not None and without is not None
        assert np.isfinite(without).all()
        assert without[0, column] == pytest.approx(with_it[0, column], rel=0.1)


def test_the_passes_of_the_drill_count_that_users_may_meet(run: Run) -> None:
    """A bundled library is rebuilt, the system's may also be replaced, and one of the same repository does neither."""
    drill(run.folder, {**dict.fromkeys(KNOWN, 0), "ctypes": 4})
    found = Advisor(run, RULES, SEED)
    scoring = scoring_of(found, hot())
    column = scoring.subjects.index("ctypes")
    shares = {}
    for library in RULES.choices["library"].values:
        wrong = scoring.wrong(hot(library=library))
        assert wrong is not None
        shares[library] = wrong[0, column]
    drill(run.folder, dict.fromkeys(KNOWN, 0))
    assert shares == pytest.approx({"bundled": 0.5, "system": 0.75, "same-repository": 0.0})


def test_mistakes_count_that_the_interface_allows(advisor: Advisor) -> None:
    """Those with callbacks count only where there are callbacks; more functions make more mistakes."""
    scoring = scoring_of(advisor, hot())
    without, with_them = (replace(hot(), idioms=dict.fromkeys(names, 1.0)) for names in (["scalars"], ["callbacks"]))
    assert scoring.mistaken(without) is not scoring.mistaken(with_them)
    few, many = (scoring.mistakes(changed(hot(), functions=it), FIRST) for it in (10.0, 1000.0))
    assert few is not None and many is not None
    assert (many > few).all()


def test_what_is_part_of_python_depends_on_nothing(advisor: Advisor) -> None:
    """A tool and a package at run time cost, and an unknown technique has the median."""
    scoring = scoring_of(advisor, hot())
    needed = dict(zip(scoring.subjects, scoring.tools(), strict=True))
    assert needed["ctypes"] == needed["cext"] == 0
    assert needed["cffi"] > needed["cython"] > 0
    assert scoring.needed(RULES.technique("novel")) == sorted(needed.values())[3]


def test_generated_bindings_cost_the_lines_that_are_kept_and_those_by_hand(advisor: Advisor) -> None:
    """The same with every approach, and for each function that is not generated what it takes with that one."""
    scoring = scoring_of(advisor, hot())
    each = scoring.lines_per_function(hot())
    kept = scoring.lines(replace(hot(), kept_lines=58.0), FIRST)
    assert each is not None and kept is not None and set(kept[0]) == {58.0}
    more = scoring.lines(replace(hot(), kept_lines=58.0, functions_by_hand=10.0), FIRST)
    assert more is not None and np.allclose(more, 58.0 + 10 * each[FIRST])

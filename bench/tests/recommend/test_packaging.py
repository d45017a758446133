# SPDX-License-Identifier: Apache-2.0
"""Wheels of a release: by tags, by where the library is from, and in the form for the stable ABI."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.packaging import matches, skills_of, too_old, with_gil
from cside_bench.results.evidence import Run
from profiles_of_tests import RULES, SEED, hot
from synthetic_advice import KINDS, KNOWN, LABEL, LINES, ON_PYPY, PYPY, drill, write

LIMITED = {"cython.limited": 22.0}
"""Twice the overhead of Cython."""
TWO = ("linux-x86_64", "macos-arm64")


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that measured Cython's variant for the stable ABI too."""
    found = write(tmp_path_factory.mktemp("runs") / "limited", {LABEL: KNOWN, PYPY: ON_PYPY}, partial=LIMITED)
    drill(found.folder, dict.fromkeys(KNOWN, 0))
    return found


def test_families_and_labels_name_interpreters() -> None:
    """A family has no build without the GIL, and only CPython with the GIL has a stable ABI."""
    assert matches("cpython", "cpython-3.14") and not matches("cpython", "cpython-3.14t")
    assert matches("cpython-3.14t", "cpython-3.14t")
    assert [with_gil(it) for it in ("cpython-3.14", "cpython-3.14t", "pypy-3.11")] == [True, False, False]


def test_a_bundled_library_makes_a_wheel_per_platform_of_what_needs_none(advisor: Advisor) -> None:
    """ctypes has one wheel for a library of the system; a compiled approach has the same number either way."""
    releases = advisor.facts.releases
    system, bundled = (replace(hot(library=it), platforms=TWO) for it in ("system", "bundled"))
    assert [releases.wheels("ctypes", it).total for it in (system, bundled)] == [1, 2]
    assert [releases.wheels("ctypes", it).platforms for it in (system, bundled)] == [0, 2]
    assert [releases.wheels("cext", it).total for it in (system, bundled)] == [8, 8]
    assert not releases.wheels("ctypes", bundled).compiled


def test_wheels_per_platform_are_counted_by_family(advisor: Advisor) -> None:
    """No compiled wheel serves CPython and PyPy, so that one for each is one."""
    both = replace(hot(), interpreters={"cpython": 0.5, "pypy": 0.5})
    assert advisor.facts.releases.wheels("cffi", both).per_platform == 1
    assert advisor.facts.releases.wheels("cffi", both).total == 2 * len(both.platforms)
    assert advisor.facts.releases.wheels("cext", both).per_platform == 4


def test_the_form_for_the_stable_abi_has_one_wheel_and_the_price_of_its_cells(limited: Run) -> None:
    """On CPython with the GIL; PyPy and builds without the GIL have wheels of their own, at no price."""
    releases = Advisor(limited, RULES, SEED).facts.releases
    assert releases.has_stable("cython") and not releases.has_stable("cffi")
    profile = replace(hot(threads="free-threaded"), interpreters={"cpython": 0.5, "pypy": 0.5}, platforms=("one",))
    own, stable = (releases.wheels("cython", profile, stable=it) for it in (False, True))
    assert (own.total, own.per_version) == (6, True)
    assert (stable.total, stable.per_version) == (3, False)
    factor, cells = releases.price(LABEL, "cython")
    assert cells > 20
    assert 1.2 < factor < 24 / 13  # from cells with much native time to those with little
    assert releases.price(PYPY, "cython") == (1.0, 0)


def test_where_one_wheel_is_asked_the_stable_form_is_the_candidate(limited: Run, advisor: Advisor) -> None:
    """The answer names the form and its price, its calls take longer; without a variant Cython is left out."""
    found = Advisor(limited, RULES, SEED)
    for asked in (hot(wheels="one"), hot(new_pythons="work")):
        answer = found.answer(asked)
        assert {it["subject"] for it in answer["excluded"]} == {"cext", "swig"}
        assert "cython" in {it["subject"] for it in advisor.answer(asked)["excluded"]}
        (note,) = [it for it in answer["notes"] if "cython.limited" in it]
        assert "times as long on cpython-3.14" in note
    scoring = found.situation(hot()).scoring
    assert scoring is not None
    column, first = scoring.subjects.index("cython"), slice(0, 1)
    own = scoring.running(hot(), first, np.zeros(len(scoring.subjects), dtype=bool)).share[LABEL][0, column]
    stable = scoring.running(hot(wheels="one"), first).share[LABEL][0, column]
    assert stable / own == pytest.approx(found.facts.releases.price(LABEL, "cython")[0])


def test_else_the_form_that_costs_less_is_taken(limited: Run) -> None:
    """Few calls take fewer wheels; many calls take the faster form."""
    scoring = Advisor(limited, RULES, SEED).situation(hot()).scoring
    assert scoring is not None
    column = scoring.subjects.index("cython")
    assert scoring.stable(hot(calls_per_second=10.0))[column]
    assert not scoring.stable(hot(calls_per_second=1e8))[column]


def test_where_all_users_have_a_compiler_sources_suffice(advisor: Advisor) -> None:
    """No approach is left out for its wheels, none is taken for the stable ABI, and wheels cost the same."""
    asked = hot(compiler_at_install="yes", wheels="one", new_pythons="work")
    its = advisor.situation(asked)
    assert its.excluded == []
    assert its.scoring is not None
    assert not its.scoring.stable(asked).any()
    compiled = [n for n, name in enumerate(its.scoring.subjects) if name not in ("ctypes", "cffi.abi")]
    assert len(set(its.scoring.packaged(asked)[compiled])) == 1


def test_a_release_that_has_to_work_on_later_pythons_is_not_per_version(advisor: Advisor, tmp_path: Path) -> None:
    """The reason says what is known; a run without wheels goes by the technique."""
    reasons = {it["subject"]: it["reason"] for it in advisor.answer(hot(new_pythons="work"))["excluded"]}
    assert "cython.limited, was not measured in this run" in reasons["cython"]
    assert "SWIG 4.2 and newer" in reasons["swig"]
    bare = Advisor(write(tmp_path / "run", with_costs=False), RULES, SEED)
    assert {it["subject"] for it in bare.answer(hot(new_pythons="work"))["excluded"]} == {"cext", "cython", "swig"}


def test_a_stable_abi_that_begins_with_a_later_version_leaves_older_ones_their_wheels() -> None:
    """nanobind has one from CPython 3.12 on, so 3.11 has a wheel of its own; PyPy is not old, it has no stable ABI."""
    nanobind, cext = RULES.technique("nanobind"), RULES.technique("cext")
    labels = ("cpython-3.11", "cpython-3.12", "cpython-3.14", "cpython-3.13t", "pypy-3.11")
    assert [too_old(it, nanobind) for it in labels] == [True, False, False, False, False]
    assert not any(too_old(it, cext) for it in labels)


def test_an_older_python_has_a_wheel_beside_the_one_for_the_stable_abi(tmp_path: Path) -> None:
    """Four CPythons need two wheels of nanobind, none of which a later version waits for; without the oldest, one."""
    run = write(
        tmp_path / "run",
        {LABEL: {**KNOWN, "nanobind": 12.0}},
        lines={**LINES, "nanobind": 8.0},
        kinds={**KINDS, "nanobind": "per version"},
    )
    releases = Advisor(run, RULES, SEED).facts.releases
    every = replace(hot(), interpreters={"cpython": 1.0}, platforms=("one",))
    newest = replace(every, interpreters={LABEL: 1.0})
    own, stable, alone = (
        releases.wheels("nanobind", profile, stable=it)
        for profile, it in ((every, False), (every, True), (newest, True))
    )
    assert (own.per_platform, own.per_version) == (4, True)
    assert (stable.per_platform, stable.total, stable.per_version) == (2, 2, False)
    assert (alone.per_platform, alone.per_version) == (1, False)


def test_a_layer_in_front_of_c_plus_plus_is_compiled(advisor: Advisor) -> None:
    """ctypes has a wheel for each platform then, and is no answer where nothing may be compiled; C is as before."""
    releases = advisor.facts.releases
    plain, plus = (replace(hot(library="system", language=it), platforms=TWO) for it in ("c", "c++"))
    assert [releases.wheels("ctypes", it).total for it in (plain, plus)] == [1, 2]
    assert [releases.wheels("ctypes", it).compiled for it in (plain, plus)] == [False, True]
    assert releases.wheels("cython", plain) == releases.wheels("cython", plus)
    nothing = {"compiler_at_build": "no", "wheels": "none", "compiler_at_install": "no"}
    rules = {it["subject"]: it["rule"] for it in advisor.answer(hot(language="c++", **nothing))["excluded"]}
    assert rules["ctypes"] == "compiler"
    assert "ctypes" not in {it["subject"] for it in advisor.answer(hot(**nothing))["excluded"]}


def test_a_layer_takes_somebody_who_knows_c_plus_plus(advisor: Advisor) -> None:
    """Its skill counts with ctypes and cffi, and not twice with what is written in C++."""
    plus, known = hot(language="c++"), RULES.technique
    assert skills_of(known("ctypes"), hot()) == known("ctypes").skills
    assert skills_of(known("ctypes"), plus) == (*known("ctypes").skills, "cpp")
    assert skills_of(known("pybind11"), plus) == known("pybind11").skills
    scoring = advisor.situation(plus).scoring
    assert scoring is not None
    assert scoring.loss(known("ctypes"), plus) > scoring.loss(known("ctypes"), hot())

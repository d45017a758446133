# SPDX-License-Identifier: Apache-2.0
"""Recommendations, on runs whose truth is known: what is answered, what is refused, and what would change it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cside_bench.recommend import document
from cside_bench.recommend.answer import Advisor
from cside_bench.recommend.prediction import Prediction
from cside_bench.results import drill as drills
from cside_bench.results.evidence import Run
from profiles_of_tests import RULES, SEED, SHIPPED, changed, hot
from synthetic_advice import KINDS, KNOWN, LABEL, LINES, ON_PYPY, PYPY, drill, undrilled, write

BOTH = {LABEL: KNOWN, PYPY: ON_PYPY}


def valid(answer: dict[str, Any], run: Run) -> None:
    """What holds for each answer, whatever it is."""
    plain = {"format": 1, "run": "", "machine": "", "tier": "", "seed": 0, "draws": 1, "answers": [answer]}
    plain["another_machine"] = None
    document.check(plain)
    excluded = {it["subject"] for it in answer["excluded"]}
    candidates = [it["subject"] for it in answer["candidates"]]
    assert not excluded & set(candidates)
    assert excluded | set(candidates) == set(run.bindings)
    assert set(answer["recommended"]) <= set(candidates)
    if answer["probability"] is not None:
        for key in ("probability", "probability_if_weights_doubted"):
            together = {it[key] for it in answer["candidates"] if it["tied"]}
            assert len(together) == (answer["outcome"] == "tie")
            alone = [it[key] for it in answer["candidates"] if not it["tied"]]
            assert sum(alone) + sum(together) == pytest.approx(1, abs=1e-3)
        weights = [it["weight"] for it in answer["candidates"][0]["contributions"]]
        assert sum(weights) == pytest.approx(1, abs=1e-3)
    match answer["outcome"]:
        case "recommended":
            assert len(answer["recommended"]) == 1
            assert answer["probability"] >= RULES.deciding.sure
        case "tie":
            assert len(answer["recommended"]) > 1
        case "nothing fits":
            assert candidates == []
        case _:
            assert answer["recommended"] == []
            assert answer["runner_up"] is None


@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_profile_is_answered(advisor: Advisor, name: str) -> None:
    """With a probability and cells that exist, since this run can tell; nothing that is left out is recommended."""
    answer = advisor.answer(SHIPPED[name])
    valid(answer, advisor.run)
    assert answer["outcome"] in ("recommended", "tie")
    assert answer["says"]
    assert not answer["indicative"]
    cells = [cell for it in answer["candidates"] for part in it["contributions"] for cell in part["cells"]]
    assert cells
    assert all(advisor.run.cell(*cell) is not None for cell in cells)


@pytest.mark.parametrize("name", SHIPPED)
def test_each_extreme_is_answered_or_refused_with_a_reason(advisor: Advisor, name: str) -> None:
    """Every number at its least and most, every choice at each of its values, one at a time."""
    base = SHIPPED[name]
    asked = [base.with_number(it.name, value) for it in RULES.numbers.values() for value in (it.least, it.most)]
    asked += [base.with_choice(it.name, value) for it in RULES.choices.values() for value in it.values]
    asked += [replace(base, knows=frozenset(RULES.skills)), replace(base, knows=frozenset())]
    asked += [replace(base, idioms={idiom: 1.0}) for idiom in RULES.idioms]
    for profile in asked:
        its = advisor.situation(profile)
        led = advisor.lead(profile)
        assert led is not None or its.refusals
        assert led != "" or its.excluded
        if its.fits and its.scoring is not None:
            overall = its.scoring.overall(profile, its.fits)
            assert np.isfinite(overall).all()
    for profile in asked[:2]:
        valid(advisor.answer(profile), advisor.run)


@pytest.mark.parametrize("extreme", [0, 1])
def test_all_numbers_at_an_end_at_once_are_answered(advisor: Advisor, extreme: int) -> None:
    """The least of everything, and the most of everything."""
    profile = SHIPPED["workshop"]
    for it in RULES.numbers.values():
        profile = profile.with_number(it.name, (it.least, it.most)[extreme])
    valid(advisor.answer(profile), advisor.run)


def test_the_fastest_wins_where_time_is_all(run: Run) -> None:
    """With the whole weight on time and calls without end, the approach with the least overhead is recommended."""
    profile = replace(hot(calls_per_second=1e8), weights={**dict.fromkeys(RULES.criteria, 0.0), "time": 1.0})
    answer = Advisor(run, RULES, SEED).answer(profile)
    assert answer["recommended"] == ["cext"]
    on_pypy = replace(profile, interpreters={"pypy": 1.0})
    assert Advisor(run, RULES, SEED).answer(on_pypy)["recommended"][0] in ("cffi", "cffi.abi")


def test_ten_calls_a_second_do_not_care_for_nanoseconds(advisor: Advisor) -> None:
    """Overhead below a hundredth of a core gives all approaches the same points for time."""
    answer = advisor.answer(changed(SHIPPED["tiny-stable-api"], calls_per_second=10.0))
    points = {it["subject"]: it["contributions"][0]["points"] for it in answer["candidates"]}
    assert set(points.values()) == {1.0}


@pytest.mark.parametrize("name", SHIPPED)
def test_more_calls_never_help_a_slower_approach(advisor: Advisor, name: str) -> None:
    """Against any approach that is faster, its overall cost only rises with calls per second."""
    profile = replace(SHIPPED[name], interpreters={"cpython": 1.0}, worst=True)
    gaps = []
    for rate in np.geomspace(1, 1e8, 17):
        its = advisor.situation(profile.with_number("calls_per_second", float(rate)))
        assert its.scoring is not None
        overall = its.scoring.overall(its.profile, its.fits, slice(0, 1))[0]
        share = its.scoring.running(its.profile, slice(0, 1)).share[LABEL][0, its.fits]
        gaps.append(np.diff(overall[np.argsort(share)]))  # of each to the next faster one
    assert (np.diff(gaps, axis=0) > -1e-9).all()


@pytest.mark.parametrize("name", SHIPPED)
def test_without_any_compiler_only_what_needs_none_is_left(advisor: Advisor, name: str) -> None:
    """No compiler at install and none at build leave out each approach whose wheels are compiled."""
    answer = advisor.answer(changed(SHIPPED[name], compiler_at_build="no", compiler_at_install="no"))
    assert {it["subject"] for it in answer["candidates"]} <= {"ctypes", "cffi.abi"}
    assert {it["rule"] for it in answer["excluded"] if it["subject"] == "cext"} >= {"compiler"}


def test_one_wheel_per_platform_leaves_out_what_needs_one_per_version(advisor: Advisor) -> None:
    """By the tags of the wheels that were built, with their number in the reason."""
    answer = advisor.answer(hot(wheels="one"))
    reasons = {it["subject"]: it["reason"] for it in answer["excluded"] if it["rule"] == "one-wheel"}
    assert set(reasons) == {"cext", "cython", "swig"}
    assert "needs 4 wheels per platform" in reasons["cext"]


def test_builds_without_the_gil_leave_out_what_does_not_declare_them(advisor: Advisor) -> None:
    """The reason quotes the run's table of which wheels serve which interpreter."""
    answer = advisor.answer(hot(threads="free-threaded"))
    (left,) = [it for it in answer["excluded"] if it["rule"] == "free-threading"]
    assert left["subject"] == "swig"
    assert "does not declare free-threading" in left["reason"]


def test_a_binding_that_holds_the_gil_is_left_out_where_threads_matter(tmp_path: Path) -> None:
    """Long calls have to release it, by what the run declares of the workload that is one."""
    found = Advisor(write(tmp_path / "run", gil={"swig": "held"}), RULES, SEED)
    rules_used = {it["subject"]: it["rule"] for it in found.answer(hot(threads="released"))["excluded"]}
    assert rules_used == {"swig": "threads"}
    assert found.answer(hot())["excluded"] == []


def test_a_kind_of_call_that_is_not_offered_leaves_out(advisor: Advisor) -> None:
    """The parity ledger's own reason is given."""
    answer = advisor.answer(replace(hot(), idioms={"macros": 0.5, "scalars": 0.5}))
    assert {it["subject"] for it in answer["excluded"]} == {"ctypes", "cffi.abi"}
    assert all("lacks macros" in it["reason"] and it["rule"] == "parity" for it in answer["excluded"])


def with_nanobind(folder: Path) -> Advisor:
    """A run with a binding in C++ that is faster than the others and leaves out a noun."""
    found = write(
        folder,
        {LABEL: {**KNOWN, "nanobind": 2.0}},
        lines={**LINES, "nanobind": 8.0},
        kinds={**KINDS, "nanobind": "per version"},
        without_pkcs11={"nanobind": "lacks pkcs11: no module for tokens"},
    )
    drill(found.folder, dict.fromkeys([*KNOWN, "nanobind"], 0))
    return Advisor(found, RULES, SEED)


def test_a_noun_that_is_left_out_leaves_out_only_where_it_is_called(tmp_path: Path) -> None:
    """A profile with a call of PKCS #11 refuses the binding with the reason that it declares; others may take it."""
    advisor = with_nanobind(tmp_path / "run")
    assert advisor.answer(hot())["excluded"] == []
    assert advisor.answer(hot())["candidates"][0]["subject"] == "nanobind"
    answer = advisor.answer(replace(hot(), idioms={"pkcs11-info": 0.5, "scalars": 0.5}))
    (left,) = answer["excluded"]
    assert (left["subject"], left["rule"]) == ("nanobind", "parity")
    assert "lacks pkcs11: no module for tokens" in left["reason"]
    assert "nanobind" not in {it["subject"] for it in answer["candidates"]}


def test_without_a_c_plus_plus_compiler_what_is_written_in_it_is_left_out(tmp_path: Path) -> None:
    """The others, which compile C, are not."""
    answer = with_nanobind(tmp_path / "run").answer(changed(hot(), cpp_compiler="no"))
    (left,) = answer["excluded"]
    assert (left["subject"], left["rule"]) == ("nanobind", "cpp-compiler")


SCALARS = ("idioms.add[i32-small]", "idioms.add[i32-large]", "idioms.mixed_sum")
"""The workloads that price numbers in and out."""


def test_void_cells_leave_out_where_no_workload_has_a_number_of_all_and_say_why(tmp_path: Path) -> None:
    """What cannot be compared is not guessed, and the answer names who is left out for want of a number."""
    found = write(tmp_path / "run", void={(it, "cython"): "other digest" for it in SCALARS})
    answer = Advisor(found, RULES, SEED).answer(hot())
    (left,) = answer["excluded"]
    assert (left["subject"], left["rule"]) == ("cython", "unmeasured")
    assert "other digest" in left["reason"]
    assert "For want of a number, and by no constraint, this leaves out Cython" in answer["says"]


@pytest.mark.parametrize("kind", ["void", "unsteady"])
def test_one_cell_without_a_number_excludes_nobody_and_prices_all_by_the_other_calls(tmp_path: Path, kind: str) -> None:
    """Numbers in and out have three calls; two of them have a number of each approach, and they price all."""
    lost: dict[str, Any] = {kind: {(SCALARS[0], "cython"): "it moved"}}
    answer = Advisor(write(tmp_path / "lost", **lost), RULES, SEED).answer(hot())
    two = Advisor(write(tmp_path / "two", without=[SCALARS[0]]), RULES, SEED).answer(hot())
    assert answer["excluded"] == []
    scores = [{it["subject"]: it["score"] for it in each["candidates"]} for each in (answer, two)]
    assert scores[0] == pytest.approx(scores[1], rel=0.02)
    (note,) = [it for it in answer["notes"] if "for all approaches alike" in it]
    assert f"{SCALARS[0]} (none of Cython)" in note and "nox -s bench -- --python 3.14" in note


def test_a_size_without_a_number_is_interpolated_from_the_others_for_all(tmp_path: Path) -> None:
    """Of five sizes one is not steady with ctypes; the price at it is that of the line between its neighbours."""
    nbytes = 4096
    lost = {(f"codec.crc32[{nbytes}]", "ctypes"): "it moved"}
    whole, holed = write(tmp_path / "whole"), write(tmp_path / "holed", unsteady=lost)
    idiom = RULES.idioms["bytes-in"]
    prices = [Prediction(it, 10, SEED).overhead(LABEL, idiom, nbytes, 0, 1)[0] for it in (whole, holed)]
    assert prices[1] == pytest.approx(prices[0], rel=0.2, abs=5)
    found = Prediction(holed, 10, SEED)
    assert found.lacks(LABEL, idiom, nbytes) == {}
    assert found.set_aside(LABEL, idiom, nbytes) == {f"codec.crc32[{nbytes}]": ["ctypes"]}
    assert found.set_aside(LABEL, idiom, 0) == {}


def test_where_nothing_fits_it_says_what_to_drop(advisor: Advisor) -> None:
    """The answer names a constraint, and without that constraint an approach fits."""
    profile = replace(changed(hot(), compiler_at_build="no", wheels="none"), idioms={"macros": 1.0})
    answer = advisor.answer(profile)
    valid(answer, advisor.run)
    assert answer["outcome"] == "nothing fits"
    assert answer["says"].startswith("Nothing fits. To let something fit, ")
    dropped = replace(profile, idioms={"scalars": 1.0})
    assert advisor.answer(dropped)["candidates"]


def test_an_untrusted_interpreter_is_refused_with_the_check_that_failed(tmp_path: Path) -> None:
    """What fits is listed in no order, with no probability and no flip point."""
    found = write(tmp_path / "run", BOTH, trusted={PYPY: False}, bias=-0.25)
    answer = Advisor(found, RULES, SEED).answer(SHIPPED["pypy-first"])
    valid(answer, found)
    assert answer["outcome"] == "unresolved"
    assert "position: Timed last takes less, a bias." in answer["says"]
    assert answer["candidates"] and not answer["flip_points"]
    assert all(it["probability"] is None and it["score"] is None for it in answer["candidates"])


def test_a_bias_of_known_size_widens_the_draws_where_nothing_else_is_trusted(tmp_path: Path) -> None:
    """The answer is given, says by how much times may be off, and is less sure; beyond the bound it is refused."""
    drill((trusted := write(tmp_path / "trusted", BOTH)).folder, dict.fromkeys(KNOWN, 0))
    drill(
        (biased := write(tmp_path / "biased", BOTH, trusted={PYPY: False}, bias=-0.09)).folder, dict.fromkeys(KNOWN, 0)
    )
    answer = Advisor(biased, RULES, SEED).answer(SHIPPED["pypy-first"])
    valid(answer, biased)
    assert PYPY in answer["interpreters"] and answer["candidates"][0]["score"] is not None
    assert any("may be off by 9 %" in it for it in answer["notes"])
    assert answer["must_say"] == [
        f"Times of {PYPY} may be off by 9 %, as checks of the run found; the draws are wider by that."
    ]
    assert answer["must_say"][0] in answer["says"]
    spreads = []
    for run in (trusted, biased):
        scoring = Advisor(run, RULES, SEED).situation(SHIPPED["pypy-first"]).scoring
        assert scoring is not None
        spreads.append(np.std(scoring.running(SHIPPED["pypy-first"], slice(1, None)).share[PYPY][:, 0]))
    assert spreads[1] > 1.3 * spreads[0]


def test_of_a_family_only_the_trusted_answer(tmp_path: Path) -> None:
    """The answer names the interpreters that are left out, and why."""
    found = write(tmp_path / "run", {LABEL: KNOWN, "cpython-3.11": KNOWN}, trusted={"cpython-3.11": False})
    answer = Advisor(found, RULES, SEED).answer(hot())
    assert answer["interpreters"] == [LABEL]
    assert any(
        "cpython-3.11 is left out: it is not trustworthy on this machine: position" in it for it in answer["notes"]
    )
    named = replace(hot(), interpreters={"cpython-3.11": 1.0})
    far = write(tmp_path / "far", {LABEL: KNOWN, "cpython-3.11": KNOWN}, trusted={"cpython-3.11": False}, bias=0.2)
    answer = Advisor(far, RULES, SEED).answer(named)
    assert answer["outcome"] == "unresolved" and "position" in answer["says"]


def test_an_interpreter_that_was_not_measured_is_refused(tmp_path: Path) -> None:
    """PyPy is not guessed from CPython."""
    found = write(tmp_path / "run")
    answer = Advisor(found, RULES, SEED).answer(SHIPPED["pypy-first"])
    assert answer["outcome"] == "unresolved"
    assert "pypy is asked for, and the run measured cpython-3.14" in answer["says"]


def test_the_quick_tier_is_indicative_and_says_so(tmp_path: Path) -> None:
    """Three processes give an answer, marked."""
    found = write(tmp_path / "run", tier="quick", processes=3, with_costs=False)
    answer = Advisor(found, RULES, SEED).answer(hot())
    valid(answer, found)
    assert answer["indicative"]
    assert any(it.startswith("Indicative only") for it in answer["notes"])
    assert any("not measured in this tier" in it for it in answer["notes"])
    assert "effort" not in [it["criterion"] for it in answer["candidates"][0]["contributions"]]


def test_equals_are_a_tie_and_the_simpler_is_named(tmp_path: Path) -> None:
    """Two approaches that differ in nothing but their wheels' weight of zero share the answer."""
    twins = {LABEL: {**dict.fromkeys(KNOWN, 10.0)}}
    lines = dict.fromkeys(LINES, 14.0)
    found = write(tmp_path / "run", twins, lines=lines)
    drill(found.folder, dict.fromkeys(KNOWN, 0))
    profile = replace(hot(), weights=dict.fromkeys(("wheels", "knowledge", "build", "tools", "mistakes"), 0.0))
    answer = Advisor(found, RULES, SEED).answer(profile)
    valid(answer, found)
    assert answer["outcome"] == "tie"
    assert set(answer["recommended"][:2]) == {"cffi.abi", "ctypes"}
    assert "the simpler one" in answer["says"]


def test_noise_that_hides_the_difference_is_no_recommendation(tmp_path: Path) -> None:
    """Two approaches 6 % apart in three processes that vary by 40 % are told apart by nobody."""
    near = {LABEL: {"cext": 100.0, "cython": 106.0}}
    lines, kinds = dict.fromkeys(("cext", "cython"), 14.0), dict.fromkeys(("cext", "cython"), "pure")
    found = write(tmp_path / "run", near, processes=3, noise=0.4, lines=lines, kinds=kinds)
    drill(found.folder, {"cext": 0, "cython": 0})
    profile = replace(
        hot(calls_per_second=1e8), weights=dict.fromkeys(("knowledge", "effort", "tools", "mistakes"), 0.0)
    )
    answer = Advisor(found, RULES, SEED).answer(profile)
    valid(answer, found)
    assert answer["outcome"] in ("unresolved", "tie")
    if answer["outcome"] == "unresolved":
        assert max(it["probability"] for it in answer["candidates"]) < RULES.deciding.sure


def test_a_kind_of_call_that_nobody_measured_is_left_out_or_refused(tmp_path: Path) -> None:
    """A small part is stood for by the rest, with a note; a large one makes the answer impossible."""
    drill(write(tmp_path / "run", without=["idioms.ops_add"]).folder, dict.fromkeys(KNOWN, 0))
    found = Advisor(Run.load(tmp_path / "run"), RULES, SEED)
    small = found.answer(replace(hot(), idioms={"scalars": 0.9, "table": 0.1}))
    assert small["outcome"] in ("recommended", "tie")
    assert any("The other kinds of call stand for it" in it for it in small["notes"])
    large = found.answer(replace(hot(), idioms={"scalars": 0.5, "table": 0.5}))
    assert large["outcome"] == "unresolved"
    assert "no numbers of “function-pointer tables”" in large["says"]


@pytest.mark.parametrize("name", SHIPPED)
def test_flip_points_hold_when_asked_again_on_both_sides(advisor: Advisor, name: str) -> None:
    """A little before the point the lead is in the answer, a little beyond it is where the flip point says."""
    profile = SHIPPED[name]
    answer = advisor.answer(profile)
    led = set(answer["recommended"]) or {answer["candidates"][0]["subject"]}
    for flip in answer["flip_points"]:
        if flip["direction"] == "becomes":
            continue
        further = 1.01 if flip["direction"] == "above" else 1 / 1.01
        assert advisor.lead(profile.with_number(flip["variable"], flip["at"] * further)) == flip["then"]
        before = flip["at"] / further
        if (before - flip["now"]) * (flip["at"] - flip["now"]) > 0:
            assert advisor.lead(profile.with_number(flip["variable"], before)) in led
        for end in ("low", "high"):
            assert flip[end] is None or np.isfinite(flip[end])


def test_a_switched_choice_is_told_when_it_changes_the_answer(advisor: Advisor) -> None:
    """Requiring PyPy, forbidding the compiler: asked again, the answer is what the flip point says."""
    answer = advisor.answer(hot())
    switched = {(it["variable"], it["at"]): it["then"] for it in answer["flip_points"] if it["direction"] == "becomes"}
    assert switched["interpreters", "pypy"] in ("cffi", "cffi.abi")
    no_wheels = advisor.lead(hot(wheels="none"))
    assert switched["wheels", "none"] == no_wheels
    assert all(it["says"].startswith("If ") and it["says"].endswith(".") for it in answer["flip_points"])


def test_a_flip_point_lies_where_the_truth_says(tmp_path: Path) -> None:
    """Two approaches, one with half the lines and no wheels, one without overhead: the rate can be worked out."""
    pair = {LABEL: {"cext": 0.0, "ctypes": 1000.0}}
    found = write(tmp_path / "run", pair, noise=1e-4, imports={"cext": 0.3, "ctypes": 0.3})
    weights = {**dict.fromkeys(RULES.criteria, 0.0), "time": 1.0, "wheels": 1.0}
    profile = replace(hot(calls_per_second=1.0, process_seconds=1e8), weights=weights, platforms=("one",))
    answer = Advisor(found, RULES, SEED).answer(profile)
    assert answer["recommended"] == ["ctypes"]
    (flip,) = [it for it in answer["flip_points"] if it["variable"] == "calls_per_second"]
    # Four wheels and one for the year, against one, beside twenty and three: 28/24 = 1 + rate * 1000 ns - 0.01
    assert flip["at"] == pytest.approx((28 / 24 - 1 + 0.01) / 1e-6, rel=0.02)
    assert flip["low"] <= flip["at"] <= flip["high"]


def test_the_drill_counts_against_what_ends_wrong_unnoticed(tmp_path: Path) -> None:
    """Without a drill the criterion is left out and said to be; with one it lowers who ends wrong."""
    profile = changed(SHIPPED["large-changing-header"], crashes="rarely")
    found = write(tmp_path / "run")
    undrilled(found.folder)
    without = Advisor(found, RULES, SEED).answer(profile)
    assert any("not measured in this run" in it for it in without["notes"])
    assert without["outcome"] == "unresolved" and without["recommended"] == []
    drill(tmp_path / "run", {"cext": 0, "cython": 0, "swig": 0, "cffi": 0, "ctypes": 6})
    answer = Advisor(found, RULES, SEED).answer(profile)
    valid(answer, found)
    points = {
        it["subject"]: part["points"]
        for it in answer["candidates"]
        for part in it["contributions"]
        if part["criterion"] == "safety"
    }
    assert points["cext"] == 1.0
    assert points["ctypes"] < 0
    assert answer["candidates"][0]["subject"] != "ctypes"


@pytest.mark.parametrize("name", [it for it in SHIPPED if it != "workshop"])
def test_without_a_drill_no_approach_is_taken_that_one_could_turn_down(tmp_path: Path, name: str) -> None:
    """The answer names the criterion and the command, and stands only where no drill at all gives another the lead."""
    found = write(tmp_path / "run", BOTH)
    undrilled(found.folder)
    answer = Advisor(found, RULES, SEED).answer(SHIPPED[name])
    valid(answer, found)
    (missing,) = answer["missing"]
    assert (missing["criterion"], missing["settled_by"]) == ("safety", "nox -s drill")
    drills = [{it: 8 * (it in answer["recommended"]) for it in KNOWN}, dict.fromkeys(KNOWN, 8)]
    if not missing["turns"]:
        assert answer["recommended"] and "The answer stands without" in answer["says"]
        for wrong in drills:
            drill(found.folder, wrong)
            assert Advisor(found, RULES, SEED).lead(SHIPPED[name]) in answer["recommended"]
        return
    assert answer["outcome"] == "unresolved"
    assert "nox -s drill" in answer["says"]
    assert len(answer["contenders"]) > 1
    assert not (answer["recommended"] or answer["flip_points"] or answer["runner_up"])
    assert {it["probability"] for it in answer["candidates"]} == {None}


def test_a_criterion_that_could_turn_the_lead_does_so_for_each_contender(tmp_path: Path) -> None:
    """For every approach that the answer is between there is a drill by which it leads or ties."""
    found = write(tmp_path / "run")
    undrilled(found.folder)
    profile = changed(SHIPPED["large-changing-header"], crashes="rarely")
    contenders = Advisor(found, RULES, SEED).answer(profile)["contenders"]
    assert len(contenders) > 1
    for one in contenders:
        drill(found.folder, {it: 8 * (it != one) for it in KNOWN})
        answer = Advisor(found, RULES, SEED).answer(profile)
        assert answer["candidates"][0]["subject"] == one or one in answer["recommended"]


def test_where_crashes_must_never_happen_a_wrong_change_is_a_veto(tmp_path: Path) -> None:
    """It excludes by the drill, with the changes; structs declared by hand exclude whatever the drill says."""
    found = write(tmp_path / "run")
    profile = replace(hot(crashes="never"), idioms={"scalars": 1.0})
    undrilled(found.folder)
    without = Advisor(found, RULES, SEED).answer(profile)
    assert without["outcome"] == "unresolved"
    assert "must never happen" in without["says"] and "nox -s drill" in without["says"]
    drill(found.folder, {**dict.fromkeys(KNOWN, 4), "cython": 5})
    answer = Advisor(found, RULES, SEED).answer(profile)
    reasons = {it["subject"]: it["reason"] for it in answer["excluded"] if it["rule"] == "crashes"}
    assert list(reasons) == ["cython"]
    assert "5 of the drill's 8 changes end so after a rebuild (change-0, change-1," in reasons["cython"]
    structs = Advisor(found, RULES, SEED).answer(replace(profile, idioms={"structs": 1.0}))
    assert {it["subject"] for it in structs["excluded"]} == {"cython", "ctypes", "cffi.abi"}
    for other in (changed(profile, changes_per_year=0.0), changed(profile, library="same-repository")):
        assert Advisor(found, RULES, SEED).answer(other)["excluded"] == []


def test_where_most_changes_end_wrong_with_all_nothing_fits(tmp_path: Path) -> None:
    """The answer names the approach with the fewest; a change less, and it fits."""
    found = write(tmp_path / "run")
    profile = replace(hot(crashes="never"), idioms={"scalars": 1.0})
    drill(found.folder, {name: 5 + (name != "swig") for name in KNOWN})
    answer = Advisor(found, RULES, SEED).answer(profile)
    valid(answer, found)
    assert answer["outcome"] == "nothing fits"
    assert "The fewest changes of the drill end wrong with SWIG: 5." in answer["says"]
    drill(found.folder, {name: 4 + (name != "swig") for name in KNOWN})
    assert [it["subject"] for it in Advisor(found, RULES, SEED).answer(profile)["candidates"]] == ["swig"]


def test_a_drill_made_after_the_run_is_seen_at_once(tmp_path: Path) -> None:
    """The newest beside the run counts at the moment of asking; other changes or another library are told."""
    found = write(tmp_path / "run")
    undrilled(found.folder)
    profile = changed(SHIPPED["large-changing-header"], crashes="rarely")
    assert Advisor(found, RULES, SEED).answer(profile)["missing"]
    newest = tmp_path / "drills" / "latest"
    newest.mkdir(parents=True)
    drill(newest, dict.fromkeys(KNOWN, 0))
    answer = Advisor(found, RULES, SEED).answer(profile)
    assert answer["missing"] == [] and answer["recommended"]
    assert any("has other changes than a drill makes today" in it for it in answer["notes"])
    drill(newest, {"novel": 0})
    other = Advisor(found, RULES, SEED).answer(profile)
    assert other["missing"] and any("The newest drill is not used" in it for it in other["notes"])


def test_without_a_drill_the_one_that_ships_counts_and_says_so(tmp_path: Path) -> None:
    """No criterion is missing, and a note names when, by which command and with what it was made."""
    found = write(tmp_path / "run")
    answer = Advisor(found, RULES, SEED).answer(changed(SHIPPED["large-changing-header"], crashes="rarely"))
    shipped = drills.reference()
    assert answer["missing"] == []
    assert "safety" in {part["criterion"] for part in answer["candidates"][0]["contributions"]}
    (note,) = [it for it in answer["notes"] if "not tried on this machine" in it]
    assert all(word in note for word in (shipped["created"][:10], shipped["command"], shipped["machine"]))


def test_a_tie_says_what_breaks_it(tmp_path: Path) -> None:
    """Asked again there, by the estimates one of the tied leads the others by more than the margin."""
    pair = {LABEL: {"cext": 100.0, "cython": 140.0}}
    same = dict.fromkeys(pair[LABEL], 14.0)
    found = write(tmp_path / "run", pair, lines=same, kinds=dict.fromkeys(same, "pure"))
    drill(found.folder, dict.fromkeys(same, 0))
    profile = replace(hot(calls_per_second=1e5), weights={**dict.fromkeys(RULES.criteria, 0.0), "time": 1.0})
    answer = Advisor(found, RULES, SEED).answer(profile)
    valid(answer, found)
    assert answer["outcome"] == "tie" and answer["probability"] == 1.0
    (breaker,) = [it for it in answer["tie_breakers"] if "calls per second" in it]
    assert "in favour of C extension (cext) if there are more than" in breaker
    assert answer["tie_breakers"][0] in answer["says"]
    at = float(breaker.partition("more than ")[2].partition(" calls")[0].replace(",", ""))
    assert Advisor(found, RULES, SEED).answer(changed(profile, calls_per_second=at * 1.05))["recommended"] == ["cext"]


def test_a_binding_that_the_rules_do_not_know_is_treated_neutrally_and_said_to_be(tmp_path: Path) -> None:
    """A sixth binding is a candidate by what was measured; what is not known of it is told."""
    sixth = {LABEL: {**KNOWN, "novel": 9.0}}
    found = write(tmp_path / "run", sixth, lines={**LINES, "novel": 10.0}, kinds={**KINDS, "novel": "abi3"})
    drill(found.folder, dict.fromkeys(sixth[LABEL], 0))
    answer = Advisor(found, RULES, SEED).answer(hot())
    valid(answer, found)
    assert answer["recommended"] == ["novel"]
    assert any("The rules do not describe novel" in it for it in answer["notes"])
    losses = sorted(
        sum(RULES.skills[skill].loss for skill in it.skills if skill not in hot().knows)
        for it in RULES.techniques.values()
    )
    scoring = Advisor(found, RULES, SEED).situation(hot()).scoring
    assert scoring is not None
    assert scoring.loss(RULES.technique("novel"), hot()) == losses[len(losses) // 2]


def test_what_maintainers_know_counts(advisor: Advisor) -> None:
    """Knowing what a technique needs never lowers its points."""
    for skill in RULES.skills:
        without = advisor.answer(replace(hot(), knows=frozenset()))
        with_it = advisor.answer(replace(hot(), knows=frozenset({skill})))
        scores = [{it["subject"]: it["score"] for it in answer["candidates"]} for answer in (without, with_it)]
        needing = [name for name in scores[0] if skill in RULES.technique(name).skills]
        others = [name for name in scores[0] if name not in needing]
        for one in needing:
            for other in others:
                assert scores[1][one] - scores[1][other] >= scores[0][one] - scores[0][other] - 1e-3


def test_no_flip_point_lies_where_c_itself_could_not_follow(advisor: Advisor) -> None:
    """More calls, or bytes, than C could do in the time are no load of any program; a profile that asks it is told."""
    profile = SHIPPED["bulk-buffers"]
    its = advisor.situation(profile)
    assert its.scoring is not None
    for flip in advisor.answer(profile)["flip_points"]:
        if flip["variable"] in ("calls_per_second", "bytes_per_call"):
            assert its.scoring.native(profile.with_number(flip["variable"], flip["at"])) <= 1
    notes = advisor.answer(changed(profile, calls_per_second=1e6))["notes"]
    assert any("which cannot be: state fewer calls" in it for it in notes)


def test_one_process_ranks_nothing(tmp_path: Path) -> None:
    """There is no noise to draw from, and no draw that would be honest."""
    answer = Advisor(write(tmp_path / "run", processes=1, tier="quick"), RULES, SEED).answer(hot())
    assert answer["outcome"] == "unresolved"
    assert "one process says nothing about the noise" in answer["says"]


def test_a_variant_that_was_not_drilled_does_not_take_its_bindings_result(tmp_path: Path) -> None:
    """What a compiler tells the binding, nobody tells the variant: it gets the mean of the others, and a note."""
    found = write(tmp_path / "run")
    drill(tmp_path / "run", {"cext": 0, "cython": 0, "swig": 0, "cffi": 0, "ctypes": 8})
    scoring = Advisor(found, RULES, SEED).situation(hot()).scoring
    assert scoring is not None
    wrong = scoring.wrong(hot())
    assert wrong is not None
    assert wrong[0, scoring.subjects.index("cffi")] == 0
    assert wrong[0, scoring.subjects.index("cffi.abi")] == pytest.approx(1 / 5)
    notes = Advisor(found, RULES, SEED).answer(hot())["notes"]
    assert any("cffi in ABI mode (cffi.abi) was not drilled" in it for it in notes)

# SPDX-License-Identifier: Apache-2.0
"""How each kind of hypothesis other than a ratio is judged."""

from pathlib import Path
from typing import Any

import pytest
from synthetic_claims import CPYTHON, ONE, PROCESSES, PYPY, TWO, WORKLOADS, a_run, entry, judged, mixed, near


@pytest.mark.parametrize(
    ("extra", "rule", "verdict"),
    [
        (1.0, {"direction": "at-most", "percent": 5}, "confirmed"),
        (20.0, {"direction": "at-most", "percent": 5}, "refuted"),
        (5.0, {"direction": "at-most", "percent": 5}, "undecided"),
        (20.0, {"direction": "at-least", "ns": 15}, "confirmed"),
        (1.0, {"direction": "at-least", "ns": 15}, "refuted"),
    ],
)
def test_a_difference_is_judged_in_ns_or_as_a_part_of_the_call(
    tmp_path: Path, extra: float, rule: dict[str, Any], verdict: str
) -> None:
    """Two workloads on the same subject, within each process: a call of 100 ns, and what another takes more."""
    base = [100.0 + 0.1 * (number % 3) for number in range(PROCESSES)]
    more = [it + extra + 0.2 * (-1) ** number for number, it in enumerate(base)]
    run = a_run(tmp_path / "run", ns={"idioms.held": {ONE: base}, "idioms.released": {ONE: more}})
    content = entry("difference", workload="idioms.released", minus="idioms.held", subject="*", **rule)
    found = judged(run, content)
    assert found["verdict"] == verdict
    assert found["evidence"][0]["unit"] == "ns" and found["evidence"][0]["ratio"] is None


def test_a_difference_without_both_workloads_is_untestable(tmp_path: Path) -> None:
    """The reason names the workloads that the claim needs."""
    rule = {"workload": "idioms.released", "minus": "idioms.held", "subject": "*", "direction": "at-most", "ns": 1}
    found = judged(a_run(tmp_path / "run"), entry("difference", **rule))
    assert found["verdict"] == "untestable" and "idioms.held" in found["why"]


@pytest.mark.parametrize(
    ("missing", "direction", "verdict"),
    [
        (0, "complete", "confirmed"),
        (2, "complete", "confirmed"),
        (3, "complete", "refuted"),
        (3, "lacking", "confirmed"),
    ],
)
def test_availability_counts_workloads_with_gaps_and_void_cells_left_out(
    tmp_path: Path, missing: int, direction: str, verdict: str
) -> None:
    """Of eight workloads three quarters are asked for; it is no timing, so that a quick run decides."""
    cells = tuple((CPYTHON, name) for name in WORKLOADS[:missing])
    run = a_run(
        tmp_path / "run",
        tier="quick",
        trustworthy=None,
        lacks=cells[:1],
        void=cells[1:],
        parity=tuple((label, name, ONE) for label, name in cells[:1]),
    )
    found = judged(run, entry("available", subject=ONE, direction=direction, least=0.75, share="all"))
    assert found["verdict"] == verdict
    assert f"{8 - missing} of 8 workloads" in found["why"]
    assert ("1 declared gap" in found["why"]) == bool(missing)


def test_availability_everywhere_needs_more_than_one_implementation(tmp_path: Path) -> None:
    """What is said of all interpreters is not judged by a run that has one kind."""
    rule = {"subject": ONE, "direction": "complete", "least": 0.95, "share": "all", "needs": ["cpython-*", "pypy-*"]}
    assert judged(a_run(tmp_path / "one"), entry("available", **rule))["verdict"] == "untestable"
    both = a_run(tmp_path / "two", {**mixed(0, 0), **mixed(0, 0, PYPY)})
    assert judged(both, entry("available", **rule))["verdict"] == "confirmed"


@pytest.mark.parametrize(("of", "verdict"), [("elsewhere", "confirmed"), ("contract", "refuted")])
def test_what_a_technique_lacks_on_every_interpreter_says_nothing_of_one(tmp_path: Path, of: str, verdict: str) -> None:
    """Of what it has elsewhere it has all there; of the contract it has three quarters."""
    lacks = tuple((label, name) for label in (CPYTHON, PYPY) for name in WORKLOADS[:2])
    run = a_run(tmp_path / "run", {**mixed(0, 0), **mixed(0, 0, PYPY)}, lacks=lacks)
    rule = {"subject": ONE, "direction": "complete", "least": 0.95, "share": "all", "of": of}
    assert judged(run, entry("available", **rule))["verdict"] == verdict


def test_one_interpreter_has_no_other_to_be_compared_with(tmp_path: Path) -> None:
    """Everything that is measured there would be all that there is."""
    rule = {"subject": ONE, "direction": "complete", "least": 0.95, "share": "all", "of": "elsewhere"}
    found = judged(a_run(tmp_path / "run"), entry("available", **rule))
    assert found["verdict"] == "untestable" and "one interpreter" in found["why"]


def test_what_a_technique_lacks_on_one_interpreter_only_is_missing_there(tmp_path: Path) -> None:
    """It is available on the other."""
    lacks = tuple((PYPY, name) for name in WORKLOADS[:2])
    run = a_run(tmp_path / "run", {**mixed(0, 0), **mixed(0, 0, PYPY)}, lacks=lacks)
    rule = {"subject": ONE, "direction": "complete", "least": 0.95, "share": "all", "of": "elsewhere"}
    found = judged(run, entry("available", **rule))
    assert found["verdict"] == "refuted"
    assert {row["interpreter"]: row["value"] for row in found["evidence"]} == {CPYTHON: 1.0, PYPY: 0.75}


@pytest.mark.parametrize(
    ("section", "verdict"),
    [
        (near(6000, 5000, 8192), "confirmed"),
        (near(8000, 7000, 8193), "undecided"),
        (near(70000, 60000, 80000), "refuted"),
        (near(None, 600000, None), "refuted"),
        (near(9000, 7000, None), "undecided"),
        (near(6000, 5000, 7000, extrapolated=True), "undecided"),
    ],
)
def test_a_size_from_which_all_are_near_is_judged_by_its_interval(
    tmp_path: Path, section: dict[str, Any], verdict: str
) -> None:
    """Nowhere is beyond every size; what is extrapolated decides nothing."""
    run = a_run(tmp_path / "run", models=[section])
    assert judged(run, entry("model", **{"families": ["codec.crc32"], "at-most-bytes": 8192}))["verdict"] == verdict


def threads(
    low: float, high: float, *, ceiling: float = 2.0, observations: int = 6, over: str = "processes"
) -> dict[str, Any]:
    """A section ``threads`` on two CPUs, with a single binding and the native ceiling."""
    cells = [
        {
            "interpreter": CPYTHON,
            "call": "idioms.spin_released[100000]",
            "subject": subject,
            "threads": count,
            "gil": "none" if subject == "native" else "released",
            "speed_up": ceiling if subject == "native" else 2 * low,
            "speed_up_low": low,
            "speed_up_high": high,
            "efficiency": (low + high) / 2,
            "efficiency_low": low,
            "efficiency_high": high,
            "observations": observations,
        }
        for subject in ("native", ONE)
        for count in (1, 2, 4)
    ]
    interpreter = {"label": CPYTHON, "cpus": 2, "threads": [1, 2, 4], "over": over}
    return {"interpreters": [interpreter], "cells": cells}


@pytest.mark.parametrize(
    ("section", "verdict"),
    [
        (threads(0.8, 1.0), "confirmed"),
        (threads(0.4, 0.6), "refuted"),
        (threads(0.7, 0.9), "undecided"),
        (threads(0.4, 0.6, ceiling=1.2), "undecided"),
        (threads(0.8, 1.0, observations=5), "undecided"),
        (threads(0.8, 1.0, observations=9, over="rounds"), "undecided"),
        (None, "untestable"),
    ],
)
def test_scaling_is_judged_where_the_machine_itself_scales(tmp_path: Path, section: Any, verdict: str) -> None:
    """With a thread per CPU and six processes; where C alone gains little from a second thread, nobody is judged."""
    run = a_run(tmp_path / "run", threads=section)
    rule = {"calls": ["idioms.spin_released[[]*"], "subject": "*", "measure": "efficiency"}
    found = judged(run, entry("threads", **rule, direction="at-least", value=0.75))
    assert found["verdict"] == verdict
    assert len(found["evidence"]) == (section is not None)


@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        (["flat", "warmup", "warmup", "slowdown"], "confirmed"),
        (["flat", "slowdown", "no steady state", "warmup"], "refuted"),
        (["flat", "warmup", "inconsistent", "slowdown"], "undecided"),
    ],
)
def test_a_steady_state_is_what_the_series_was_classified_as(tmp_path: Path, states: list[str], verdict: str) -> None:
    """Processes that disagree count for neither side."""
    cells = [
        {"workload": f"idioms.w{number}", "subject": ONE, "classification": state, "counts": {state: 7}, "processes": 7}
        for number, state in enumerate(states)
    ]
    run = a_run(tmp_path / "run", steady=[{"label": CPYTHON, "cells": cells}])
    rule = {"workloads": ["*"], "subject": "*", "states": ["flat", "warmup"]}
    assert judged(run, entry("steady", **rule))["verdict"] == verdict


def costs() -> dict[str, Any]:
    """A section ``costs``: 300 lines against 200, and three wheels against one."""
    return {
        "static_reason": None,
        "bindings": [
            {
                "binding": name,
                "lines": [
                    group("written", lines, pypy=pypy),
                    group("generated", generated),
                    group("generated", 100_000, language="C stub"),
                    group("written", lines, noun="variants", pypy=1000),
                ],
                "coverage": {"wheels": wheels, "of_interpreters": 4},
                "clean_build_cpu_s": {"median": build, "low": build, "high": build, "builds": 3},
                "wheels": [
                    {"interpreter": "cpython-3.11", "stripped_bytes": 1},
                    {"interpreter": "cpython-3.14", "stripped_bytes": nbytes},
                    {"interpreter": "pypy-3.11", "stripped_bytes": 2},
                ],
            }
            for name, lines, generated, pypy, wheels, build, nbytes in (
                (ONE, 300, 500, 20, 3, 40.0, 300_000),
                (TWO, 200, 1800, 5, 1, 10.0, 100_000),
            )
        ],
    }


def group(
    origin: str, lines: int, *, noun: str = "idioms", language: str = "C", template: bool = False, pypy: int = 0
) -> dict[str, Any]:
    """Lines of a binding, as a section ``costs`` groups them."""
    of = {"origin": origin, "noun": noun, "language": language, "template": template}
    return of | {"code_lines": lines, "pypy_lines": pypy}


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        (
            {"measure": "lines", "subject": ONE, "against": TWO, "direction": "at-least-factor", "factor": 1.5},
            "confirmed",
        ),
        (
            {"measure": "lines", "subject": ONE, "against": TWO, "direction": "at-most-factor", "factor": 1.5},
            "confirmed",
        ),
        (
            {"measure": "lines", "subject": ONE, "against": TWO, "direction": "at-least-factor", "factor": 1.6},
            "refuted",
        ),
        (
            {
                "measure": "lines",
                "origin": ["written", "generated"],
                "subject": ONE,
                "against": TWO,
                "direction": "at-most-factor",
                "factor": 0.4,
            },
            "confirmed",
        ),
        (
            {"measure": "pypy-lines", "subject": ONE, "against": TWO, "direction": "at-least-factor", "factor": 4},
            "confirmed",
        ),
        ({"measure": "pypy-lines", "subject": ONE, "direction": "at-least", "value": 21}, "refuted"),
        (
            {"measure": "build", "subject": ONE, "against": TWO, "direction": "at-least-factor", "factor": 4},
            "confirmed",
        ),
        (
            {"measure": "size", "subject": ONE, "against": TWO, "direction": "at-least-factor", "factor": 3.1},
            "refuted",
        ),
        ({"measure": "wheels", "subject": TWO, "direction": "at-most", "value": 1}, "confirmed"),
        ({"measure": "wheels", "subject": ONE, "direction": "at-most", "value": 1}, "refuted"),
        ({"measure": "wheels", "subject": "gone", "direction": "at-most", "value": 1}, "untestable"),
    ],
)
def test_costs_are_exact_and_judged_from_any_run(tmp_path: Path, rule: dict[str, Any], verdict: str) -> None:
    """Lines written by hand without variants, generated ones where they are asked for; a limit met exactly is met."""
    run = a_run(tmp_path / "run", trustworthy=False, costs=costs())
    assert judged(run, entry("cost", **rule, share="all"))["verdict"] == verdict


def test_the_sentence_about_a_cost_has_the_numbers_of_all_bindings(tmp_path: Path) -> None:
    """A reader sees whether the two that are compared are the extremes."""
    section = costs()
    section["bindings"].append(section["bindings"][0] | {"binding": "third"})
    rule = {"measure": "pypy-lines", "subject": ONE, "against": TWO, "direction": "at-least-factor", "factor": 4}
    found = judged(a_run(tmp_path / "run", costs=section), entry("cost", **rule, share="all"))
    assert f"{ONE}: 20 lines that name PyPy, 4 times the 5 of {TWO} (others: third 20)" in found["why"]


@pytest.mark.parametrize("measure", ["lines", "pypy-lines", "build", "size"])
def test_a_binding_that_leaves_out_a_noun_is_not_compared_with_one_that_has_it(tmp_path: Path, measure: str) -> None:
    """What is smaller would win; its lines of one noun may be compared all the same."""
    section = costs()
    section["bindings"][1]["lines"].append(group("written", 400, noun="codec"))
    run = a_run(tmp_path / "run", costs=section)
    rule: dict[str, Any] = {"measure": measure, "subject": ONE, "against": TWO, "direction": "at-least-factor"}
    found = judged(run, entry("cost", **rule, factor=1, share="all"))
    assert found["verdict"] == "untestable"
    assert "one of them leaves out codec" in found["why"]
    rule |= {"measure": "lines", "noun": "idioms"}
    assert judged(run, entry("cost", **rule, factor=1, share="all"))["verdict"] == "confirmed"


def test_costs_that_a_run_does_not_have_are_untestable(tmp_path: Path) -> None:
    """The quick tier keeps none; the reason is the summary's own."""
    run = a_run(tmp_path / "run", costs={"static_reason": "left out of --quick", "bindings": []})
    found = judged(run, entry("cost", measure="wheels", subject=ONE, direction="at-most", value=1))
    assert found["verdict"] == "untestable" and "left out of --quick" in found["why"]


@pytest.mark.parametrize(("measure", "lost"), [("lines", "template"), ("pypy-lines", "pypy_lines")])
def test_costs_of_an_older_version_that_kept_less_are_untestable(tmp_path: Path, measure: str, lost: str) -> None:
    """Nothing is guessed from a field that the run does not have."""
    section = costs()
    for entry_ in section["bindings"]:
        for it in entry_["lines"]:
            del it[lost]
    rule: dict[str, Any] = {"measure": measure, "subject": ONE, "against": TWO, "direction": "at-least-factor"}
    rule |= {"origin": ["written", "generated"]} if measure == "lines" else {}
    run = a_run(tmp_path / "run", costs=section)
    assert judged(run, entry("cost", **rule, factor=1, share="all"))["verdict"] == "untestable"


@pytest.mark.parametrize(("trustworthy", "verdict"), [(True, "confirmed"), (False, "undecided")])
def test_an_import_is_a_timing(tmp_path: Path, trustworthy: bool, verdict: str) -> None:
    """It is decided by its interval over fresh processes, where the run can be trusted."""
    times = {ONE: [900.0, 1000.0, 1100.0, 950.0, 1050.0, 990.0], TWO: [100.0, 110.0, 105.0, 95.0, 100.0, 101.0]}
    run = a_run(tmp_path / "run", ns={"import": times}, trustworthy=trustworthy)
    rule = {"measure": "import", "subject": ONE, "against": TWO, "direction": "at-least-factor", "factor": 2}
    found = judged(run, entry("cost", **rule))
    assert found["verdict"] == verdict
    assert found["evidence"][0]["ratio"] == pytest.approx(9.8, abs=0.2)

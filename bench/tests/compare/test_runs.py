# SPDX-License-Identifier: Apache-2.0
"""Two runs are compared cell by cell."""

from pathlib import Path

import pytest
from compared import SLOWED, cell, compare, plain, verdicts
from cside_bench.compare import runs
from cside_bench.results.rounds import Sample
from synthetic_run import LABEL, NS, WORKLOADS, write_run


def test_two_runs_of_the_same_code_agree(tmp_path: Path) -> None:
    """Nothing is called faster or slower, most ratios are called equivalent, and the gate lets it pass."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2)
    found = plain(tmp_path)
    assert {"faster", "slower"}.isdisjoint(verdicts(found, "ratio") + verdicts(found, "time"))
    assert verdicts(found, "ratio").count("equivalent") > 0.9 * len(verdicts(found, "ratio"))
    done = compare(tmp_path, "--fail-over", "2%")
    assert done.exit_code == 0, done.output
    assert "no cell of a binding is slower by more than 2" in done.output


def test_a_cell_that_is_ten_percent_slower_is_found(tmp_path: Path) -> None:
    """It and no other, with stars; ``--fail-over 2%`` exits with 1 and names it, ``--fail-over 20%`` does not."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={SLOWED: 1.10})
    found = plain(tmp_path)
    change = cell(found, *SLOWED)["ratio"]
    assert change["verdict"] == "slower"
    assert change["value"] == pytest.approx(1.10, rel=0.01)
    assert change["adjusted_low"] < change["low"] < change["value"] < change["high"] < change["adjusted_high"]
    assert change["stars"]
    assert verdicts(found, "ratio").count("slower") == 1
    done = compare(tmp_path, "--fail-over", "2%")
    assert done.exit_code == 1
    assert f"{LABEL} {SLOWED[0]} {SLOWED[1]}: ratio +" in done.output.partition("slower by more than 2 %: 1 cell")[2]
    assert compare(tmp_path, "--fail-over", "20").exit_code == 0


def test_a_shift_of_the_whole_machine_is_not_taken_for_a_change(tmp_path: Path) -> None:
    """Where code that is the same in both runs moved by 15 %, times that moved as far get no verdict; ratios do."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, everything=1.15, effects={SLOWED: 1.10})
    found = plain(tmp_path)
    (entry,) = found["interpreters"]
    assert entry["shift"]["median"] == pytest.approx(1.15, rel=0.06)
    assert entry["time_margin"] > 0.08
    assert "slower" not in verdicts(found, "time")
    assert verdicts(found, "ratio").count("slower") == 1
    (entry,) = plain(tmp_path, "--fail-over", "2%")["interpreters"]
    assert entry["over"] == [{"workload": SLOWED[0], "subject": SLOWED[1], "by": "ratio"}]


def test_runs_of_two_machines_are_compared_in_ratios_only(tmp_path: Path) -> None:
    """No time is compared; a changed ratio is found all the same; the output says by what it tells machines apart."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, everything=3.0, effects={SLOWED: 1.10}, machine={"cpu": "another"})
    found = plain(tmp_path)
    assert found["same_machine"] is False
    assert all(it["time"] is None for it in found["interpreters"][0]["cells"])
    assert cell(found, *SLOWED)["ratio"]["verdict"] == "slower"
    output = " ".join(compare(tmp_path).output.split())
    assert "The machines differ" in output
    assert "ratios are compared, times are not" in output
    assert {"what": "processor", "base": "a CPU", "other": "another"} in found["differences"]


def test_another_build_of_an_interpreter_is_compared_in_ratios_only(tmp_path: Path) -> None:
    """The same version with other flags is another interpreter."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, facts={"pgo": False})
    (entry,) = plain(tmp_path)["interpreters"]
    assert entry["times_compared"] is False
    assert all(it["time"] is None for it in entry["cells"])
    assert "another build" in compare(tmp_path).output


def test_a_faster_reference_makes_no_other_binding_slower(tmp_path: Path) -> None:
    """Ratios to it grow, but the gate goes by times where the reference's own time changed."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={("idioms.w05", "cext"): 0.6})
    assert cell(plain(tmp_path), "idioms.w05", "cffi")["ratio"]["verdict"] == "slower"
    for chosen in ((), ("--binding", "cffi")):
        done = compare(tmp_path, "--fail-over", "2%", *chosen)
        assert done.exit_code == 0, done.output


def test_a_slower_reference_is_over_by_its_time(tmp_path: Path) -> None:
    """Its own ratio is always 1: only the time can tell, and only the reference is blamed."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={("idioms.w05", "cext"): 1.5})
    (entry,) = plain(tmp_path, "--fail-over", "2%")["interpreters"]
    assert entry["over"] == [{"workload": "idioms.w05", "subject": "cext", "by": "time"}]


def test_the_quick_tier_gets_numbers_and_no_verdicts(tmp_path: Path) -> None:
    """The output says so, and a gate on it is refused instead of passed."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={SLOWED: 1.10}, tier="quick", processes=3)
    found = plain(tmp_path)
    assert set(verdicts(found, "ratio") + verdicts(found, "time")) == {"none"}
    assert cell(found, *SLOWED)["ratio"]["value"] == pytest.approx(1.10, rel=0.02)
    assert "tier quick gives no verdicts" in compare(tmp_path).output
    gate = compare(tmp_path, "--fail-over", "2%")
    assert gate.exit_code == 2
    assert "cannot judge cpython-3.13" in gate.output


def test_a_run_that_is_not_trustworthy_gets_no_verdicts(tmp_path: Path) -> None:
    """What the check that failed says is told; checks that passed or only inform are not."""
    checks = [
        {"name": "twin", "passed": True, "decides": True, "says": "It is as it should be."},
        {"name": "delayed", "passed": False, "decides": True, "says": "A delay is missed."},
        {"name": "relinked", "passed": False, "decides": False, "says": "Layout matters."},
    ]
    write_run(tmp_path / "base", 1, trustworthy=False, checks=checks)
    write_run(tmp_path / "other", 2, trustworthy=True, checks=checks[:1])
    found = plain(tmp_path)
    assert set(verdicts(found, "ratio")) == {"none"}
    doubts = found["interpreters"][0]["doubts"]
    assert doubts == {"base": ["it failed its own checks. A delay is missed"], "other": []}
    assert "A delay is missed." in " ".join(compare(tmp_path).output.split())


def test_what_only_one_run_has_is_listed(tmp_path: Path) -> None:
    """An interpreter, a binding and a void cell are neither compared nor dropped."""
    write_run(tmp_path / "base", 1, labels=(LABEL, "pypy-3.11"))
    fewer = {name: ns for name, ns in NS.items() if name != "swig"} | {"new": 60.0}
    write_run(tmp_path / "other", 2, subjects=fewer, void=(("idioms.w00", "cffi", "unequal work"),))
    found = plain(tmp_path)
    assert {"interpreter": "pypy-3.11", "subject": None, "workloads": None} in found["only_in"]["base"]
    assert {"interpreter": LABEL, "subject": "swig", "workloads": list(WORKLOADS)} in found["only_in"]["base"]
    assert found["only_in"]["other"] == [{"interpreter": LABEL, "subject": "new", "workloads": list(WORKLOADS)}]
    assert found["interpreters"][0]["void"] == [{"workload": "idioms.w00", "subject": "cffi", "other": "unequal work"}]
    output = compare(tmp_path).output
    assert "pypy-3.11" in output.partition("In one run only")[2]
    assert "unequal work" in output.partition("Cells that are void")[2]


def test_the_family_is_what_was_asked_for_and_its_size_is_told(tmp_path: Path) -> None:
    """Fewer comparisons give narrower intervals, and the note says how many chance alone would call different."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2)
    everything, one = plain(tmp_path), plain(tmp_path, "--only", SLOWED[0], "--binding", SLOWED[1])
    facts = everything["interpreters"][0]["comparisons"]["ratio"]
    assert facts["cells"] == len(WORKLOADS) * (len(NS) - 1)
    assert facts["expected_by_chance"] == pytest.approx(0.05 * facts["cells"])
    assert one["interpreters"][0]["comparisons"]["ratio"]["cells"] == 1
    wide, narrow = (cell(it, *SLOWED)["ratio"] for it in (everything, one))
    assert narrow["adjusted_high"] / narrow["adjusted_low"] < wide["adjusted_high"] / wide["adjusted_low"]
    assert "60 comparisons. Without adjustment, about 3 of them would differ by chance alone" in " ".join(
        compare(tmp_path).output.split()
    )


def test_a_cell_that_is_not_steady_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is listed beside the void ones, with the reason; nothing else of the workload is left out."""

    def mark(sample: Sample, reference: str) -> None:
        assert reference == "cext"
        sample.unsteady = {SLOWED: "its ratio moves"}

    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2)
    every = {(it["workload"], it["subject"]) for it in plain(tmp_path)["interpreters"][0]["cells"]}
    monkeypatch.setattr(runs.steady, "mark", mark)
    found = plain(tmp_path)["interpreters"][0]
    assert {(it["workload"], it["subject"]) for it in found["cells"]} == every - {SLOWED}
    listed = {"workload": SLOWED[0], "subject": SLOWED[1], "base": "its ratio moves", "other": "its ratio moves"}
    assert found["void"] == [listed]

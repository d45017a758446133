# SPDX-License-Identifier: Apache-2.0
"""Runs side by side: what may be compared, what a reader has to know, and whether machines agree."""

import json
from pathlib import Path
from typing import Any

import pytest
from cside_bench.compare.machines import OUTCOMES, Merged, merge, outcome
from cside_bench.results.evidence import Run
from kept_run import Shape, write_kept_run

LABEL = "cpython-3.14"


def write(folder: Path, number: int, **changed: Any) -> Path:
    """A run of a machine called by a number."""
    shape = {
        "labels": (LABEL,),
        "run": f"20261121-12000{number}",
        "machine": f"bench-{number}",
        "sections": frozenset(),
    }
    return write_kept_run(folder, Shape(**(shape | changed)))


def edit(folder: Path, name: str, **changed: Any) -> Run:
    """Change what a file of a run says; load the run."""
    path = folder / name
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    return Run.load(folder)


def decide(folder: Path, *given: str) -> Run:
    """Let the first cells of a run's second binding have these verdicts, and no other cell any."""
    summary = json.loads((folder / "summary.json").read_text())
    left = list(given)
    for cell in summary["cells"]:
        cell["verdict"] = left.pop(0) if cell["binding"] == "cffi" and not cell["variant"] and left else "none"
    return edit(folder, "summary.json", cells=summary["cells"])


def notes(merged: Merged, what: str) -> list[str]:
    """What is said about something."""
    return [note.says for note in merged.notes if note.what == what]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["faster", "faster", "faster"], "faster"),
        (["slower", "slower"], "slower"),
        (["equivalent", "equivalent"], "equivalent"),
        (["faster", "slower", "faster"], "flips"),
        (["faster", "inconclusive", "slower"], "flips"),
        (["slower", "equivalent", "inconclusive"], "mixed"),
        (["faster", "inconclusive"], "undecided"),
        (["equivalent", "inconclusive"], "undecided"),
        (["inconclusive", "inconclusive"], "undecided"),
    ],
)
def test_several_verdicts_come_to_one_outcome(given: list[str], found: str) -> None:
    """The worst that two machines do to each other counts, in whichever order they come."""
    assert outcome(given) == outcome(given[::-1]) == found
    assert found in OUTCOMES


def test_machines_agree_cell_by_cell_and_workload_by_workload(tmp_path: Path) -> None:
    """Each cell with verdicts on two machines counts once; a workload is as good as its worst cell."""
    one = decide(write(tmp_path, 1), "faster", "slower", "faster", "equivalent", "faster")
    two = decide(write(tmp_path, 2), "faster", "faster", "inconclusive", "equivalent")
    merged = merge([one, two])
    assert merged.names == ["bench-1", "bench-2"]
    assert merged.comparable
    assert merged.counts() == {
        LABEL: {"faster": 1, "slower": 0, "equivalent": 1, "mixed": 0, "flips": 1, "undecided": 1}
    }
    rows = merged.by_workload()
    assert sorted(row["worst"] for row in rows) == ["agree", "agree", "flips", "undecided"]
    assert {row["cells"] for row in rows} == {1}
    flipped = next(it for it in merged.agreements if it.outcome == "flips")
    assert flipped.verdicts == {"bench-1": "slower", "bench-2": "faster"}
    assert set(flipped.ratios) == {"bench-1", "bench-2"}
    assert json.loads(json.dumps(merged.plain()))["counts"] == merged.counts()


@pytest.mark.parametrize(
    ("change", "what"),
    [({"reference": "swig"}, "reference"), ({"isolated": True}, "isolated")],
)
def test_what_is_not_comparable_is_not_compared(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    """Other references, or processes that bindings did not share: a note says so, and no agreement is counted."""
    one = Run.load(write(tmp_path, 1))
    two = edit(write(tmp_path, 2), "summary.json", **change)
    merged = merge([one, two])
    assert not merged.comparable
    assert merged.agreements == []
    (says,) = notes(merged, what)
    assert "on bench-1" in says
    assert "on bench-2" in says


def test_what_differs_is_told_and_who_has_which(tmp_path: Path) -> None:
    """Tier, commit, builds, inputs, what was measured: each difference has a note; what is equal has none."""
    one = Run.load(write(tmp_path, 1))
    folder = write(tmp_path, 2, tier="quick", labels=(LABEL, "pypy-3.11"))
    environment = json.loads((folder / "environment.json").read_text())
    environment["interpreters"][0]["implementation_version"] = "3.14.9"
    environment["interpreters"][0]["native"]["compiler"] = "clang 19"
    two = edit(
        folder, "environment.json", interpreters=environment["interpreters"], corpora={"text": "ff"}, commit="0" * 40
    )
    merged = merge([one, two])
    assert notes(merged, "tier") == [
        "More was measured on some machines than on others: default on bench-1; quick on bench-2."
    ]
    assert notes(merged, "interpreters") == ["pypy-3.11 was measured on bench-2 only."]
    assert any("3.14.9 on bench-2" in says for says in notes(merged, "interpreter"))
    assert any("clang 19 on bench-2" in says for says in notes(merged, "library"))
    assert any("ff on bench-2" in says for says in notes(merged, "corpus"))
    assert len(notes(merged, "commit")) == 1
    assert notes(merged, "no verdicts") == ["The run on bench-2 is of the quick tier, which gives no verdicts."]
    assert merged.comparable
    assert merged.agreements == []  # one of the two gives no verdicts

    same = merge([one, Run.load(write(tmp_path / "again", 1, machine="bench-3"))])
    assert {note.what for note in same.notes} <= {"same machine"}


def test_one_machine_twice_is_told(tmp_path: Path) -> None:
    """By its identifier, whatever it is called; without one, by what is known of it, and then with doubt."""
    folders = [write(tmp_path, number) for number in (1, 2)]
    environments = [json.loads((folder / "environment.json").read_text())["machine"] for folder in folders]
    ids = [
        edit(folder, "environment.json", machine=machine | {"id": "3f9a2c"})
        for folder, machine in zip(folders, environments, strict=True)
    ]
    assert notes(merge(ids), "same machine") == [
        "bench-1, bench-2 are the same machine; their agreement says nothing about other machines."
    ]
    without = [edit(folders[0], "environment.json", machine=environments[0]), ids[1]]
    assert "or machines of one kind" in notes(merge(without), "same machine")[0]
    other = [edit(folders[0], "environment.json", machine=environments[0] | {"id": "aaaaaa"}), ids[1]]
    assert notes(merge(other), "same machine") == []


def test_a_cell_slowed_down_on_purpose_is_left_out(tmp_path: Path) -> None:
    """A handicap on one machine is told, and that cell counts on none."""
    one = decide(write(tmp_path, 1), "faster", "faster")
    two = decide(write(tmp_path, 2), "faster", "faster")
    first = merge([one, two]).agreements[0]
    slowed = edit(two.folder, "summary.json", handicaps=[[first.workload, first.subject, 5.0]])
    merged = merge([one, slowed])
    assert notes(merged, "handicap") == [
        f"On bench-2, {first.subject} at {first.workload} was slowed down by 5 % on purpose."
    ]
    assert len(merged.agreements) == 1
    assert merged.agreements[0].workload != first.workload


def test_an_interpreter_that_a_run_does_not_trust_is_told(tmp_path: Path) -> None:
    """An interpreter that is not trusted has no verdicts and takes no part in the agreement."""
    one = Run.load(write(tmp_path, 1))
    two = Run.load(write(tmp_path, 2, untrusted=(LABEL,)))
    merged = merge([one, two])
    assert notes(merged, "not trustworthy") == [
        f"The run on bench-2 failed its own checks on {LABEL}, so it gives no verdicts there."
    ]
    assert merged.agreements == []

# SPDX-License-Identifier: Apache-2.0
"""The last lines of a run: at most 30 of 100 columns, with the answer, trust, times, surprises, and the page."""

import json
from io import StringIO
from typing import Any

import pytest
from cside_bench.recommend import document
from cside_bench.report.ending import LINES, WIDEST, Ending, surprises
from cside_bench.report.report import Report
from cside_bench.results.evidence import Run
from kept_run import Shape, write_kept_run
from rich.console import Console
from synthetic_advice import undrilled


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run with every section, and no drill of its approaches."""
    run = Run.load(write_kept_run(tmp_path_factory.mktemp("run"), Shape()))
    undrilled(run.folder)
    document.write(run)
    return run


def printed(run: Run, width: int = 100) -> str:
    """What is printed on a terminal of that width."""
    console = Console(width=width, file=StringIO())
    Ending(Report(run)).show(console, "results/latest/report.html")
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def claim(title: str, against: int, total: int, verdict: str = "refuted") -> dict[str, Any]:
    """A claim as the ledger has it, as far as the last lines read it."""
    counts = {"for": total - against, "against": against, "unclear": 0}
    return {"title": title, "verdict": verdict, "counts": counts, "evidence": [{"ratio": 1.5}]}


def test_the_last_lines_are_few_and_fit_100_columns(run: Run) -> None:
    """A line for every profile, then trust, the table, and the page last; nothing is for developers only."""
    lines = printed(run, 140).rstrip().splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDEST
    assert lines[-1].startswith("Page: results/latest/report.html")
    places = [n for n, line in enumerate(lines) for title in titles(run) if line.startswith(title)]
    assert places == list(range(2, 10))
    assert "missed" not in "".join(lines)


def test_the_lines_are_as_few_however_much_there_is_to_say(run: Run) -> None:
    """Every interpreter fails, cells are void, warnings pile up: the table of times gives way, and the page stays."""
    report = Report(run)
    entries = run.summary["interpreters"]
    check = {"name": "drift", "passed": False, "decides": True, "says": "It drifts."}
    many = [entries[0] | {"label": f"cpython-3.{n}", "trustworthy": False, "checks": [check]} for n in range(11, 17)]
    report.summary = run.summary | {"interpreters": many, "complete": False, "isolated": True}
    console = Console(width=100, file=StringIO())
    Ending(report).show(console, "page.html")
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().rstrip().splitlines()
    assert len(lines) <= LINES and max(map(len, lines)) <= WIDEST
    assert sum(line.startswith("NOT TRUSTWORTHY") for line in lines) == len(many)
    assert lines[-1].startswith("Page: page.html")


def test_cells_without_a_ratio_are_counted(run: Run) -> None:
    """The kept run has void cells and such as are not steady; each is named in report.md and counted here."""
    void = sum(cell["void"] is not None for cell in run.summary["cells"])
    unsteady = sum(bool(cell["unsteady"]) for cell in run.summary["cells"])
    assert void and unsteady
    (line,) = [it for it in printed(run).splitlines() if it.startswith("Cells without a ratio")]
    assert f"{unsteady} not steady, {void} void" in line


def titles(run: Run) -> list[str]:
    """The titles of the profiles that were answered."""
    answers = json.loads((run.folder / "recommendations.json").read_text(encoding="utf-8"))["answers"]
    return [it["profile"]["title"] for it in answers]


def test_an_open_answer_has_no_approach_to_take_and_the_command_that_settles_it(run: Run) -> None:
    """By this run without a drill; the approaches that it is between stand in a column of their own."""
    text = printed(run)
    table = [line for line in text.splitlines() if line.startswith("HSM client")]
    assert len(table) == 1
    take = table[0][text.splitlines()[1].index("take") :].split()[0]
    answers = json.loads((run.folder / "recommendations.json").read_text(encoding="utf-8"))["answers"]
    (hsm,) = [it for it in answers if it["profile"]["id"] == "hsm-client"]
    assert hsm["recommended"] == []
    assert take in ("open", "not", "nothing")


def test_a_surprise_is_a_refuted_claim_with_the_largest_share_against_it() -> None:
    """Only of ten rows or more; confirmed claims surprise nobody; three at most, within 100 columns."""
    claims = [
        claim("small", 3, 3),
        claim("half", 10, 20),
        claim("most", 18, 20),
        claim("most of many", 90, 100),
        claim("a title that is as long as a title can be before it no longer fits the line, and longer", 80, 100),
        claim("true", 100, 100, "confirmed"),
    ]
    lines = surprises(claims)
    assert [line.partition("”")[0] for line in lines[:2]] == ["“most of many", "“most"]
    assert "no, in 90 of 100 cells; median ratio 1.5" in lines[0]
    assert len(lines) == 3 and max(map(len, lines)) <= WIDEST - 2
    assert surprises(claims[:1]) == []


def test_a_run_without_verdicts_shows_what_its_values_contradict_and_says_that_they_decide_nothing(run: Run) -> None:
    """The side of the value alone counts, more than half of ten rows or more; the line says what that is worth."""
    leaning = claim("leaning", 0, 0, "undecided") | {
        "evidence": [{"ratio": 2.0, "leans": "against"}] * 8 + [{"ratio": 0.5, "leans": "for"}] * 4
    }
    even = claim("even", 0, 0, "undecided") | {"evidence": [{"ratio": 1.0, "leans": "for"}] * 10}
    assert surprises([leaning, even], judged=False) == ["“leaning”: no, in 8 of 12 cells; median ratio 2"]
    assert surprises([leaning, even]) == []
    report = Report(run)
    quick = [entry | {"trustworthy": None, "checks": []} for entry in run.summary["interpreters"]]
    report.summary = run.summary | {"interpreters": quick, "verdicts": False}
    found = Ending(report)
    found.decisions.claims = [leaning]
    assert "decide nothing" in found.surprising()[0]

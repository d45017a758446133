# SPDX-License-Identifier: Apache-2.0
"""The report on the terminal and as Markdown."""

import json
from pathlib import Path

from cside_bench.report.page.draw import page
from cside_bench.report.report import Report
from cside_bench.results.evidence import Run
from cside_bench.summary.build import summarise
from plans import LABELS
from small_run import write_run


def test_a_run_that_fails_its_checks_ranks_nothing(tmp_path: Path) -> None:
    """A twin that is slower than itself: which check failed is said, and there are neither verdicts nor ranks."""
    write_run(tmp_path, "default", processes=10)
    for path in (tmp_path / "blocks").glob(f"{LABELS[0]}-*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        for entry in document["benchmarks"]:
            if entry["extra_info"]["subject"] == "twin":
                entry["stats"]["data"] = [value * 1.1 for value in entry["stats"]["data"]]
        path.write_text(json.dumps(document), encoding="utf-8")
    summary = summarise(tmp_path)
    assert [entry["trustworthy"] for entry in summary["interpreters"]] == [False, True, True]
    spoiled = [cell for cell in summary["cells"] if cell["interpreter"] == LABELS[0]]
    assert {(cell["verdict"], cell["rank"]) for cell in spoiled} == {("none", None)}
    assert "identical code differs from itself" in Report(Run.load(tmp_path)).markdown().lower()


def test_summary_of_the_quick_tier_gives_no_verdict(tmp_path: Path) -> None:
    """Three processes tell nothing apart, and the report says so first."""
    write_run(tmp_path, "quick", processes=3)
    assert {cell["verdict"] for cell in summarise(tmp_path)["cells"]} == {"none"}
    assert "numbers, no verdicts" in Report(Run.load(tmp_path)).markdown().splitlines()[2]


def test_the_report_shows_ratios_gaps_and_warnings(tmp_path: Path) -> None:
    """Everything that a reader has to know is on the page, and nothing is left unrendered."""
    write_run(tmp_path, "default", processes=10)
    summarise(tmp_path)
    text = Report(Run.load(tmp_path)).markdown()
    assert "b.v" in text
    assert "lacks something: it cannot" in text
    assert "without profile-guided optimisation" in text
    assert "cpython-3.14 is missing: not found. To install it: install it" in text
    assert "{{" not in text
    assert "{%" not in text


def test_what_the_compiler_freed_is_in_the_trust_section(tmp_path: Path) -> None:
    """The summary has the sums over processes, and the report and the page say them; CPython has none."""
    write_run(tmp_path, "quick", processes=3)
    for path in (tmp_path / "blocks").glob("pypy-3.11-*.json"):
        document = json.loads(path.read_text(encoding="utf-8"))
        document["cside"]["jit"] = {
            "compiled_loops": 300,
            "compiled_bridges": 200,
            "freed_loops": 40,
            "freed_bridges": 2,
        }
        for entry in document["benchmarks"]:
            settled = entry["extra_info"]["subject"] != "b.v"
            entry["extra_info"] |= {"warm": [1e-6], "warm_calls": [5_000], "warm_agreed": settled}
        path.write_text(json.dumps(document), encoding="utf-8")
    entries = {entry["label"]: entry["jit"] for entry in summarise(tmp_path)["interpreters"]}
    assert entries["pypy-3.11"] == {"compiled": 1_500, "freed": 126, "warmed": 12, "disagreed": 3}
    assert entries["cpython-3.13"] is None
    says = (
        "pypy-3.11: the compiler freed 126 of 1,500 loops and bridges, and 3 of 12 warm-ups ended by time, before "
        "their windows agreed."
    )
    run = Run.load(tmp_path)
    trust = Report(run).markdown().partition("## Is the run trustworthy?")[2].partition("## Parity ledger")[0]
    assert f"- {says}" in trust.splitlines()
    assert trust.count("the compiler freed") == 1
    assert f'<p class="note">{says}</p>' in page([run])

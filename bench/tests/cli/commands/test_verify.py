# SPDX-License-Identifier: Apache-2.0
"""``cside verify`` as typed: what it measures, keeps, prints and refuses."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cside_bench.cli.commands.verify import command
from cside_bench.machine import lock
from cside_bench.run.child import Outcome
from cside_bench.run.quiet import Machine
from synthetic_run import LABEL, WORKLOADS
from synthetic_verify import Processes, finished, manifest


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of runs with one, in which the ratio of one cell is wrong."""
    finished(tmp_path / "results" / "mine", effects={(WORKLOADS[4], "cffi"): 1.6})
    manifest(tmp_path / "today.json")
    monkeypatch.setattr(Machine, "wait", lambda self: None)
    monkeypatch.setattr(lock, "alone", partial(lock.alone, path=tmp_path / "lock"))  # a benchmark may be running
    return tmp_path / "results"


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Processes:
    """Processes that write files and measure nothing."""
    return Processes().install(monkeypatch)


def invoke(results: Path, *arguments: str) -> Result:
    """``cside verify mine`` on all workloads."""
    today = str(results.parent / "today.json")
    given = ["mine", "--only", "idioms.w", "--results", str(results), "--environments", today, "--no-pin", *arguments]
    return CliRunner().invoke(command, given)


def test_a_wrong_cell_is_printed_and_nothing_is_measured_twice(results: Path, processes: Processes) -> None:
    """The exit code is 1, the file is there; the same command again only prints, and --again measures."""
    done = invoke(results)
    assert done.exit_code == 1, done.output
    text = " ".join(done.output.split())
    assert f"WRONG: cffi at {WORKLOADS[4]}" in text and "NOT VERIFIED" in text
    assert len(processes.requests) == 12 * 3 * 3
    assert set(processes.pythons) == {"python-of-today"}
    assert json.loads((results / "mine" / "verify.json").read_text(encoding="utf-8"))["run"] == "mine"
    again = invoke(results, "--json")
    assert again.exit_code == 1
    assert json.loads(again.stdout)["interpreters"][0]["wrong"] == 1
    assert len(processes.requests) == 12 * 3 * 3
    first = processes.requests[0]["seed"]
    invoke(results, "--again", "--binding", "swig")
    assert len(processes.requests) == 12 * 3 * 3 + 12 * 2 * 3
    assert processes.requests[-1]["seed"] != first


def test_a_right_run_is_verified(results: Path, processes: Processes) -> None:
    """The cell is as slow alone: exit code 0."""
    processes.effects = {(WORKLOADS[4], "cffi"): 1.6}
    done = invoke(results)
    assert done.exit_code == 0, done.output
    assert "verified: " in done.output and "WRONG" not in done.output


def test_an_interruption_is_kept(results: Path, processes: Processes) -> None:
    """130, and the same command goes on without options being lost."""

    def interrupt(number: int) -> Outcome | None:
        if number == 10:
            raise KeyboardInterrupt
        return None

    processes.before = interrupt
    done = invoke(results, "--processes", "2", "--seconds", "1")
    assert done.exit_code == 130
    assert "the same command goes on" in " ".join(done.output.split())
    assert not (results / "mine" / "verify.json").exists()
    processes.before = lambda number: None
    assert invoke(results).exit_code == 1
    assert len({it["out"] for it in processes.requests}) == 12 * 3 * 2
    assert {seconds for _, seconds in processes.rings} == {1.5}
    mixed = invoke(results, "--seconds", "3")
    assert mixed.exit_code == 2 and "--again" in mixed.output


def test_a_process_that_fails_ends_it(results: Path, processes: Processes) -> None:
    """Exit code 3, with its last line."""
    processes.before = lambda number: Outcome(1, "import", None)
    done = invoke(results)
    assert done.exit_code == 3
    assert "its last words" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--python", "pypy"], f"it has: {LABEL}"),
        (["--binding", "cext"], "the reference"),
        (["--binding", "nanobind"], "it has: cffi, swig"),
        (["--only", "idioms.q"], "no workload of mine"),
        (["--sample", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage_is_refused(results: Path, processes: Processes, arguments: list[str], says: str) -> None:
    """With the names that there are, before a process is started or a folder is made."""
    done = invoke(results, *arguments)
    assert done.exit_code == 2, done.output
    assert says in " ".join(done.output.split())
    assert processes.requests == []
    assert not (results / "mine" / "verify").exists()


def test_other_builds_are_refused(results: Path, processes: Processes) -> None:
    """A verification with another wheel or library would be one of other code, and keeps what is there."""
    assert invoke(results, "--sample", "1").exit_code in (0, 1)
    there = sorted(path.name for path in (results / "mine" / "verify").iterdir())
    for change in ({"wheel": "2" * 64}, {"sha256": "3" * 64}):
        manifest(results.parent / "today.json", **change)
        done = invoke(results, "--again")
        assert done.exit_code == 2 and "rebuilt since this run began" in " ".join(done.output.split())
    assert sorted(path.name for path in (results / "mine" / "verify").iterdir()) == there


def test_a_sample_is_drawn_and_a_dry_run_only_tells(results: Path, processes: Processes) -> None:
    """As text and as JSON, which nox reads: the interpreters and bindings that it has to build."""
    found: dict[str, Any] = json.loads(invoke(results, "--sample", "5", "--dry-run", "--json").stdout)
    assert len(found["cells"]) == 5
    assert (found["interpreters"], found["bindings"]) == ([LABEL], [])
    assert "24 cells" in invoke(results, "--dry-run").output
    assert processes.requests == []
    assert not (results / "mine" / "verify").exists()


def test_an_isolated_run_is_refused(results: Path) -> None:
    """Its bindings were measured alone already."""
    path = results / "mine" / "run.json"
    plan = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(plan | {"isolated": True}), encoding="utf-8")
    done = invoke(results)
    assert done.exit_code == 2 and "measured alone already" in done.output

# SPDX-License-Identifier: Apache-2.0
"""``cside reference`` makes the run that ships of one that is fit for it, and ``cside recommend`` answers from it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cside_bench.cli.commands import recommend, reference
from cside_bench.machine import checkout
from cside_bench.recommend import document
from cside_bench.recommend.document import answers
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from kept_run import CPYTHON, PYPY, Shape, edit, write_kept_run


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run that can be the reference run, and that has no drill of its own."""
    folder = tmp_path_factory.mktemp("results")
    (write_kept_run(folder, Shape()) / "drill.json").unlink()
    return folder


@pytest.fixture
def shipped(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout into which the command has written, which is where cside looks for what ships."""
    target = tmp_path / "checkout" / "bench" / "src" / "cside_bench" / "results" / shipped_run.FOLDER
    monkeypatch.setattr(checkout, "root", lambda: tmp_path / "checkout")
    done = make(results, Shape().run)
    assert done.exit_code == 0, done.output
    assert "answers all profiles as the whole run does" in done.output
    monkeypatch.setattr(shipped_run, "folder", lambda: target)
    return target


def make(results: Path, *words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(reference.command, ["--results", str(results), *words])


def ask(results: Path, *words: str) -> Result:
    """Run ``cside recommend``."""
    return CliRunner().invoke(recommend.command, ["--results", str(results), *words])


def without_mark(found: dict[str, Any]) -> dict[str, Any]:
    """A document of answers without the fields that say whose machine's they are."""
    kept = [{name: it for name, it in each.items() if name != "another_machine"} for each in found["answers"]]
    return found | {"another_machine": None, "answers": kept}


def test_without_a_run_the_reference_run_answers_and_says_so(results: Path, shipped: Path, tmp_path: Path) -> None:
    """As the run that it was made from; above all answers and at the head of each it is said whose they are."""
    found = json.loads(ask(tmp_path / "nothing", "--all", "--json").stdout)
    document.check(found)
    own = answers(Run.load(results / Shape().run))
    assert found["another_machine"] and own["another_machine"] is None
    assert without_mark(found) == without_mark(own)
    printed = ask(tmp_path / "nothing", "--all").output
    assert printed.startswith("Another machine's numbers")
    assert printed.count("ANOTHER MACHINE'S. ") == len(found["answers"])
    record = tmp_path / "adr.md"
    ask(tmp_path / "nothing", "--profile", "workshop", "--adr", str(record))
    assert "Another machine's numbers" in record.read_text(encoding="utf-8")


def test_a_run_of_this_machine_is_used_where_there_is_one(results: Path, shipped: Path, tmp_path: Path) -> None:
    """Asked by name, the reference run is used all the same; a name of no run is an error."""
    (results / "latest").unlink(missing_ok=True)
    (results / "latest").symlink_to(Shape().run)
    assert json.loads(ask(results, "--all", "--json").stdout)["another_machine"] is None
    assert json.loads(ask(results, "--all", "--json", "--run", "reference").stdout)["another_machine"]
    for words in (["--run", "latest"], ["--run", "other"]):
        done = ask(tmp_path / "nothing", "--all", *words)
        assert done.exit_code == 2 and "is no run" in done.output


def test_an_interpreter_that_the_run_lacks_is_not_taken_from_another_machine(shipped: Path, tmp_path: Path) -> None:
    """The refusal names the reference run, which the user may ask."""
    write_kept_run(tmp_path, Shape(labels=(CPYTHON,)))
    words = ["--run", Shape().run, "--profile", "pypy-first"]
    says = json.loads(ask(tmp_path, "--json", *words).stdout)["answers"][0]["says"]
    assert f"ships with cside has {PYPY}: --run reference" in says
    graal = json.loads(ask(tmp_path, "--json", *words, "--interpreter", "cpython-3.12").stdout)["answers"][0]["says"]
    assert "--run reference" not in graal


def test_without_a_reference_run_the_error_is_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how to measure."""
    monkeypatch.setattr(shipped_run, "folder", lambda: tmp_path)
    done = ask(tmp_path / "nothing", "--all")
    assert done.exit_code == 2 and "cside bench --quick" in done.output


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        (Shape(tier="quick"), "the quick tier gives no verdicts"),
        (Shape(untrusted=(PYPY,)), f"it is not trustworthy on {PYPY}"),
        (Shape(labels=(CPYTHON,)), "and not pypy"),
    ],
)
def test_a_run_that_is_not_fit_is_refused(tmp_path: Path, shape: Shape, says: str) -> None:
    """With the reason, and nothing is written."""
    write_kept_run(tmp_path, shape)
    done = make(tmp_path, shape.run)
    assert done.exit_code == 2 and says in done.output


def test_check_writes_nothing_and_an_incomplete_run_is_refused(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong is told at once."""
    monkeypatch.setattr(checkout, "root", lambda: tmp_path / "checkout")
    told = json.loads(make(results, Shape().run, "--check", "--json").stdout)
    assert told["interpreters"] == [CPYTHON, PYPY] and told["folder"] is None
    assert not (tmp_path / "checkout").exists()
    folder = write_kept_run(tmp_path, Shape())
    edit(folder / "summary.json", lambda it: it.update(complete=False, costs=None))
    done = make(tmp_path, Shape().run)
    assert done.exit_code == 2 and "it is not complete; it has no data on lines" in done.output


def test_parts_that_answer_otherwise_are_not_written(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that is left out by mistake changes an answer, and the profile is named."""
    trimmed = shipped_run.trimmed

    def less(documents: shipped_run.Documents) -> shipped_run.Documents:
        found = trimmed(documents)
        found["summary.json"]["parity"] = []
        for each in found["evidence.json"]["interpreters"].values():
            del each["workloads"]["import"]
        return found

    monkeypatch.setattr(shipped_run, "trimmed", less)
    done = make(results, Shape().run, "--check")
    assert done.exit_code == 2 and "get another answer: " in done.output


def test_what_is_too_large_is_refused_with_both_numbers(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be in every checkout."""
    monkeypatch.setattr(shipped_run, "LIMIT_BYTES", 1000)
    done = make(results, Shape().run, "--check")
    assert done.exit_code == 2 and "may have 1,000" in done.output

# SPDX-License-Identifier: Apache-2.0
"""``cside recommend`` as it is typed: profiles, options, questions, what is printed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import small_library
from click.testing import CliRunner, Result
from command import cside
from cside_bench.cli import recommend_questions
from cside_bench.cli.commands.recommend import command
from cside_bench.recommend import document, profiles, rules
from cside_wrap.profile import document as profile
from cside_wrap.profile.document import Function
from synthetic_advice import KNOWN, LABEL, ON_PYPY, PYPY, drill, write

RULES = rules.load()
HEAVY = ("scipy", "pandas", "altair", "matplotlib", "jinja2", "jsonschema", "cside_native")
"""What an answer must not wait for."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run in it, ``both``."""
    folder = tmp_path_factory.mktemp("results")
    drill(write(folder / "both", {LABEL: KNOWN, PYPY: ON_PYPY}).folder, dict.fromkeys(KNOWN, 0))
    write(folder / "quick", tier="quick", processes=3)
    return folder


def recommend(results: Path, *arguments: str, text: str | None = None) -> Result:
    """Run the command on ``both``, unless arguments name another run."""
    return CliRunner().invoke(command, ["--results", str(results), "--run", "both", *arguments], input=text)


def plain(results: Path, *arguments: str) -> dict[str, Any]:
    """What ``--json`` prints."""
    done = recommend(results, "--json", *arguments)
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def test_all_prints_every_shipped_profile_answer_first(results: Path) -> None:
    """An overview, then each answer, within 100 columns."""
    done = recommend(results, "--all")
    assert done.exit_code == 0, done.output
    for title in (it.title for it in profiles.shipped(RULES).values()):
        assert title in done.output
    assert max(map(len, done.output.splitlines())) <= 100
    places = [done.output.index(it) for it in ("Evidence:", "What would change the answer", "Contributions:")]
    assert places == sorted(places)


def test_json_is_the_document_of_its_schema_and_nothing_else(results: Path) -> None:
    """The same as the report is drawn from."""
    found = plain(results, "--all")
    document.check(found)
    assert [it["profile"]["id"] for it in found["answers"]] == list(profiles.ORDER)


def test_options_change_a_profile(results: Path) -> None:
    """Numbers, choices, shares and weights, each checked as in a file."""
    found = plain(
        results, "--profile", "workshop", "--calls-per-second", "5e6", "--wheels", "one",
        "--knows", "c", "--knows", "swig", "--idiom", "scalars=3", "--idiom", "text",
        "--interpreter", "cpython", "--weight", "time=2", "--platform", "here",
    )  # fmt: skip
    inputs = found["answers"][0]["profile"]["inputs"]
    assert inputs["load"]["calls_per_second"] == 5e6
    assert inputs["load"]["idioms"] == {"scalars": 0.75, "text": 0.25}
    assert inputs["platform"]["wheels"] == "one"
    assert inputs["platform"]["platforms"] == ["here"]
    assert inputs["team"]["knows"] == ["c", "swig"]
    assert inputs["weights"]["time"] == 2.0
    wrong = recommend(results, "--profile", "workshop", "--idiom", "scalar=1")
    assert wrong.exit_code == 2
    assert "did you mean 'scalars'?" in wrong.output


def test_a_decision_record_is_written_beside_the_answer(results: Path, tmp_path: Path) -> None:
    """``--adr`` writes it for one profile or for all, whatever else is printed; a missing folder is an error."""
    path = tmp_path / "decision.md"
    plain(results, "--all", "--adr", str(path))
    assert all(f"## {it.title}\n" in path.read_text(encoding="utf-8") for it in profiles.shipped(RULES).values())
    assert recommend(results, "--profile", "workshop", "--adr", str(path)).exit_code == 0
    assert "# How to bind the C library to Python: Workshop\n" in path.read_text(encoding="utf-8")
    assert recommend(results, "--profile", "workshop", "--adr", str(tmp_path / "no" / "file.md")).exit_code == 2


def test_a_run_whose_tier_gives_no_verdicts_is_called_indicative(results: Path) -> None:
    """The first line of the answer says INDICATIVE."""
    done = recommend(results, "--run", "quick", "--profile", "hot-inner-loop")
    assert "INDICATIVE. " in done.output


def test_what_was_asked_is_saved_and_asked_again_gives_the_same(results: Path, tmp_path: Path) -> None:
    """``--save`` writes a profile.toml that ``--profile`` takes."""
    path = tmp_path / "mine.toml"
    one = plain(results, "--functions", "77", "--knows", "cython", "--save", str(path))
    again = plain(results, "--profile", str(path))
    assert again["answers"][0]["profile"]["inputs"] == one["answers"][0]["profile"]["inputs"]
    assert again["answers"][0]["candidates"] == one["answers"][0]["candidates"]


def test_it_asks_on_a_terminal(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter takes the default; an answer that cannot be read is asked for again, with what is wrong."""
    monkeypatch.setattr(recommend_questions, "on_terminal", lambda: True)
    path = tmp_path / "asked.toml"
    answers = ["", "scalar=1", "scalars=1", "many", "2e6", *[""] * 20]
    done = recommend(results, "--save", str(path), text="\n".join(answers) + "\n")
    assert done.exit_code == 0, done.output
    assert "did you mean 'scalars'?" in done.output
    assert "'many' is no number (calls per second)" in done.output
    found = profiles.read(path, RULES)
    assert found.numbers["calls_per_second"] == 2e6
    assert found.idioms == {"scalars": 1.0}
    assert found.choices == profiles.default(RULES).choices


def test_a_decision_of_the_back_test_is_a_profile(results: Path) -> None:
    """By a part of the project's name."""
    (answer,) = plain(results, "--profile", "backtest:zmq")["answers"]
    assert answer["profile"]["title"] == "pyzmq"
    wrong = recommend(results, "--profile", "backtest:neither")
    assert wrong.exit_code == 2
    assert "there is no decision 'neither'" in " ".join(wrong.output.split())
    several = recommend(results, "--profile", "backtest:py")
    assert several.exit_code == 2
    assert "'py' is in the names of several decisions: pyca/cryptography," in " ".join(several.output.split())


def test_a_question_that_makes_no_difference_is_not_asked(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether code may be made at run time matters with callbacks."""
    monkeypatch.setattr(recommend_questions, "on_terminal", lambda: True)
    asked = RULES.choices["run_time_code"].question
    for kinds, expected in (("scalars", False), ("callbacks", True)):
        done = recommend(results, text="\n".join(["", kinds, *[""] * 25]) + "\n")
        assert done.exit_code == 0, done.output
        assert (asked in done.output) is expected


def test_without_a_terminal_it_says_what_to_give(results: Path) -> None:
    """Where standard input is no terminal the command asks no questions and names the options."""
    done = recommend(results)
    assert done.exit_code == 2
    assert "no terminal to ask on" in done.output
    assert "hot-inner-loop" in done.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--profile", "hot-loop"], "did you mean 'hot-inner-loop'?"),
        (["--all", "--functions", "3"], "leave out the other inputs"),
        (["--run", "neither", "--all"], "neither is no run"),
        (["--functions", "0"], "functions is 0; it has to be from 1"),
        (["--knows", "basic"], "there is no skill 'basic'"),
        (["--interpreter", "jython"], "there is no interpreter 'jython'"),
    ],
)
def test_wrong_usage_ends_with_exit_code_2_and_what_would_be_right(
    results: Path, arguments: list[str], told: str
) -> None:
    """Nothing is answered."""
    done = recommend(results, *arguments)
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


def test_an_answer_imports_nothing_heavy(results: Path) -> None:
    """An answer comes within two seconds because it needs numpy and the run's files, and no more."""
    program = (
        "import sys; from cside_bench.cli.commands.recommend import command; "
        f"command(['--results', {str(results)!r}, '--run', 'both', '--all'], standalone_mode=False); "
        f"print([it for it in {HEAVY!r} if it in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_interpreters_may_have_shares(results: Path) -> None:
    """With shares the weighted mean of the interpreters counts, without shares the worst of them."""
    shared = plain(results, "--interpreter", "pypy=3", "--interpreter", "cpython=1")
    assert shared["answers"][0]["profile"]["inputs"]["platform"]["interpreters"] == {"pypy": 0.75, "cpython": 0.25}
    worst = plain(results, "--interpreter", "pypy", "--interpreter", "cpython")
    assert worst["answers"][0]["profile"]["inputs"]["platform"]["interpreters"] == ["pypy", "cpython"]


def test_a_project_says_how_much_is_called_and_kept(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its profile the load, the kinds of call and what is not bound; options change it."""
    small_library.build(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cside("init", "--header", "box.h", "--library", "./libbox.so", "prj").exit_code == 0
    found = plain(results, "prj")
    assert found["project"]["calls"] is None and len(found["project"]["unbound"]) > 4
    assert "cside profile" in found["answers"][0]["notes"][0]
    functions = {"box_count": Function(90, 10.0), "box_sum": Function(10, 600.0), "box_print": Function(25, None)}
    profile.write(Path("prj"), profile.Profile(("python", "app.py"), 0, 1.0, 1, ("libbox.so",), 9.0, functions))
    found = plain(results, "prj", "--changes-per-year", "4")
    assert found["project"]["covered"] == pytest.approx(0.8)
    assert found["project"]["unbound"] == {"box_print": "takes a variable number of arguments"}
    inputs = found["answers"][0]["profile"]["inputs"]
    assert inputs["load"]["calls_per_second"] == pytest.approx(100, rel=1e-4)
    assert inputs["load"]["idioms"] == {"scalars": pytest.approx(0.9), "bytes-in": pytest.approx(0.1)}
    assert (inputs["interface"]["changes_per_year"], inputs["interface"]["functions_by_hand"]) == (4, 1)
    done = recommend(results, "prj")
    assert "80.0% of the 125 calls" in " ".join(done.output.split())
    assert recommend(results, "nowhere").exit_code == 2

# SPDX-License-Identifier: Apache-2.0
"""The ``cside`` command: what its help says, its exit codes, its JSON, and that it is the same from every folder."""

import ast
import json
import os
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result
from cside_bench.cli import OWN, command_page, list_rows, main
from cside_bench.cli.group import Later
from cside_bench.machine import checkout, doctor, interpreters
from synthetic_run import write_run

ROOT = Path(__file__).resolve().parents[2]
NAMES = [name for table in OWN.values() for name in table]
WIDEST = 100
SLOW = {"scipy", "altair", "vl_convert", "numpy", "pandas", "jsonschema", "cside_bench.cli.commands.run"}

NOX = """
import subprocess, sys
words = sys.argv[1:]
assert words[:2] == ["-f", sys.argv[2]] and words[2:5] == ["-s", "bench", "--"], words
print("nox > a line of nox's own")
done = subprocess.run([sys.executable, "-m", "cside_bench", "run", *words[5:]])
sys.exit(1 if done.returncode else 0)
"""
"""Stands in for nox, which knows success and failure only."""


def cside(*words: str | Path) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(main, [str(word) for word in words])


def program(*words: str | Path, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cside_bench", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **variables},
        timeout=120,
        check=False,
    )


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a run in it, and the current folder somewhere inside."""
    top = tmp_path / "checkout"
    inside = top / "bindings" / "some" / "src"
    inside.mkdir(parents=True)
    (top / "bench" / "src" / "cside_bench").mkdir(parents=True)
    (top / "noxfile.py").write_text("", encoding="utf-8")
    (top / "results").mkdir()
    write_run(top / "results" / "20260101-000000", 1)
    monkeypatch.chdir(inside)
    return top


def loaded(command: click.Command | None) -> click.Command | None:
    """The command itself, where it is imported later."""
    return command.load() if isinstance(command, Later) else command


def helped(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Name and help of a command and of those below it."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = loaded(command.get_command(context, name))
            assert found is not None
            yield from helped(found, click.Context(found, info_name=name, parent=context))


@pytest.mark.parametrize("name", [*NAMES, "headers"])
def test_help_teaches_with_examples_and_exit_codes(name: str) -> None:
    """Every command shows how it is called and what its exit codes mean, in no line over 100 columns."""
    top = click.Context(main, info_name="cside", max_content_width=WIDEST, terminal_width=WIDEST)
    command = loaded(main.get_command(top, name))
    if command is None:
        pytest.skip(f"{name} comes with a package that is not installed here")
    texts = dict(helped(command, click.Context(command, info_name=name, parent=top)))
    for path, text in texts.items():
        assert "Examples" in text, path
        assert f"    {path}" in text or f"    nox -s {path}" in text, f"no example calls {path}"
        assert max(map(len, text.splitlines())) <= WIDEST, path
    assert "Exit codes:" in texts[f"cside {name}"]


@pytest.mark.parametrize("name", NAMES)
def test_the_list_of_commands_says_what_each_says_itself(name: str) -> None:
    """The list is printed without importing a command, and still tells the first sentence of its help."""
    entry = main.commands[name]
    assert isinstance(entry, Later)
    assert entry.short_help == entry.load().get_short_help_str(limit=200)


def test_help_lists_every_command_and_exit_code() -> None:
    """``cside --help`` names all commands and all exit codes, in no line over 100 columns."""
    text = cside("--help").output
    for name in NAMES:
        assert f"\n  {name} " in text
    for code in (0, 1, 2, 3, 130):
        assert f"\n    {code} " in text
    assert max(map(len, text.splitlines())) <= WIDEST


def loaded_by(*words: str) -> set[str]:
    """Modules that a process has imported once it has run the command."""
    code = (
        "import sys\nfrom cside_bench.cli import main\n"
        f"try:\n    main({list(words)!r})\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    return set(done.stderr.splitlines())


def test_help_imports_nothing_that_takes_time() -> None:
    """Neither arrays nor statistics nor charts are loaded to print the help."""
    assert not SLOW & loaded_by("--help")


@pytest.mark.parametrize("name", ["bench", "list", "doctor", "completion", "claims", "recommend"])
def test_commands_that_answer_at_once_load_no_statistics_and_no_charts(name: str) -> None:
    """What only reads files of a run, or looks around, leaves scipy and the chart library alone."""
    assert not {"scipy", "altair", "vl_convert"} & loaded_by(name, "--help")


@pytest.mark.parametrize(
    "words", [["nonsense"], ["list", "nonsense"], ["report", "--nonsense"], ["compare"], ["completion", "tcsh"]]
)
def test_wrong_usage_is_exit_code_2(words: list[str]) -> None:
    """What is no command, no option or no choice ends with 2, and says where the help is."""
    done = cside(*words)
    assert done.exit_code == 2
    assert "--help" in done.stderr or "-h" in done.stderr


@pytest.mark.parametrize(
    "words",
    [["report"], ["report", "latest"], ["compare", "latest"], ["export", "--to", "pytest-benchmark"]],
    ids=lambda words: words[0],
)
def test_a_run_that_is_not_there_is_exit_code_2(tree: Path, words: list[str]) -> None:
    """The error tells which runs there are, and how to see all of them."""
    done = cside(*words, "nothing")
    assert done.exit_code == 2
    assert "no run" in done.stderr
    assert "20260101-000000" in done.stderr
    assert "cside list runs" in done.stderr


def test_without_results_the_error_says_how_to_measure(tree: Path) -> None:
    """A folder of runs that is not there is no traceback."""
    done = cside("report", "--results", tree / "nowhere")
    assert done.exit_code == 2
    assert "cside bench" in done.stderr


@pytest.mark.parametrize("damaged", ["run.json", "environment.json", "blocks/cpython-3.13-00.json"])
def test_a_damaged_file_is_named(tree: Path, damaged: str) -> None:
    """Half of a JSON file ends with 2 and the file's name, in each command that reads it."""
    path = tree / "results" / "20260101-000000" / damaged
    path.write_text(path.read_text(encoding="utf-8")[:100], encoding="utf-8")
    for words in (["compare", "20260101-000000", "20260101-000000"], ["report", "20260101-000000"]):
        done = cside(*words)
        assert done.exit_code == 2, done.output
        assert f"{damaged} is damaged" in done.stderr.replace("\n", "")
    assert cside("list", "runs").exit_code == 0


def test_a_run_of_another_version_is_no_traceback(tree: Path) -> None:
    """A plan with other fields is told as that."""
    folder = tree / "results" / "20260101-000000"
    (folder / "run.json").write_text('{"interpreters": [], "blocks": [], "colour": "red"}', encoding="utf-8")
    done = cside("report", "20260101-000000")
    assert done.exit_code == 2
    assert "another version of cside" in done.stderr


def test_ctrl_c_is_exit_code_130(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the command was doing."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(list_rows, "features", interrupted)
    assert cside("list", "features").exit_code == 130


def test_it_works_from_any_folder_of_a_checkout(tree: Path) -> None:
    """Runs are found at the top, from every folder below it; a path still counts from where one is."""
    assert checkout.root() == tree
    assert checkout.results() == tree / "results"
    (row,) = json.loads(cside("list", "runs", "--json").stdout)
    assert (row["name"], row["tier"]) == ("20260101-000000", "default")
    assert cside("compare", "20260101-000000", "../../../results/20260101-000000", "--json").exit_code == 0


def test_environments_of_tools_and_drills_are_measured_by_nobody(tree: Path) -> None:
    """Only those of interpreters are told of, whatever else nox has built beside them."""
    labels = ("cpython-3.13", "cpython-3.14t", "pypy-3.11", "driver", "workbench", "drill-cpython-3.14")
    for label in labels:
        program = tree / ".cside" / "envs" / label / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.touch()
    assert list(checkout.environments()) == ["cpython-3.13", "cpython-3.14t", "pypy-3.11"]


def test_outside_of_a_checkout_results_are_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no checkout is around the folder or the environment, the current folder counts."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert checkout.root() is None
    assert checkout.results() == Path("results")


def test_bench_passes_words_on_and_the_exit_code_back(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """``cside bench`` ends with the code that ``cside run`` had inside of nox, which would say 1 for any failure."""
    fake = tmp_path / "nox.py"
    fake.write_text(NOX, encoding="utf-8")
    monkeypatch.setattr(checkout, "nox", lambda: [sys.executable, str(fake)])
    assert cside("bench", "--nonsense").exit_code == 2
    assert "--nonsense" in capfd.readouterr().err
    assert cside("bench", "--python", "0.1", "--quick").exit_code == 2


def test_bench_prints_one_json_document(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What nox and the run print goes to standard error then; a run that never began is told as none."""
    fake = tmp_path / "nox.py"
    fake.write_text(NOX, encoding="utf-8")
    monkeypatch.setattr(checkout, "nox", lambda: [sys.executable, str(fake)])
    with pytest.raises(SystemExit) as end:
        main(["bench", "--json", "--nonsense"])
    told = capfd.readouterr()
    assert json.loads(told.out) == {"exit_code": 2, "run": None}
    assert "a line of nox's own" in told.err
    assert end.value.code == 2


def test_bench_without_nox_says_how_to_install_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And without a checkout, that one is needed."""
    monkeypatch.setattr(checkout, "nox", lambda: None)
    done = cside("bench")
    assert done.exit_code == 2
    assert "pip install nox" in done.stderr
    monkeypatch.setattr(checkout, "root", lambda: None)
    assert "in no checkout of cside" in cside("bench").stderr


def test_report_of_several_runs_is_one_page(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes to results/merged under the names of all, or where -o says; the browser is asked to open it."""
    from cside_bench.cli.commands import report

    def load(folder: Path) -> Any:
        cells = [{"void": None}]
        return SimpleNamespace(
            name=folder.name, folder=folder, machine="a machine", labels=["x"], summary={"cells": cells}
        )

    def draw(runs: list[Any], out: Path) -> Path:
        out.write_text(" ".join(run.name for run in runs), encoding="utf-8")
        return out

    asked: list[str] = []
    monkeypatch.setattr(report, "load", load)
    monkeypatch.setattr(report, "draw", draw)

    def browse(address: str) -> bool:
        asked.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    write_run(tree / "results" / "20260202-000000", 2)
    done = cside("report", "20260101-000000", "20260202-000000", "--json", "--open")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    page = tree / "results" / "merged" / "20260101-000000+20260202-000000.html"
    assert Path(told["page"]) == page
    assert page.read_text(encoding="utf-8") == "20260101-000000 20260202-000000"
    assert asked == [page.as_uri()]
    assert [run["run"] for run in told["runs"]] == ["20260101-000000", "20260202-000000"]
    elsewhere = tree / "elsewhere.html"
    assert cside("report", "20260101-000000", "20260202-000000", "-o", elsewhere).exit_code == 0
    assert elsewhere.exists()


def test_list_tells_of_bindings_and_workloads_by_asking_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """This environment has all of them; the driver's has none, so that another process answers."""
    monkeypatch.setattr(checkout, "environments", lambda: {"cpython-here": Path(sys.executable)})
    bindings = {row["name"]: row for row in json.loads(cside("list", "bindings", "--json").stdout)}
    for name in checkout.declared():
        assert bindings[name]["technique"]
    whole = [row for row in bindings.values() if not row["partial"]]
    for row in whole:
        told = row["interpreters"]["cpython-here"]
        assert {*told["features"], *told["gaps"]} == {it["name"] for it in list_rows.features()}
    rows = {row["name"]: row for row in json.loads(cside("list", "workloads", "--json").stdout)}
    small, large = rows["codec.crc32[16]"], rows["codec.crc32[1048576]"]
    assert (small["noun"], small["gil"], large["gil"]) == ("codec", "held", "released")
    assert rows["codec.compress[0-1]"]["skipped_by"] == ["quick", "default"]
    assert rows["idioms.point_add"]["needs"] == ["struct-by-value"]


def test_list_before_anything_is_built_tells_what_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bindings of the checkout have names and descriptions; workloads end with 1 and the command that builds."""
    monkeypatch.setattr(checkout, "environments", dict)
    monkeypatch.chdir(ROOT)
    rows = json.loads(cside("list", "bindings", "--json").stdout)
    assert {row["name"] for row in rows} == set(checkout.declared())
    assert all(row["technique"] and row["interpreters"] == {} for row in rows)
    done = cside("list", "workloads")
    assert done.exit_code == 1
    assert "cside bench" in done.stderr


@pytest.mark.parametrize("topic", ["features", "profiles", "claims", "runs", "interpreters"])
def test_list_prints_tables_and_json(tree: Path, topic: str) -> None:
    """The names in the table are those of the document."""
    rows = json.loads(cside("list", topic, "--json").stdout)
    table = cside("list", topic).stdout
    assert rows
    for row in rows:
        assert str(row.get("name") or row["label"]) in table


def test_the_doctor_is_satisfied_or_says_what_to_do() -> None:
    """Exit code 1 is for what is needed and missing, and everything missing has a command or an address."""
    done = cside("doctor", "--json")
    told = json.loads(done.stdout)
    fatal = [it for it in told["findings"] if it["needed"] and it["state"] == "missing"]
    assert done.exit_code == told["exit_code"] == bool(fatal)
    assert all(it["install"] for it in told["findings"] if it["state"] == "missing")
    assert {it["section"] for it in told["findings"]} == {"Interpreters", "Tools and libraries", "Room", "Quiet"}


def test_the_doctor_misses_what_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a compiler, nox and interpreters nothing can be measured: exit code 1, each with what installs it."""
    monkeypatch.setenv("CC", str(tmp_path / "no-compiler"))
    monkeypatch.setattr(checkout, "nox", lambda: None)
    monkeypatch.delenv("NOX_CURRENT_SESSION", raising=False)
    monkeypatch.setattr(interpreters, "search", list)
    monkeypatch.setattr(doctor, "manager", lambda: "dnf")
    done = cside("doctor")
    assert done.exit_code == 1
    assert "dnf install gcc glibc-devel" in done.stdout
    told = {it["name"]: it for it in json.loads(cside("doctor", "--json").stdout)["findings"]}
    assert {name for name, it in told.items() if it["needed"] and it["state"] == "missing"} >= {
        "C compiler",
        "nox",
        "a CPython with headers",
    }
    assert told["pypy-3.11"]["install"] == "uv python install pypy@3.11"


def test_the_doctor_looks_for_the_interpreters_that_are_promised() -> None:
    """Its list is that of the sessions."""
    source = (ROOT / "provision" / "interpreters.py").read_text(encoding="utf-8")
    (matrix,) = (
        ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and [it.id for it in node.targets if isinstance(it, ast.Name)] == ["MATRIX"]
    )
    assert doctor.table()["interpreters"] == list(matrix)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(shell: str) -> None:
    """It calls the program under its own name."""
    done = cside("completion", shell)
    assert done.exit_code == 0
    assert f"_CSIDE_COMPLETE={shell}_complete" in done.stdout
    assert "cside" in done.stdout


def offered(words: list[str], incomplete: str) -> list[str]:
    """What a shell would be told."""
    return [it.value for it in ShellComplete(main, {}, "cside", "_CSIDE_COMPLETE").get_completions(words, incomplete)]


def test_completion_knows_commands_and_data(tree: Path) -> None:
    """Commands, runs, tiers' options, and what the checkout declares."""
    assert offered([], "com") == ["compare", "completion"]
    assert offered(["compare"], "2026") == ["20260101-000000"]
    assert offered(["list"], "w") == ["workloads"]
    assert "--quick" in offered(["bench"], "--q")
    (tree / "bindings" / "some" / "pyproject.toml").write_text(
        '[project]\nname = "cside-some"\n[project.entry-points."cside.bindings"]\nsome = "cside_some"\n',
        encoding="utf-8",
    )
    assert offered(["export", "--binding"], "so") == ["some"]
    assert offered(["export", "--only"], "") == []


def test_the_page_of_commands_is_as_generated() -> None:
    """``docs/command.md`` has every command's help of today; ``python -m cside_bench.cli.command_page`` writes it."""
    done = subprocess.run(  # in a process of its own: click keeps the help option of whoever asked first
        [sys.executable, "-m", "cside_bench.cli.command_page", "--check"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_page_of_commands_tells_of_every_json_document() -> None:
    """Each command with --json is in its table, and no other."""
    found = {
        context.command_path
        for context in command_page.contexts()
        if any("--json" in parameter.opts for parameter in context.command.params)
    }
    assert found | {"cside bench"} == set(command_page.DOCUMENTS)


def test_the_program_runs_as_a_module() -> None:
    """``python -m cside_bench``: what nox calls."""
    done = program("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert program("nonsense").returncode == 2

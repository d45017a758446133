# SPDX-License-Identifier: Apache-2.0
"""The command line as a whole: help, exit codes, and errors that say what to do."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command import cside, program
from cside_bench.cli import OWN, list_rows, main
from cside_bench.cli.group import Later

NAMES = [name for table in OWN.values() for name in table]


WIDEST = 100


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
    """A command that is interrupted ends with 130."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(list_rows, "features", interrupted)
    assert cside("list", "features").exit_code == 130


def test_the_program_runs_as_a_module() -> None:
    """``python -m cside_bench``: what nox calls."""
    done = program("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert program("nonsense").returncode == 2

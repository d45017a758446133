# SPDX-License-Identifier: Apache-2.0
"""``cside drill`` shows the newest drill or the one that ships; ``--reference`` is refused for less than everything."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from cside_bench.cli.commands import drill as module
from cside_bench.cli.commands.drill import command
from cside_bench.results import drill


def test_without_a_drill_the_one_that_ships_is_shown(tmp_path: Path) -> None:
    """It says that it ships and where from; --json is its document, limited too."""
    done = CliRunner().invoke(command, ["--results", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "not tried on this machine" in done.output
    assert drill.reference()["machine"] in " ".join(done.output.split())
    words = ["--results", str(tmp_path), "--json", "--python", "3.14", "--binding", "cffi"]
    told = json.loads(CliRunner().invoke(command, words).stdout)
    drill.check(told)
    assert [each["label"] for each in told["interpreters"]] == ["cpython-3.14"]
    assert told["bindings"] == ["cffi", "cffi.abi"]


def test_a_drill_of_this_machine_is_shown_instead(tmp_path: Path) -> None:
    """As it was written, without the mark of what ships."""
    own = {name: value for name, value in drill.reference().items() if name != "shipped"}
    drill.write(tmp_path / "drills" / "latest", own | {"created": "2026-01-02T03:04:05+00:00"}, {})
    done = CliRunner().invoke(command, ["--results", str(tmp_path)])
    assert "2026-01-02T03:04:05+00:00" in done.output and "not tried on this machine" not in done.output


@pytest.mark.parametrize("words", [["--reference"], ["--reference", "--prepared", "FILE", "--binding", "cffi"]])
def test_what_ships_is_a_drill_of_everything(tmp_path: Path, words: list[str]) -> None:
    """Anything else is refused before it is begun, with the command that makes it."""
    (tmp_path / "prepared.json").write_text("{}", encoding="utf-8")
    given = [str(tmp_path / "prepared.json") if word == "FILE" else word for word in words]
    done = CliRunner().invoke(command, ["--results", str(tmp_path), *given])
    assert done.exit_code == 2 and "nox -s drill -- --reference" in done.output


def test_the_words_of_the_user_are_kept() -> None:
    """With them the drill can be made again."""
    found = module._words(("3.14",), (), ("field-inserted",), None, every=False, again=True, reference=True)
    assert found == ["--python", "3.14", "--change", "field-inserted", "--again", "--reference"]

# SPDX-License-Identifier: Apache-2.0
"""The docstrings of bindings are generated: by templates, and in the places of their functions."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from cside_bench.cli import docstrings, generated
from repository import ROOT


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with the contract and one binding, which has a template and a Python module."""
    contract = Path("bench", "suite", "src", "cside_suite", "contract")
    shutil.copytree(ROOT / contract, tmp_path / contract)
    binding = tmp_path / "bindings" / "one"
    (binding / "templates").mkdir(parents=True)
    (binding / "pyproject.toml").touch()
    template = (
        '/* {{ marker }} */\n{% for it in contract if it.path == "noop" %}\n{{ it.text | quoted }}\n{% endfor %}\n'
    )
    (binding / "templates" / "texts.h.docs.j2").write_text(template, encoding="utf-8")
    (binding / "_idioms_scalars.py").write_text("def noop() -> None:\n    _noop()\n", encoding="utf-8")
    monkeypatch.setattr(generated.checkout, "root", lambda: tmp_path)
    return tmp_path


def test_files_are_written_and_then_as_they_should_be(checkout: Path) -> None:
    """The check names each file that would change, writes none, and has nothing to say after the files are written."""
    binding = checkout / "bindings" / "one"
    before = CliRunner().invoke(docstrings.command, ["--check"])
    assert before.exit_code == 1
    assert "bindings/one/texts.h" in before.output and "bindings/one/_idioms_scalars.py" in before.output
    assert not (binding / "texts.h").exists()
    assert CliRunner().invoke(docstrings.command, []).exit_code == 0
    text = '"Call a C function that does nothing."'
    assert (binding / "texts.h").read_text(encoding="utf-8").splitlines()[1] == text
    assert f'""{text}""' in (binding / "_idioms_scalars.py").read_text(encoding="utf-8")
    after = CliRunner().invoke(docstrings.command, ["--check"])
    assert (after.exit_code, after.output) == (0, "")


def test_the_repository_is_as_generated() -> None:
    """What ``python -m cside_bench.cli.docstrings`` would write stands in the repository."""
    differing = [path for path, text in docstrings.files(ROOT).items() if path.read_text(encoding="utf-8") != text]
    assert differing == []

# SPDX-License-Identifier: Apache-2.0
"""Which nouns the packages of an environment have."""

import sys
from pathlib import Path

import pytest

from provision import commands, declared, packages
from provision.commands import Problem
from provision.release import call_all

IDIOMS = "def i32_add(one, two):\n    return one + two\n"
CODEC = "def compress(data):\n    return data\n\n\ndef decompress(data):\n    return data\n"
WHOLE = 'gaps = {"callbacks": "some reason"}\n'
WITHOUT = 'gaps = {"pkcs11": "some reason"}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose packages can be imported here, and in processes that ignore the environment."""
    real = commands.output

    def output(command: list[str | Path], **options: object) -> str:
        script = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{command[3]}"
        return real([*command[:3], script, *command[4:]])

    monkeypatch.setattr(commands, "output", output)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def package(folder: Path, name: str, init: str, **modules: str) -> str:
    """A package with these modules; its name."""
    (folder / name).mkdir()
    for module, text in {"__init__": init, "idioms": IDIOMS, "codec": CODEC, **modules}.items():
        (folder / name / f"{module}.py").write_text(text, encoding="utf-8")
    return name


def test_a_package_has_all_nouns_but_those_in_its_gaps(folder: Path) -> None:
    """Other gaps leave out no noun."""
    whole, part = package(folder, "whole", WHOLE), package(folder, "part", WITHOUT)
    found = declared.nouns(Path(sys.executable), [whole, part])
    assert found == {"whole": packages.nouns(), "part": ["codec", "idioms"]}


def test_a_package_without_gaps_is_a_problem(folder: Path) -> None:
    """It is not taken for a package without nouns."""
    name = package(folder, "undeclared", "")
    with pytest.raises(Problem, match="gaps"):
        declared.nouns(Path(sys.executable), [name])


def test_without_a_package_nothing_is_asked() -> None:
    """A wheel need not have a binding."""
    assert declared.nouns(Path("no such interpreter"), []) == {}


def test_wheels_are_tried_without_a_noun_that_is_declared_missing(folder: Path) -> None:
    """The module is not imported; of a binding that declares nothing it is."""
    assert call_all.called(package(folder, "without", WITHOUT)) == []
    with pytest.raises(ModuleNotFoundError, match="pkcs11"):
        call_all.called(package(folder, "forgotten", WHOLE))
    wrong = package(folder, "wrong", WHOLE, pkcs11='def rv_name(rv):\n    return "?"\n')
    assert call_all.called(wrong) == ["rv_name(0) is not CKR_OK"]

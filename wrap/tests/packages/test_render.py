# SPDX-License-Identifier: Apache-2.0
"""What is written is a package that needs nothing of cside, and Python that compiles."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from cside_wrap.packages.describe import describe
from cside_wrap.packages.render import write
from cside_wrap.packages.techniques import chosen, techniques
from cside_wrap.project.reading import Project


@pytest.fixture(params=list(techniques()))
def package(request: pytest.FixtureRequest, box: Callable[..., Project], tmp_path: Path) -> Path:
    """The folder of the package of one technique."""
    found = box()
    (technique,) = chosen([request.param])
    lines = write(describe(found)[0], technique, found.header, tmp_path / "package")
    assert lines > 100
    return tmp_path / "package"


def test_python_compiles(package: Path) -> None:
    """Each file, also that of the build."""
    files = list(package.rglob("*.py"))
    assert len(files) >= 4
    for path in (*files, *package.rglob("*.pyi")):
        compile(path.read_text(encoding="utf-8"), str(path), "exec")


def test_the_project_is_described(package: Path) -> None:
    """By a standard pyproject.toml; nothing of cside is required."""
    table = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))
    assert table["project"]["name"].startswith("box-")
    assert "cside" not in str(table["build-system"]) + str(table["project"].get("dependencies", ""))


def test_types_are_marked(package: Path) -> None:
    """The marker file is there, and the functions have annotations."""
    (marker,) = package.rglob("py.typed")
    written = [*marker.parent.glob("_core.pyi"), *marker.parent.glob("_functions.py")]
    assert "def box_sum(data: Buffer, /) -> int:" in written[0].read_text(encoding="utf-8")


def test_writing_again_replaces(box: Callable[..., Project], tmp_path: Path) -> None:
    """No file of before is left."""
    found = box()
    (technique,) = chosen(["ctypes"])
    binding, _ = describe(found)
    write(binding, technique, found.header, tmp_path / "package")
    (tmp_path / "package" / "old.py").write_text("", encoding="utf-8")
    write(binding, technique, found.header, tmp_path / "package")
    assert not (tmp_path / "package" / "old.py").exists()

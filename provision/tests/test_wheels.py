# SPDX-License-Identifier: Apache-2.0
"""Wheels: when one is built again, and what is read back from one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provision import commands, paths, toolchain, tools, wheels
from provision.builders import Builder
from provision.packages import Package
from provision.tests.wheel_files import make_wheel

VERSIONS = {"setuptools": "80", "cython": "3.3", "cmake": "4.0"}


def package(folder: Path, *requires: str, native: bool = True) -> Package:
    """A package that requires these."""
    return Package(folder, "cside-x", requires, native)


def builder(label: str = "cpython-3.13", **identity: str) -> Builder:
    """A build environment of an interpreter with this identity."""
    return Builder(label, Path(label), {"version": "3.13.0"} | identity, VERSIONS)


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The key of a wheel, one ingredient of which may be changed."""
    monkeypatch.setattr(toolchain, "identity", lambda: {"compiler": "cc 12"})

    def key(
        requires: str = "setuptools", library: str = "library", readme: str = "", digest: str = "d", **identity: str
    ) -> str:
        files = {"cside_native/lib/libcside.so": library, "cside_native/__init__.py": readme}
        native = make_wheel(tmp_path / "native", "cside-native", files)
        return wheels.key(wheels.parts(package(tmp_path, requires), builder(**identity), native, digest))

    return key


def test_the_same_ingredients_give_the_same_key(keys: Callable[..., str]) -> None:
    """Nothing is built twice."""
    assert keys() == keys()


@pytest.mark.parametrize(
    "changed", [{"digest": "other"}, {"library": "other"}, {"version": "3.13.1"}, {"requires": "Cython>=3"}]
)
def test_a_changed_ingredient_gives_another_key(keys: Callable[..., str], changed: dict[str, str]) -> None:
    """Source, library, interpreter, build requirement."""
    assert keys(**changed) != keys()


def test_python_files_of_the_native_package_do_not_count(keys: Callable[..., str]) -> None:
    """A binding is built from the library and the headers, and from nothing else there."""
    assert keys(readme="other") == keys()


def test_requirements_of_other_packages_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new Cython does not rebuild what is not written in it."""
    monkeypatch.setattr(toolchain, "identity", dict)
    held = wheels.parts(package(tmp_path, "setuptools>=77"), builder(), None, "d")["requirements"]
    assert "setuptools" in held
    assert "cython" not in held


def keep(tmp_path: Path, name: str) -> Path:
    """Put a wheel into the store and return its path there."""
    made = make_wheel(tmp_path / "made", "cside-x", {"cside_x/__init__.py": ""})
    ingredients: dict[str, Any] = {"source": "d"}
    wheels._keep(name, made.path, package(tmp_path), "d", 1.5, ingredients)
    return paths.WHEELS / name / made.path.name


def test_a_kept_wheel_is_given_out(tmp_path: Path) -> None:
    """With its origin."""
    path = keep(tmp_path, "k")
    found = wheels.kept("k")
    assert found is not None
    assert (found.path, found.source_digest, found.build_seconds) == (path, "d", 1.5)


def test_a_kept_wheel_that_was_changed_is_not(tmp_path: Path) -> None:
    """It is built again."""
    path = keep(tmp_path, "k")
    path.write_bytes(path.read_bytes() + b"x")
    assert wheels.kept("k") is None


def test_a_half_kept_wheel_is_not(tmp_path: Path) -> None:
    """As an interruption may leave it; a later build puts a whole one in its place."""
    (paths.WHEELS / "k").mkdir(parents=True)
    assert wheels.kept("k") is None
    keep(tmp_path, "k")
    assert wheels.kept("k") is not None


def test_what_a_wheel_holds_is_read_from_it(tmp_path: Path) -> None:
    """Packages, compiled modules (not libraries), entry points with dots in their names."""
    files = {
        "cside_x/__init__.py": "",
        "cside_x/_core.cpython-313.so": "",
        "cside_x/lib/libcside.so": "",
        "cside_x/abi/__init__.py": "",
        "cside_x/abi/_core.abi3.so": "",
    }
    points = "[cside.bindings]\nx = cside_x\nx.abi = cside_x.abi\n[console_scripts]\ny = z:main\n"
    wheel = make_wheel(tmp_path, "cside-x", files, points)
    assert wheel.top_levels() == ["cside_x"]
    assert wheel.compiled_modules() == ["cside_x._core", "cside_x.abi._core"]
    assert wheel.entry_points("cside.bindings") == {"x": "cside_x", "x.abi": "cside_x.abi"}


def test_the_librarys_hash_is_the_files_own(tmp_path: Path) -> None:
    """Not that of the floor beside it."""
    files = {"cside_native/lib/libcside_floor.so": "floor", "cside_native/lib/libcside.so": "library"}
    wheel = make_wheel(tmp_path, "cside-native", files)
    assert wheel.library_sha256() == wheel.files()["cside_native/lib/libcside.so"]


def test_a_varied_build_says_how_it_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The user sees two builds of one binding, and each line of progress says which of them it is about."""

    def run(command: list[object], **options: Any) -> None:
        make_wheel(Path(str(command[-2])), "cside-x", {"cside_x/__init__.py": ""})

    monkeypatch.setattr(toolchain, "identity", dict)
    monkeypatch.setattr(tools, "uv", lambda: Path("uv"))
    monkeypatch.setattr(commands, "run", run)
    wheels.build(package(tmp_path), builder())
    wheels.build(package(tmp_path), builder(), variables={"A": "1"}, variation="relinked as a control")
    said = capsys.readouterr().err.splitlines()
    assert [line.rpartition("cside-x")[2] for line in said if line.endswith("building")] == [
        ": building",
        ", relinked as a control: building",
    ]

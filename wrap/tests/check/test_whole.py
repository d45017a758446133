# SPDX-License-Identifier: Apache-2.0
"""Packages are built, installed and imported; they do the same, and one that does not is named."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import small_library
from cside_wrap.check.whole import whole
from cside_wrap.errors import WrapError
from cside_wrap.packages.make import Built, Python, build, built, environment_python
from cside_wrap.packages.techniques import chosen
from cside_wrap.project.reading import Project, read
from cside_wrap.project.settings import Settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="trials need fork")

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
  { functions = "box_open", argument = "made", role = "handle-out", owner = "box_free", why = "documented" },
  { functions = "box_open", argument = "return", role = "status", ok = "result == 0", why = "documented" },
  { functions = "box_copy_name", argument = "return", role = "text", owner = "library", why = "leaks for the test" },
  { functions = "box_key", argument = "k", role = "bytes-in", size = "BOX_KEYBYTES", why = "documented" },
  { functions = "box_each", argument = "visit", keep = "call", why = "called during the call" },
  { functions = "box_check", argument = "return", role = "status", ok = "result >= 0", why = "documented" },
  { functions = "box_digest", argument = "out", role = "bytes-out", room = "BOX_KEYBYTES", why = "documented" },
  { functions = "box_query", argument = "out", role = "bytes-out", room = "8", filled = "outlen", why = "documented" },
  { functions = "box_query", argument = "return", role = "status", ok = "result == 0", why = "documented" },
  { functions = "box_view_size", argument = "v", role = "struct", buffers = { data = "used" }, why = "documented" },
]
"""
SOME = ("cext", "cffi", "ctypes", "cython", "swig")
"""Those that are built in seconds. bench/tests/cli/commands/test_build.py builds all."""
LABEL = f"{sys.implementation.name}-{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The small library, with rules."""
    folder = tmp_path_factory.mktemp("built")
    small_library.build(folder)
    (folder / "overrides.toml").write_text(RULES, encoding="utf-8")
    return read(folder, Settings("box", (str(folder / "box.h"),), (str(folder / "libbox.so"),)))


@pytest.fixture(scope="module")
def packages(project: Project) -> list[Built]:
    """Of some techniques, for the interpreter that runs the tests."""
    _, _, done = build(project, chosen(SOME), [Python(LABEL, getattr(sys, "_base_executable", sys.executable))])
    return done


def test_all_are_built(project: Project, packages: list[Built]) -> None:
    """And recorded, with what the build cost."""
    assert [one.failed for one in packages] == [""] * len(SOME)
    assert sorted(one.technique for one in built(project.folder)) == sorted(SOME)
    assert all(one.seconds > 0 and one.wheel_bytes > 0 and one.lines > 0 for one in packages)


def test_what_has_not_changed_is_not_built_again(project: Project, packages: list[Built]) -> None:
    """Nothing is told, and the record is the same."""
    told: list[str] = []
    executable = getattr(sys, "_base_executable", sys.executable)
    _, _, again = build(project, chosen(SOME), [Python(LABEL, executable)], told.append)
    assert told == [] and sorted(again, key=str) == sorted(packages, key=str)


def test_they_do_the_same(project: Project, packages: list[Built]) -> None:
    """Results, exceptions, native calls, and nothing is left behind."""
    assert packages
    found = whole(project)
    (report,) = found.reports
    assert [(one.function, one.technique, one.what, one.said) for one in report.differences] == []
    assert {"results", "exceptions", "native calls"} <= set(report.compared)
    assert found.functions >= 18 and "box_overrun" in found.not_called


def test_an_object_without_its_constructor_is_harmless(project: Project, packages: list[Built]) -> None:
    """It cannot be made, or its methods raise an exception or find it closed: no package crashes."""
    for one in packages:
        words = [environment_python(project.folder, LABEL), small_library.UNMADE, one.package]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (one.technique, done.returncode, done.stderr)


def change(project: Project, package: str, file: str, old: str, new: str) -> Callable[[], None]:
    """Change an installed file; returns what puts it back."""
    python = environment_python(project.folder, LABEL)
    (path,) = python.parents[1].rglob(f"{package}/{file}")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return lambda: (path.write_text(text, encoding="utf-8"), None)[1]


@pytest.mark.parametrize(
    ("technique", "function", "old", "new", "said"),
    [
        ("ctypes", "box_sum", "_box_sum(data_at, size)", "_box_sum(data_at, size) + 1", "results"),
        ("cffi", "box_check", "number = _index(number)", "number = int(number)", "exceptions"),
        ("ctypes", "box_count", "result = _box_count()", "result = _box_count(); _box_count()", "native calls"),
        ("cffi", "box_count", "result = _box_count()", "result = _box_count(); _forever.append(object())", "leaves"),
        ("ctypes", "box_count", "result = _box_count()", "import os; os._exit(3)", "ended with 3"),
    ],
)
def test_a_package_that_differs_is_named(
    project: Project, packages: list[Built], technique: str, function: str, old: str, new: str, said: str
) -> None:
    """With the function, and what differs."""
    assert packages
    undo = change(project, f"box_{technique}", "_functions.py", old, new)
    try:
        (report,) = whole(project, function.__eq__).reports
    finally:
        undo()
    assert {one.technique for one in report.differences} == {technique}
    assert any(said in one.said for one in report.differences)


def test_nothing_built_is_told(project: Project, tmp_path: Path) -> None:
    """With what to type."""
    with pytest.raises(WrapError, match="cside build"):
        built(tmp_path)
    with pytest.raises(WrapError, match="no package"):
        whole(project, pythons={"cpython-2.7"})

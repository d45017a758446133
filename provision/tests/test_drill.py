# SPDX-License-Identifier: Apache-2.0
"""The drill's building side: changes fit today's sources, and what a failed build said is kept."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provision import commands, packages, paths, toolchain, wheels
from provision.builders import Builder
from provision.drill import asked, bindings, changes, libraries, staging
from provision.drill.changes import UNCHANGED, Change, Edit
from provision.drill.libraries import Library
from provision.packages import Package
from provision.tests.wheel_files import make_wheel
from provision.wheels import Wheel


@pytest.mark.parametrize("change", changes.read(), ids=lambda change: change.id)
def test_each_change_still_fits_todays_sources(change: Change, tmp_path: Path) -> None:
    """Each text to be replaced stands in its file exactly once; where the sources move on, the change has to follow."""
    copy = tmp_path / "native"
    packages.native().copy_to(copy)
    diff = changes.apply(change, copy)
    assert {f"+++ b/native/{edit.file}\n" for edit in change.edits} <= set(diff.splitlines(keepends=True))
    assert any(line.startswith("+++ b/native/include/cside/") for line in diff.splitlines())


@pytest.mark.parametrize("change", changes.read(), ids=lambda change: change.id)
def test_the_truth_of_each_change_compiles_against_the_changed_header(change: Change, tmp_path: Path) -> None:
    """What C answers is asked of a program that its compiler has checked against both headers."""
    source = tmp_path / "truth.c"
    source.write_text(libraries.TRUTH + change.truth + libraries.MAIN, encoding="utf-8")
    native = packages.native().folder
    copy = tmp_path / "native"
    packages.native().copy_to(copy)
    changes.apply(change, copy)
    for include, macros in ((native / "include", []), (copy / "include", ["-DCHANGED"])):
        command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-type-limits", "-fsyntax-only"]
        done = subprocess.run([*command, *macros, "-I", include, source], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_a_text_that_is_there_twice_or_not_at_all_is_refused(write: Callable[[str, str], Path]) -> None:
    """Nothing is changed by half: the file stays as it was."""
    file = write("native/a.h", "int f(int);\nint g(int);\n")
    fits = Edit("a.h", "int f(int)", "int f(long)")
    for old, count in (("int", 3), ("short", 0)):
        with pytest.raises(commands.Problem, match=rf"change c: a\.h holds {count} times, not once: {old}"):
            changes.apply(Change("c", (fits, Edit("a.h", old, "")), ""), file.parent)
        assert file.read_text() == "int f(int);\nint g(int);\n"
    with pytest.raises(commands.Problem, match="change c"):
        changes.apply(Change("c", (Edit("absent.h", "a", "b"),), ""), file.parent)


def test_an_unknown_change_is_refused_by_name() -> None:
    """And the user is told which there are."""
    with pytest.raises(commands.Problem, match=r"no such change: field-lost; there are .*field-inserted"):
        changes.read(["field-lost", "field-inserted"])


def test_a_file_of_ones_own_is_read_and_cannot_reach_beyond_the_library(write: Callable[[str, str], Path]) -> None:
    """An id is the name of a folder of the drill, and an edit is made in a copy of the library."""
    entry = "[[change]]\nid = '{}'\ntruth = ''\n[[change.edit]]\nfile = '{}'\nold = 'a'\nnew = 'b'\n"
    file = write("own.toml", entry.format("mine", "src/codec.c"))
    assert [change.id for change in changes.read(file=file)] == ["mine"]
    assert asked.read(["--file", str(file)]).file == file.resolve()
    for name, edited, says in (
        ("../mine", "src/codec.c", "is no name of a change"),
        ("unchanged", "src/codec.c", "is no name of a change"),
        ("mine", "../bench/pyproject.toml", "not below native/"),
    ):
        write("own.toml", entry.format(name, edited))
        with pytest.raises(commands.Problem, match=says):
            changes.read(file=file)
    for text, says in (("[[change]]\nid = 'mine'\n", "lacks 'edit'"), ("id =", "is not TOML")):
        write("own.toml", text)
        with pytest.raises(commands.Problem, match=says):
            changes.read(file=file)
    with pytest.raises(commands.Problem, match="cannot be read"):
        changes.read(file=file.with_name("absent.toml"))


def test_the_words_choose_interpreters_bindings_and_changes() -> None:
    """By default the newest CPython of the matrix, and PyPy; words for the tool itself are left to it."""
    default = asked.read(["--again", "--json"])
    assert default == asked.Asked(("3.14", "pypy3.11"), (), (), None, False)
    assert len(asked.read(["--all"]).interpreters) > 2
    words = ["--python=3.13", "--binding", "cffi", "--change", "field-inserted", "--change=function-removed", "-h"]
    assert asked.read(words) == asked.Asked(("3.13",), ("cffi",), ("field-inserted", "function-removed"), None, True)


def test_messages_are_told_apart_from_commands_and_without_this_machines_places(
    write: Callable[[str, str], Path],
) -> None:
    """A command line may hold -Werror=..., a path somebody's name; the line of source tells what a message is about."""
    log = write(
        "build.log",
        "$ uv build --wheel\n"
        "gcc -Wall -Werror=format-security -c csrc/a.c\n"
        "/usr/bin/c++ -Wall -Werror=format-security -c csrc/a.cpp\n"
        ": && /usr/bin/g++ -Werror=odr -shared -o _core.so a.o  && :\n"
        "ninja: error: build stopped: subcommand failed.\n"
        "csrc/a.c:3:4: error: too few arguments to function 'cs_sum'\n"
        "csrc/a.c:3:4: error: too few arguments to function 'cs_sum'\n"
        "/home/somebody/checkout/native/include/cside/a.h:7:1: warning: 'cs_sum' is old\n"
        "csrc/a.c:5:6: warning: passing argument 1 of 'sum' from incompatible pointer type\n"
        "    5 |     return sum(cs_error);\n"
        "      |                ^~~~~~~~\n"
        "error: Command '['gcc', '-I/home/somebody/include', '-c', 'csrc/a.c']' returned non-zero exit status 1.\n"
        "error: Failed to build `/home/somebody/checkout`\n"
        "all is well\n",
    )
    assert bindings.messages(log) == (
        "csrc/a.c:3:4: error: too few arguments to function 'cs_sum'",
        "…/include/cside/a.h:7:1: warning: 'cs_sum' is old",
        "csrc/a.c:5:6: warning: passing argument 1 of 'sum' from incompatible pointer type: return sum(cs_error);",
    )
    assert bindings.messages(log.with_name("absent.log")) == ()


@pytest.fixture
def ingredients(
    tmp_path: Path, write: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> tuple[Package, Builder, Callable[[str], Library]]:
    """A package, a builder, and libraries by the id of a change."""
    monkeypatch.setattr(toolchain, "identity", lambda: {"compiler": "cc 12"})
    folder = write("package/pyproject.toml", "").parent
    native = make_wheel(tmp_path / "native", "cside-native", {"cside_native/lib/libcside.so": "library"})
    return (
        Package(folder, "cside-x", (), True),
        Builder("cpython-3.14", tmp_path, {"version": "3.14"}, {}),
        lambda change: Library(change, "", native, tmp_path / "site"),
    )


def test_a_failed_build_is_kept_and_not_tried_again(
    ingredients: tuple[Package, Builder, Callable[[str], Library]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a result, with what the compiler said; it is tried again once anything that goes into it has changed."""
    package, builder, library = ingredients
    tried = []

    def fails(package: Package, builder: Builder, native: Wheel, *, variables: dict[str, str]) -> Wheel:
        tried.append(variables)
        paths.LOGS.mkdir(parents=True, exist_ok=True)
        (paths.LOGS / f"build-{builder.label}-cside-x.log").write_text("a.c:1: error: 'cs_sum' undeclared\n")
        raise commands.Problem("the build failed")

    monkeypatch.setattr(wheels, "build", fails)
    first = bindings.build(package, builder, library("moved"))
    assert (first.wheel, first.messages) == (None, ("a.c:1: error: 'cs_sum' undeclared",))
    assert bindings.build(package, builder, library("moved")) == first
    assert len(tried) == 1
    assert tried[0] == {"CSIDE_WITHOUT_VARIANTS": "1", "PYTHONPATH": str(library("moved").site)}
    (package.folder / "pyproject.toml").write_text("# changed")
    bindings.build(package, builder, library("moved"))
    assert len(tried) == 2


def test_a_build_that_fails_against_todays_library_is_a_problem(
    ingredients: tuple[Package, Builder, Callable[[str], Library]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing can be learnt then from changing it."""
    package, builder, library = ingredients

    def fails(*_: Any, **__: Any) -> Wheel:
        paths.LOGS.mkdir(parents=True, exist_ok=True)
        (paths.LOGS / "build-drill-unchanged-cpython-3.14-cside-x.log").write_text("a.c:1: error\n")
        raise commands.Problem("the build failed")

    monkeypatch.setattr(wheels, "build", fails)
    with pytest.raises(commands.Problem, match="the build failed"):
        bindings.build(package, builder, library(UNCHANGED))


def test_a_variant_without_compiled_modules_has_no_build_that_could_notice(tmp_path: Path) -> None:
    """Whole variants are bindings of their own; whether they are compiled is read from the wheel."""
    files = {
        "cside_x/__init__.py": "",
        "cside_x/_core.abi3.so": "",
        "cside_x/abi/__init__.py": "",
    }
    made = make_wheel(tmp_path, "cside-x", files, "[cside.bindings]\nx = cside_x\nx.abi = cside_x.abi\n")
    package = Package(tmp_path, "cside-x", (), True)
    built = {"cside-x": bindings.Built(made.path, (), "", 1.0)}
    every = staging._named([package], built, ())
    assert [(each["binding"], each["compiled"]) for each in every] == [("x", True), ("x.abi", False)]
    assert [each["binding"] for each in staging._named([package], built, ["x.abi"])] == ["x.abi"]

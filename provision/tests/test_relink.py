# SPDX-License-Identifier: Apache-2.0
"""Copies with other layouts: the same objects at other addresses."""

import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from provision import commands, paths, relink, shuffled_link
from provision.shuffled_link import moved, place, room, shuffled
from provision.tests.wheel_files import make_wheel

COMPILER = shutil.which("cc") or shutil.which("gcc")


def test_objects_change_places_and_nothing_else_does() -> None:
    """Options, libraries and the output stay where they were."""
    words = ["cc", "-shared", "a.o", "b.o", "build/c.o", "d.o", "-L", "lib", "-lcside", "-o", "x.so"]
    for seed in range(20):
        found = shuffled(words, seed)
        assert sorted(found) == sorted(words)
        assert found != words
        assert found[:2] == words[:2]
        assert found[6:] == words[6:]
        assert found == shuffled(words, seed)


def test_one_object_has_no_order() -> None:
    """It is linked as it is."""
    assert shuffled(["cc", "a.o", "-o", "x.so"], 1) == ["cc", "a.o", "-o", "x.so"]


def test_a_copy_has_room_before_its_objects_and_another_output() -> None:
    """The library and the options stay."""
    found = moved(["cc", "-shared", "a.o", "-lcside", "-o", "x.so"], 1, Path("room.c"), Path("y.so"))
    assert found[:6] == ["cc", "-shared", "room.c", "a.o", "-lcside", "-o"]
    assert found[6] == "y.so"


def test_copies_begin_at_each_place_within_a_line() -> None:
    """With the plain module, eight layouts begin at each of the four places of a line twice, and nowhere twice."""
    for name in ("text", "constants", "data", "zeros"):
        shifts = [0, *(room(copy)[name] for copy in range(1, relink.COPIES + 1))]
        assert sorted(shift % 64 for shift in shifts) == [0, 0, 16, 16, 32, 32, 48, 48]
        assert len({shift % 4096 for shift in shifts}) == len(shifts)


def test_a_copy_lies_in_the_build_folder_beside_the_module() -> None:
    """So that setuptools puts it into the wheel; an output elsewhere has no copies."""
    module = Path("build/lib.linux-x86_64/cside_x/_core.so")
    assert place(module, 3) == Path("build/lib.linux-x86_64/cside_layouts/3/cside_x/_core.so")
    assert place(Path("elsewhere/_core.so"), 3) is None
    assert place(Path("lib/cside_x/_core.so"), 3) == Path("lib/cside_layouts/3/cside_x/_core.so")


CMAKE = next((path for path in (shutil.which("cmake"), *map(str, paths.BUILDERS.glob("*/bin/cmake"))) if path), None)
LISTS = """cmake_minimum_required(VERSION 3.21)
project(x LANGUAGES CXX)
add_library(_core MODULE one.cpp two.cpp)
set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/cside_x")
install(TARGETS _core LIBRARY DESTINATION cside_x)
install(DIRECTORY "${CMAKE_BINARY_DIR}/lib/cside_layouts" DESTINATION . OPTIONAL)
"""
"""What a binding that is built by CMake needs to have copies with other layouts."""


@pytest.mark.skipif(CMAKE is None or shutil.which("c++") is None, reason="there is no CMake, or no C++ compiler")
def test_a_module_that_cmake_builds_has_copies_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as asked for beside the module, which differ from it; a plain build has none."""
    assert CMAKE is not None
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(CMAKE).parent), os.environ["PATH"]]))
    (tmp_path / "CMakeLists.txt").write_text(LISTS, encoding="utf-8")
    (tmp_path / "one.cpp").write_text("int two(int);\nint one(int x) { return two(x) + 1; }\n", encoding="utf-8")
    (tmp_path / "two.cpp").write_text("int two(int x) { return 2 * x; }\n", encoding="utf-8")

    def built(name: str) -> list[str]:
        build, target = tmp_path / f"build-{name}", tmp_path / name
        for words in (("-S", tmp_path, "-B", build), ("--build", build), ("--install", build, "--prefix", target)):
            subprocess.run([str(CMAKE), *map(str, words)], check=True, capture_output=True)
        return sorted(path.relative_to(target).parent.as_posix() for path in target.rglob("*_core.so"))

    assert built("plain") == ["cside_x"]
    launcher = f"{sys.executable};{shuffled_link.__file__};2"
    monkeypatch.setenv("CMAKE_CXX_LINKER_LAUNCHER", launcher)
    assert built("copied") == ["cside_layouts/1/cside_x", "cside_layouts/2/cside_x", "cside_x"]
    assert len({path.read_bytes() for path in (tmp_path / "copied").rglob("*_core.so")}) == 3


def test_both_kinds_of_build_are_told_to_link_by_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """setuptools by the linker of the interpreter, CMake by its launcher."""
    monkeypatch.setattr(commands, "output", lambda *_, **__: "gcc -shared\n")
    interpreter = types.SimpleNamespace(executable=Path("python"))
    found = relink.variables(interpreter)  # type: ignore[arg-type]
    assert found["LDSHARED"].endswith(f" {relink.COPIES} gcc -shared")
    for name in ("CMAKE_C_LINKER_LAUNCHER", "CMAKE_CXX_LINKER_LAUNCHER"):
        assert found[name].split(";") == [
            str(Path(sys.executable).resolve()),
            shuffled_link.__file__,
            str(relink.COPIES),
        ]


def addresses(file: Path) -> dict[str, int]:
    """The address of each function of ours in a shared object, by ``nm``."""
    told = subprocess.run(["nm", str(file)], check=True, capture_output=True, text=True).stdout
    return {name: int(at, 16) for at, name in re.findall(r"^([0-9a-f]+) [tTdDbBrR] (ours_\w+)$", told, re.MULTILINE)}


@pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None or shutil.which("nm") is None, reason="needs a compiler and nm on Linux"
)
def test_a_module_of_one_object_gets_other_addresses(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    """Its code, constants, data and zeros lie elsewhere within a line of the cache and within a page, in every copy."""
    assert COMPILER is not None
    source = write("x.c", "int ours_f(int n) { return n + 1; }\nconst char ours_c[64] = {2};\nint ours_d[16] = {3};\n")
    source.write_text(source.read_text(encoding="utf-8") + "int ours_z[16];\n", encoding="utf-8")
    object_ = tmp_path / "x.o"
    subprocess.run([COMPILER, "-O2", "-fPIC", "-c", str(source), "-o", str(object_)], check=True)
    output = tmp_path / "build" / "lib.any" / "p" / "_core.so"
    output.parent.mkdir(parents=True)
    program = [sys.executable, str(Path(shuffled_link.__file__)), "7"]
    subprocess.run([*program, COMPILER, "-shared", str(object_), "-o", str(output)], check=True)
    plain = tmp_path / "plain.so"
    subprocess.run([COMPILER, "-shared", str(object_), "-o", str(plain)], check=True)
    assert addresses(output) == addresses(plain)
    found = [addresses(output)]
    found += [addresses(tmp_path / "build/lib.any/cside_layouts" / str(copy) / "p/_core.so") for copy in range(1, 8)]
    for name in ("ours_c", "ours_d", "ours_z"):  # which compilers put on multiples of 32
        assert len({at[name] % 4096 for at in found}) >= 6, name
    assert len({at["ours_f"] % 4096 for at in found}) == 8
    assert len({at["ours_f"] % 64 for at in found}) == 4


def test_a_failing_linker_fails_the_build(tmp_path: Path) -> None:
    """Its exit code is that of the program, and no copy is tried."""
    program = [sys.executable, str(Path(shuffled_link.__file__)), "7", sys.executable, "-c", "raise SystemExit(3)"]
    assert subprocess.run([*program, "-o", str(tmp_path / "x.so")], check=False).returncode == 3


def test_copies_that_do_not_differ_are_left_out(tmp_path: Path) -> None:
    """Equal to the plain module, or to a copy before it."""
    plain = make_wheel(tmp_path / "a", "cside-x", {"cside_x/__init__.py": "", "cside_x/_core.so": "plain"})
    files = {"cside_x/_core.so": "plain"}
    for copy, text in enumerate(["one", "plain", "two", "one"], start=1):
        files[f"cside_layouts/{copy}/cside_x/_core.so"] = text
    assert relink.different(make_wheel(tmp_path / "b", "cside-x", files), plain) == [1, 3]

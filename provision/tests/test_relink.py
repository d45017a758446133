# SPDX-License-Identifier: Apache-2.0
"""Copies with other layouts: the same objects at other addresses."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from provision import relink, shuffled_link
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

# SPDX-License-Identifier: Apache-2.0
"""A real program's calls are counted, and where none are, the reason is told."""

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import small_library
from cside_wrap.errors import WrapError
from cside_wrap.profile import run as running
from cside_wrap.profile.run import Found, run
from cside_wrap.project.reading import Project

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="LD_AUDIT is of glibc")

RULES = """rules = [
  { argument = "dst", role = "bytes-out", room = "dstCapacity", filled = "result", why = "documented" },
]"""

PROGRAM = """
import ctypes, os, sys, threading
box = ctypes.CDLL(sys.argv[1])
box.box_sum.restype = ctypes.c_size_t
for size in (0, 5, 100):
    assert box.box_sum(b"x" * size, ctypes.c_size_t(size)) == size * 120
room = ctypes.create_string_buffer(64)
assert box.box_apart(b"abcdef", room, 6, 4) == 4
box.box_print(b"A%d", 5, ctypes.c_double(1.5)) == 65 or sys.exit(9)
calls = [threading.Thread(target=lambda: [box.box_count() for _ in range(1000)]) for _ in range(3)]
[one.start() for one in calls]
[one.join() for one in calls]
visit = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(lambda n, _: box.box_count())
box.box_each(50, visit, None)
if os.fork() == 0:
    box.box_check(0)
    os._exit(0)
os.wait()
sys.exit(7)
"""

CALLER = """
#include "box.h"
int main(void) { int sum = 0; for (int i = 0; i < 1000; i++) sum += box_check(0) + box_count(); return sum != 3000; }
"""


def compiled(folder: Path, *flags: str) -> str:
    """A program in C that calls the library."""
    (folder / "caller.c").write_text(CALLER, encoding="utf-8")
    command = [*small_library.compiler(), "-o", str(folder / "caller"), str(folder / "caller.c"), "-I", str(folder)]
    subprocess.run([*command, *flags], check=True)
    return str(folder / "caller")


def linked(folder: Path, box: Path, *flags: str) -> str:
    """The program, linked with the shared library."""
    link = folder / "libbox.so.1"
    link.unlink(missing_ok=True)
    link.symlink_to(box / "libbox.so")
    return compiled(folder, "-I", str(box), str(box / "libbox.so"), f"-Wl,-rpath,{folder}", *flags)


@pytest.fixture
def found(box: Callable[..., Project], box_folder: Path) -> Found:
    """The profile of a program that calls by ctypes."""
    project = box(RULES)
    return run(project, [sys.executable, "-c", PROGRAM, str(box_folder / "libbox.so")])


def test_calls_by_ctypes_threads_callbacks_and_children(found: Found) -> None:
    """Each is counted once; the program's exit code is its own."""
    calls = {name: one.calls for name, one in found.profile.functions.items()}
    expected = {"box_sum": 3, "box_apart": 1, "box_count": 3050, "box_each": 1, "box_check": 1, "box_print": 1}
    if platform.machine() != "x86_64":
        expected.pop("box_print")
    assert calls == expected
    assert (found.profile.exit_code, found.profile.libraries) == (7, ("libbox.so",))
    assert found.notes == []


def test_sizes_and_times(found: Found) -> None:
    """Bytes by the roles; a call that calls back does not count what the callback calls."""
    functions = found.profile.functions
    assert functions["box_sum"].incoming.at_least == {0: 1, 4: 1, 64: 1}
    assert functions["box_sum"].incoming.total == 105
    assert functions["box_apart"].outgoing.total == 4 and functions["box_apart"].incoming.total == 6
    assert 0 < (functions["box_each"].ns or 0) < found.profile.seconds * 1e9
    assert found.profile.inside_seconds < found.profile.seconds


def test_a_program_that_is_linked_with_the_library(
    box: Callable[..., Project], box_folder: Path, tmp_path: Path
) -> None:
    """Calls through the procedure linkage table, bound at once or late."""
    for when in ("-Wl,-z,now", "-Wl,-z,lazy"):
        its = run(box(), [linked(tmp_path, box_folder, when)])
        assert {name: one.calls for name, one in its.profile.functions.items()} == {
            "box_check": 1000,
            "box_count": 1000,
        }


def test_a_copy_in_the_program_is_named(box: Callable[..., Project], box_folder: Path, tmp_path: Path) -> None:
    """As a wheel has one in its extension module: no call passes the dynamic linker."""
    program = compiled(tmp_path, "-I", str(box_folder), str(box_folder / "box.c"))
    its = run(box(), [program])
    assert its.profile.functions == {}
    (note,) = its.notes
    assert note.startswith(program) and "functions in itself" in note


def test_calls_by_address_are_named(box: Callable[..., Project], box_folder: Path, tmp_path: Path) -> None:
    """As code that was compiled with -fno-plt makes them."""
    its = run(box(), [linked(tmp_path, box_folder, "-fno-plt", "-O1")])
    assert any("calls by address" in note and "box_check" in note for note in its.notes), its.notes


def test_programs_that_cannot_be_profiled_are_told(box: Callable[..., Project], tmp_path: Path) -> None:
    """One that does not exist, and one without a dynamic linker."""
    with pytest.raises(WrapError, match="cannot be run"):
        run(box(), [str(tmp_path / "nothing")])
    (tmp_path / "main.c").write_text("int main(void) { return 3; }", encoding="utf-8")
    command = [*small_library.compiler(), "-static", "-o", str(tmp_path / "main"), str(tmp_path / "main.c")]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("there is no static C library")
    with pytest.raises(WrapError, match="exit code 3, and the dynamic linker never loaded"):
        run(box(), [str(tmp_path / "main")])


@pytest.mark.parametrize(("told", "said"), [("musl", "needs Linux with glibc"), ("glibc 2.31", "2.35 or newer")])
def test_other_systems_are_refused(told: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is compiled."""
    monkeypatch.setattr(os, "confstr", lambda _: told)
    with pytest.raises(WrapError, match=said):
        running.check_system()

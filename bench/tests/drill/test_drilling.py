# SPDX-License-Identifier: Apache-2.0
"""The drill: what counts as which outcome, that no cell stays unknown, and that an interrupted drill goes on."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cside_bench.drill import changes, drilling
from cside_bench.drill.asking import Place
from cside_bench.drill.drilling import Drill
from cside_bench.drill.outcomes import Finding, classify
from cside_bench.drill.prepared import UNCHANGED, Binding, Build, Changed, Interpreter, Library, Prepared
from cside_bench.results import drill
from cside_bench.results.drill import DrillError
from cside_bench.results.files import point_latest

FUNCTIONS = """
import os
from signal import SIGSEGV

def total(*values):
    return sum(values)

def dies():
    os.kill(os.getpid(), SIGSEGV)

def hangs():
    import time
    time.sleep(600)
"""


@pytest.fixture
def binding(tmp_path: Path) -> Callable[..., tuple[Interpreter, Binding, Path, Library]]:
    """A binding of Python alone, in a wheel, with a library that is an empty file."""

    def make(idioms: str = FUNCTIONS) -> tuple[Interpreter, Binding, Path, Library]:
        wheel, native = tmp_path / "binding.whl", tmp_path / "native.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, text in {"__init__": "", "idioms": idioms, "codec": ""}.items():
                archive.writestr(f"a_binding/{name}.py", text)
        with zipfile.ZipFile(native, "w") as archive:
            archive.writestr("cside_native/lib/libcside.so", "")
        interpreter = Interpreter("cpython-3.13", Path(sys.executable), "3.13.0", "digest")
        return interpreter, Binding("a", "a_binding", "cside-a", True), wheel, Library(native, "0" * 64)

    return make


def ask(made: tuple[Interpreter, Binding, Path, Library], truth: dict[str, float], **asks: str) -> Finding:
    """What one process shows."""
    with Place(*made) as place:
        return classify(place.ask(asks, [[1, 2, 3, 4]], [truth]))


def test_a_real_process_is_asked_and_compared(binding: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Right, wrong, refused, dead, endless and not importable are told apart, by processes that really are so."""
    made = binding()
    assert ask(made, {"sum": 3}, sum="idioms.total(n[0], n[1])").outcome == "fine"
    assert ask(made, {"sum": 4}, sum="idioms.total(n[0], n[1])").outcome == "silent"
    assert ask(made, {"sum": 3}, sum="idioms.total(n[0], '')").outcome == "call"
    assert ask(made, {"sum": 3}, sum="idioms.absent").outcome == "call"
    assert "SIGSEGV in a call" in ask(made, {"end": 3}, end="idioms.dies()").says
    monkeypatch.setattr("cside_bench.drill.asking.PATIENCE_S", 1.0)
    assert ask(made, {"end": 3}, end="idioms.hangs()").says == "the process does not end"
    assert ask(binding("import nothing_of_this_name"), {"sum": 3}, sum="1").outcome == "import"


def test_another_library_than_the_changed_one_is_no_outcome(binding: Callable[..., Any], tmp_path: Path) -> None:
    """A binding that finds an installed library instead of the changed one would make every change look harmless."""
    with Place(*binding()) as place:
        inside = place.site / "cside_native" / "lib" / "libcside.so"
        with pytest.raises(DrillError, match="not the changed library"):
            place.confirm([str(inside)], Library(tmp_path, "0" * 64))  # there, and other bytes
        with pytest.raises(DrillError, match="no libcside"):
            place.confirm([], Library(tmp_path, "0" * 64))
        outside = tmp_path / "libcside.so"
        outside.write_bytes(b"")
        with pytest.raises(DrillError, match=r"libcside\.so"):
            place.confirm([str(outside)], Library(tmp_path, drilling._sha256(outside)))


@pytest.fixture
def prepared(binding: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Prepared]:
    """One change of one binding, with programs that tell that a sum is 3 and, after the change, 4.

    The binding is of Python alone and maps no library, so it is not asked which.
    """
    monkeypatch.setattr(Place, "confirm", lambda self, libraries, library: None)

    def make(*messages: str, builds: bool = True) -> Prepared:
        interpreter, one, wheel, library = binding()
        programs = []
        for name, answer in (("truth", 4), ("truth-unchanged", 3)):
            program = tmp_path / name
            program.write_text(f"#!{sys.executable}\nprint('\\n'.join(['{{\"sum\": {answer}}}'] * {20}))\n")
            program.chmod(0o755)
            programs.append(program)
        changed = Changed("moved", "--- a\n+++ b\n", library, *programs)
        failed = Build(None, messages, "exit code 1", 2.0)
        return Prepared(
            [interpreter],
            library,
            [changed],
            [one],
            {
                ("cpython-3.13", "cside-a", UNCHANGED): Build(wheel, (), "", 1.0),
                ("cpython-3.13", "cside-a", "moved"): Build(wheel, messages, "", 1.0) if builds else failed,
            },
            {"compiler": "cc 12"},
            tmp_path / "kept",
        )

    return make


MOVED = {
    "moved": changes.Change("moved", "a thing moved", "It moved.", ("cs_total",), {"sum": "idioms.total(1, 2)"}, {})
}


def run(prepared: Prepared, **options: bool) -> tuple[dict[str, Any], list[str]]:
    """A drill's document, and what it said."""
    said: list[str] = []
    told, _ = Drill(prepared, MOVED, said.append, **options).run()
    return told, said


def by_pass(told: dict[str, Any]) -> dict[str, str]:
    """Outcomes of the one binding and change."""
    return {each["pass"]: each["outcome"] for each in told["outcomes"]}


def test_a_finished_drill_has_an_outcome_in_every_cell(prepared: Callable[..., Prepared], tmp_path: Path) -> None:
    """The document fits its schema, is found again as the newest, and its log says what was asked."""
    told, _ = run(prepared())
    assert by_pass(told) == {"library": "silent", "rebuilt": "silent"}
    folder = tmp_path / "results" / "drills" / "20260101-000000"
    written = drill.write(folder, told, {"one": "text"})
    point_latest(folder)
    assert drill.newest(tmp_path / "results") == written.resolve()
    assert drill.load(written) == told
    assert (folder / "logs" / "one.txt").read_text() == "text"


def test_a_document_with_an_unknown_cell_is_refused(prepared: Callable[..., Prepared]) -> None:
    """Neither a missing outcome, nor two of one cell, nor a word that is no outcome can be written."""
    told, _ = run(prepared())
    for outcomes in (
        told["outcomes"][1:],
        told["outcomes"] + told["outcomes"][:1],
        [told["outcomes"][0] | {"outcome": "unknown"}, told["outcomes"][1]],
    ):
        with pytest.raises(DrillError):
            drill.check(told | {"outcomes": outcomes})


def test_a_build_that_fails_because_of_the_change_is_an_outcome(prepared: Callable[..., Prepared]) -> None:
    """The finding shows the compiler's message."""
    told, _ = run(prepared("x.c:1: error: too few arguments to function 'cs_total'", builds=False))
    assert by_pass(told)["rebuilt"] == "build"
    assert "too few arguments" in told["outcomes"][1]["says"]


def test_a_build_that_fails_for_another_reason_fails_the_drill(prepared: Callable[..., Prepared]) -> None:
    """No disk, no compiler, no network: none of them says anything about a binding."""
    with pytest.raises(DrillError, match="names nothing that changed"):
        run(prepared("x.c:1: fatal error: No space left on device", builds=False))


def test_a_warning_that_names_the_change_is_told(prepared: Callable[..., Prepared]) -> None:
    """A compiler warning that names the changed function is recorded with the finding."""
    told, _ = run(prepared("x.c:1: warning: passing argument 1 of 'cs_total' makes pointer from integer"))
    rebuilt = told["outcomes"][1]
    assert (rebuilt["outcome"], rebuilt["warned"]) == ("silent", True)
    assert "after a warning" in rebuilt["says"]


def test_a_binding_that_is_wrong_today_ends_the_drill_first(prepared: Callable[..., Prepared]) -> None:
    """What is wrong without a change cannot be blamed on one."""
    ready = prepared()
    ready.changes[0].truth_unchanged.write_text(ready.changes[0].truth.read_text())
    with pytest.raises(DrillError, match="with today's library"):
        run(ready)


def test_an_interrupted_drill_goes_on_where_it_stopped(
    prepared: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Outcomes are kept one by one; only ``again`` asks what is known."""
    asked = []
    found_out = Drill._found_out

    def counted(self: Drill, cell: drilling.Cell) -> tuple[dict[str, Any], str]:
        asked.append(cell.which)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return found_out(self, cell)

    monkeypatch.setattr(drilling, "WORKERS", 1)
    monkeypatch.setattr(Drill, "_found_out", counted)
    ready = prepared()
    with pytest.raises(KeyboardInterrupt):
        run(ready)
    assert asked == ["library", "rebuilt"]
    run(ready)
    assert asked == ["library", "rebuilt", "rebuilt"]
    run(ready)
    assert len(asked) == 3
    run(ready, again=True)
    assert len(asked) == 5


def test_the_probe_runs_on_the_standard_library_alone(tmp_path: Path) -> None:
    """Measured interpreters have nothing else; a package that is not there is an outcome, told as JSON."""
    script = Path(str(drilling.__file__)).with_name("probe.py")
    job = {"site": str(tmp_path), "package": "absent", "rounds": [], "asks": {}, "truth": []}
    done = subprocess.run(
        [sys.executable, "-I", "-S", script], input=json.dumps(job), capture_output=True, text=True, check=True
    )
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["started", "import"]

# SPDX-License-Identifier: Apache-2.0
"""What a measuring process is given, and how its end is described."""

import json
import os
import sys
import time
from pathlib import Path

import psutil
import pytest
from cside_bench.results.files import LIBRARY_FILE
from cside_bench.run.child import NURSERY, describe, environment, follow, nursery, working_folder


def test_nuisances_differ_between_processes_and_repeat_with_the_seed(tmp_path: Path) -> None:
    """Hash seed and padding are drawn; settings of the user's Python do not reach a measuring process."""
    first, second = environment(1, tmp_path), environment(2, tmp_path)
    assert first == environment(1, tmp_path)
    assert (first["PYTHONHASHSEED"], first["CSIDE_PADDING"]) != (second["PYTHONHASHSEED"], second["CSIDE_PADDING"])
    assert "trim_threshold" in first["GLIBC_TUNABLES"]
    assert "PYTHONPATH" not in first


def test_the_nursery_of_pypy_does_not_depend_on_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user may set another."""
    monkeypatch.delenv("PYPY_GC_NURSERY", raising=False)
    assert environment(1, tmp_path)["PYPY_GC_NURSERY"] == nursery() == NURSERY
    monkeypatch.setenv("PYPY_GC_NURSERY", "32M")
    assert environment(1, tmp_path)["PYPY_GC_NURSERY"] == nursery() == "32M"


def test_the_users_pkcs11_module_reaches_a_measuring_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Timed processes find SoftHSM where the user says that it is, as counted ones do; other settings stay outside."""
    monkeypatch.setenv("CSIDE_SOFTHSM2", "/somewhere/libsofthsm2.so")
    monkeypatch.setenv("CSIDE_REQUIRE_STDLIB_TESTS", "1")
    found = environment(1, tmp_path)
    assert found["CSIDE_SOFTHSM2"] == "/somewhere/libsofthsm2.so"
    assert "CSIDE_REQUIRE_STDLIB_TESTS" not in found


def test_calls_of_a_users_library_leave_their_files_in_the_run(tmp_path: Path) -> None:
    """A function that opens a file by name makes it in a folder of the run, and not where the user is."""
    assert working_folder(tmp_path) is None
    (tmp_path / LIBRARY_FILE).write_text("{}", encoding="utf-8")
    where = working_folder(tmp_path)
    log = tmp_path / "log"
    outcome = follow([sys.executable, "-c", "open('left', 'w')"], log, os.environ, lambda *_: None, where)
    assert outcome.code == 0
    assert list(tmp_path.rglob("left")) == [tmp_path / "place" / "left"]


def test_exit_codes_are_told_in_words() -> None:
    """A signal has a name."""
    assert describe(-11) == "SIGSEGV"
    assert describe(3) == "exit code 3"


def program(*messages: dict[str, object], then: str) -> list[str]:
    """A process that announces these messages, and then does something."""
    lines = "\n".join(json.dumps(message) for message in messages)
    return [sys.executable, "-c", f"import os, sys, time\nprint({lines!r}, flush=True)\n{then}"]


def test_a_process_is_followed_to_its_end(tmp_path: Path) -> None:
    """What it announced last is in the outcome, its errors are in the log, and its progress was shown."""
    shown: list[tuple[str, float]] = []
    command = program(
        {"phase": "warm-up", "done": 1, "total": 4},
        {"phase": "rounds", "workload": "call", "subject": "cext"},
        then="print('broken', file=sys.stderr); os._exit(3)",
    )
    log = tmp_path / "log"
    found = follow(command, log, environment(1, tmp_path), lambda phase, share: shown.append((phase, share)))
    assert (found.code, found.phase, found.blamed) == (3, "rounds", ("call", "cext"))
    assert shown == [("warm-up", 0.25)]
    assert log.read_text(encoding="utf-8") == "broken\n"


def test_an_interrupt_leaves_no_process(tmp_path: Path) -> None:
    """Ctrl-C while progress is shown ends the process and what it started."""

    def interrupt(phase: str, share: float) -> None:
        raise KeyboardInterrupt

    then = "import subprocess; subprocess.Popen(['sleep', '60']); time.sleep(60)"
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        follow(
            program({"phase": "rounds", "done": 1, "total": 2}, then=then),
            tmp_path / "log",
            environment(1, tmp_path),
            interrupt,
        )
    assert time.monotonic() - before < 30
    assert [child.pid for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE] == []

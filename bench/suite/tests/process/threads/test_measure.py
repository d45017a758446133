# SPDX-License-Identifier: Apache-2.0
"""A process that measures calls in threads."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from cside_suite.process.threads.calls import Call
from cside_suite.process.threads.crew import Work
from cside_suite.process.threads.measure import check
from cside_suite.process.threads.request import Request
from cside_suite.subjects.bindings import discover
from cside_suite.subjects.thread_calls import NATIVE, STDLIB


def call_of(function: Any, right: Any) -> tuple[Call, Work]:
    """A call that only a test has."""
    call = Call("t[1]", "codec", "crc32", None, lambda: (b"x",), right)
    return call, Work(function, call.make, name="t")


def test_a_result_that_only_one_thread_gets_right_voids_the_call() -> None:
    """What depends on the thread that asks is found before anything is timed, and told."""
    local = threading.local()
    local.first = True
    reason = check(*call_of(lambda _: getattr(local, "first", False), bool), 4)
    assert reason is not None and "not that of one thread" in reason
    assert check(*call_of(len, lambda result: result == 1), 4) is None


def test_wrong_results_and_exceptions_void_the_call() -> None:
    """A result that is wrong on one thread already, and an exception, are the reason in words."""
    assert check(*call_of(len, lambda result: result == 2), 4) == "gives a wrong result"

    def fail(_: bytes) -> None:
        raise OSError("no")

    assert check(*call_of(fail, bool), 4) == "OSError with 4 threads: no"


def test_a_process_writes_what_it_was_asked(tmp_path: Path) -> None:
    """The real process: every subject and number of threads in each round, but what is excluded; progress as JSON."""
    names = [it.name for it in discover() if not it.variant][:2]
    request = Request(
        "this",
        str(tmp_path / "out.json"),
        seed=5,
        rounds=2,
        budget_ms=1,
        bindings=names,
        only=["crc32[16]"],
        threads=[1, 3],
        exclude=[("codec.crc32[16]", name) for name in names[1:]],
    )
    request.save(tmp_path / "request.json")
    command = [sys.executable, "-m", "cside_suite.process.threads.measure", str(tmp_path / "request.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert all("total" in line or "subject" in line for line in lines)
    assert lines[-1]["done"] == lines[-1]["total"]
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    (process,) = found["processes"]
    assert process["rounds"] == 1  # the budget holds no more
    cells = {(cell["subject"], cell["threads"]): cell for cell in process["cells"]}
    assert cells.keys() == {(name, threads) for name in [*names[:1], STDLIB, NATIVE] for threads in (1, 3)}
    for (_, threads), cell in cells.items():
        assert [len(counts) for counts in cell["calls"]] == [threads]
        assert cell["ns"][0] > 0
        assert cell["cpu_ns"][0] > 0
    assert found["switch_interval_s"] == sys.getswitchinterval()
    assert process["void"] == []


def test_a_name_that_selects_nothing_is_told(tmp_path: Path) -> None:
    """A misspelt call ends the process with a message."""
    Request("this", str(tmp_path / "out.json"), only=["nosuch"]).save(tmp_path / "request.json")
    command = [sys.executable, "-m", "cside_suite.process.threads.measure", str(tmp_path / "request.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "nosuch" in done.stderr
    assert not (tmp_path / "out.json").exists()

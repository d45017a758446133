# SPDX-License-Identifier: Apache-2.0
"""``cside profile`` tells of any program what it did with its PKCS #11 module, or why it cannot."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cside_bench.run.profile import Function, merged, with_shim
from cside_suite.subjects.pkcs11_modules import Unavailable, locate

PROGRAM = """
import ctypes, os, sys
module = ctypes.CDLL(sys.argv[1])
assert module.C_Initialize(None) == 0
count = ctypes.c_ulong()
for _ in range(1000):
    assert module.C_GetSlotList(0, None, ctypes.byref(count)) == 0
assert module.C_GetSlotInfo(10**6, None) != 0
module.C_Finalize(None)
print("the program's own output")
sys.exit(int(sys.argv[2]))
"""


def profile(*words: str, module: Path | str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    command = [sys.executable, "-m", "cside_bench", "profile", "--module", str(module), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def module() -> Path:
    """The software token."""
    try:
        return locate("token")
    except Unavailable as error:
        pytest.skip(str(error))


def test_a_program_is_profiled(module: Path) -> None:
    """Calls, errors by name and times are those that it made; its output and exit code stay its own."""
    done = profile("--json", "--", sys.executable, "-c", PROGRAM, str(module), "7", module=module)
    assert (done.returncode, done.stdout) == (7, "the program's own output\n"), done.stderr
    told = json.loads(done.stderr)
    by_name = {function["name"]: function for function in told["functions"]}
    assert {name: function["calls"] for name, function in by_name.items()} == {
        "C_Initialize": 1,
        "C_GetSlotList": 1000,
        "C_GetSlotInfo": 1,
        "C_Finalize": 1,
    }
    assert list(by_name["C_GetSlotInfo"]["errors"].values()) == [1]
    assert next(iter(by_name["C_GetSlotInfo"]["errors"])).startswith("CKR_")
    assert 0 < told["inside_ns"] < told["wall_ns"]
    assert 0 < by_name["C_GetSlotList"]["p50_ns"] <= by_name["C_GetSlotList"]["p99_ns"]


def test_the_table_names_each_function(module: Path) -> None:
    """For people: one row each, the most time first, and a sentence about the whole."""
    done = profile("--", sys.executable, "-c", PROGRAM, "{module}", "0", module=module)
    assert done.returncode == 0
    assert "C_GetSlotList" in done.stderr
    assert "inside the module" in done.stderr


def test_a_program_that_uses_no_module_is_told_of(module: Path) -> None:
    """The error says where to put the module."""
    done = profile("--", sys.executable, "-c", "pass", module=module)
    assert done.returncode == 1
    assert "{module}" in done.stderr


def test_what_is_not_there_is_told_of(module: Path, tmp_path: Path) -> None:
    """Neither a missing module nor a missing program ends in a traceback."""
    assert "does not exist" in profile("--", "true", module=tmp_path / "nowhere.so").stderr
    done = profile("--", str(tmp_path / "nowhere"), module=module)
    assert "cannot run" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_shim_takes_the_module_s_place() -> None:
    """Wherever the path or the placeholder stands, inside of a word too."""
    command = ["tool", "--module=/lib/x.so", "/lib/x.so", "{module}", "other"]
    assert with_shim(command, "/lib/x.so", "/s.so") == ["tool", "--module=/s.so", "/s.so", "/s.so", "other"]


def test_quantiles_come_from_the_histogram() -> None:
    """A quantile lies in the bucket that holds it."""
    function = Function("C_Sign", calls=100, inside_ns=100_000, histogram=[0, 0, 0, 50, 0, 49, 0, 1])
    assert 4 <= function.quantile_ns(0.25) <= 8
    assert 16 <= function.quantile_ns(0.75) <= 32
    assert 64 <= function.quantile_ns(0.999) <= 128


def test_processes_are_added_up() -> None:
    """Two reports of one function make one row."""
    entry = {"name": "C_Sign", "calls": 2, "total_ns": 10, "histogram": [0, 2], "errors_by_rv": []}
    failed = entry | {
        "errors_by_rv": [{"rv": 0xA0, "name": "CKR_PIN_INCORRECT", "count": 1}, {"rv": 2**31, "name": None, "count": 2}]
    }
    (function,) = merged([{"functions": [entry]}, {"functions": [failed]}])
    assert (function.calls, function.inside_ns, function.histogram) == (4, 20, [0, 4])
    assert function.errors == {"CKR_PIN_INCORRECT": 1, "CKR_0x80000000": 2}

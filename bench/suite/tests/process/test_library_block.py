# SPDX-License-Identifier: Apache-2.0
"""A measuring process and the counting one work on the packages of a user's library."""

import json
import mmap
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cside_suite.process import library_counts
from cside_suite.process.request import Request

PACKAGE = """
class Error(Exception):
    pass

def add(a, b, /):
    return a + b{more}

def only_here(a, /):
    return a
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A set with three packages; one of them is wrong, and another lacks a function."""
    for name, more in (("box_cext", ""), ("box_cffi", ""), ("box_wrong", " + 1")):
        (tmp_path / name).mkdir()
        text = PACKAGE.format(more=more)
        (tmp_path / name / "__init__.py").write_text(
            text.partition("def only_here")[0] if name == "box_cffi" else text, encoding="utf-8"
        )
    entries = [
        {"name": f"box.{name}", "function": name, "says": "", "steps": [], "arguments": values, "varies": False}
        for name, values in (("add", [1, 2]), ("only_here", [1]))
    ]
    content = {
        "name": "box",
        "stem": "libbox",
        "sha256": "0",
        "files": [],
        "paths": {"here": [str(tmp_path)]},
        "packages": {"here": {"cext": "box_cext", "cffi": "box_cffi", "wrong": "box_wrong"}},
        "single": {"wrong": "it is known by its name"},
        "workloads": entries,
    }
    (tmp_path / "library.json").write_text(json.dumps(content), encoding="utf-8")
    return tmp_path / "library.json"


def measure(library: Path, **settings: Any) -> dict[str, Any]:
    """Run a measuring process; return its file."""
    out = library.with_name("out.json")
    request = Request(
        "calibrate", "here", "0", str(out), 1, "cext", library=str(library), warm_up_ns=100_000, **settings
    )
    request.save(library.with_name("request.json"))
    command = [sys.executable, "-m", "cside_suite.process.block", str(library.with_name("request.json"))]
    for mode in ("calibrate", "measure"):
        raw = json.loads(library.with_name("request.json").read_text(encoding="utf-8")) | {"mode": mode}
        if mode == "measure":
            raw |= {"calibration": json.loads(out.read_text(encoding="utf-8"))["ns"], "rounds": 3, "least_visits": 1}
        library.with_name("request.json").write_text(json.dumps(raw), encoding="utf-8")
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr[-2000:]
    return dict(json.loads(out.read_text(encoding="utf-8")))


def test_packages_are_measured_beside_their_controls(library: Path) -> None:
    """Rounds for what is right, a reason for what is not, and a skip for what a technique does not bind."""
    found = measure(library)
    cells = {(it["extra_info"]["workload"], it["extra_info"]["subject"]) for it in found["benchmarks"]}
    assert {("box.add", "cext"), ("box.add", "cffi"), ("box.add", "twin"), ("box.add", "delayed")} <= cells
    assert ("box.add", "wrong") not in cells
    (void,) = (it for it in found["cside"]["void"] if it["workload"] == "box.add")
    assert (void["subject"], void["reason"]) == ("wrong", "result differs from that of cext")
    (skip,) = found["cside"]["skips"]
    assert (skip["workload"], skip["subject"]) == ("box.only_here", "cffi")
    assert {it["extra_info"]["gil"] for it in found["benchmarks"]} == {"released"}


def test_each_package_has_a_twin_unless_its_technique_cannot_load_it_twice(library: Path) -> None:
    """A package declares nothing by itself; its technique says what cannot be loaded twice, and then it has no twin."""
    found = measure(library, twins=["box.add"])
    cells = {(it["extra_info"]["workload"], it["extra_info"]["subject"]) for it in found["benchmarks"]}
    assert ("box.add", "twin.cffi") in cells
    reasons = {it["subject"]: it["reason"] for it in found["cside"]["void"] if it["workload"] == "box.add"}
    assert reasons["twin.wrong"] == "cannot be loaded a second time: it is known by its name"


def test_native_calls_are_read_from_the_counters(library: Path) -> None:
    """The difference that the calls made, by function; here nobody counts, so that there is none."""
    counters = library.with_name("counters")
    counters.write_bytes(bytes(16) + struct.pack("=4Q", 5, 6, 7, 8))
    request = library_counts.Request(
        str(library), "here", str(counters), 16, ["f", "g"], 2, [0, 1], 40, str(library.with_name("counted.json"))
    )
    with counters.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as shared:
        assert library_counts.counted(request, shared) == [(5, 6), (7, 8)]
    steady = [(100 * n, 7 * n + (9999 if n > 5 else 0)) for n in range(library_counts.BATCHES + 1)]
    assert library_counts.typical(steady) == [2000, 140]
    found = library_counts.run(request)
    assert found["box.add"] == {"cext": {}, "cffi": {}, "wrong": {}}
    assert found["box.only_here"]["cffi"].startswith("AttributeError")

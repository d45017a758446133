# SPDX-License-Identifier: Apache-2.0
"""Counted instructions of two runs are compared exactly."""

from pathlib import Path

from compared import compare, plain
from synthetic_run import WORKLOADS, write, write_counts


def test_counts_are_compared_exactly(tmp_path: Path) -> None:
    """Three percent more instructions are over 2 %, one percent is not; references are not judged."""
    workload = WORKLOADS[0]
    base = {(workload, "cext"): 1000.0, (workload, "cffi"): 1000.0, (workload, "stdlib"): 1000.0}
    for name, cells in (("base", base), ("other", {**base, (workload, "cffi"): 1030.0, (workload, "cext"): 1010.0})):
        write(make(tmp_path / name) / "run.json", {"tier": "default", "seed": 1, "reference": "cext"} | LIBRARY)
        write_counts(tmp_path / name, cells | ({(workload, "stdlib"): 2000.0} if name == "other" else {}))
    done = compare(tmp_path, "--fail-over", "2%")
    assert done.exit_code == 1, done.output
    assert f"{workload} cffi: instructions +3.0 %" in done.output
    (entry,) = plain(tmp_path, "--fail-over", "2%")["counted"]
    assert entry["over"] == [{"workload": workload, "subject": "cffi", "by": "instructions"}]
    assert next(it["ratio"] for it in entry["cells"] if it["subject"] == "cext") == 1.01
    assert compare(tmp_path, "--fail-over", "5%").exit_code == 0


LIBRARY = {"library_sha256": "0" * 64}


def make(folder: Path) -> Path:
    """A new folder."""
    folder.mkdir()
    return folder


def test_counts_of_two_versions_of_a_tool_are_not_judged(tmp_path: Path) -> None:
    """They are shown; the gate is refused; an unstable count needs its own spread on top of the limit."""
    cells = {(WORKLOADS[0], "cffi"): 1000.0}
    for name in ("base", "other"):
        write(make(tmp_path / name) / "run.json", {"tier": "default", "seed": 1, "reference": "cext"} | LIBRARY)
    write_counts(tmp_path / "base", cells)
    write_counts(tmp_path / "other", dict.fromkeys(cells, 1100.0), version="3.23")
    refused = compare(tmp_path, "--fail-over", "2%")
    assert refused.exit_code == 2
    assert "callgrind 3.22 and callgrind 3.23" in " ".join(refused.output.split())
    write_counts(tmp_path / "other", dict.fromkeys(cells, 1100.0), stable=False, spread=0.2)
    assert compare(tmp_path, "--fail-over", "2%").exit_code == 0
    write_counts(tmp_path / "other", dict.fromkeys(cells, 1100.0), stable=False, spread=0.05)
    assert compare(tmp_path, "--fail-over", "2%").exit_code == 1

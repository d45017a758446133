# SPDX-License-Identifier: Apache-2.0
"""A user's library is built, drafted, counted and measured, from its header to the report."""

import json
import sys
from pathlib import Path

import pytest
import small_library
from command import cside, program
from cside_bench.cli.run_library import left_out
from cside_bench.machine import interpreter_facts
from cside_bench.machine.interpreters import label_from

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="trials need fork, and counting glibc")


def test_a_quick_run_on_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two techniques, three workloads: numbers beside C's own, a report, and prices compared with it."""
    small_library.build(tmp_path)
    (tmp_path / "libbox.so.1").symlink_to("libbox.so")  # by which packages load it
    monkeypatch.chdir(tmp_path)
    assert cside("init", "--header", "box.h", "--library", "./libbox.so", "prj").exit_code == 0
    words = ("--quick", "--only", "box_sum", "--only", "box_count", "--binding", "ctypes", "--binding", "cffi")
    done = program("run", "--project", "prj", *words, "--load-limit", "64", "--no-pin")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 workloads of 2 functions" in done.stdout and "ns in C" in done.stdout
    folder = Path("prj", "build", "results", "latest")
    label = label_from(interpreter_facts.facts())
    native = json.loads((folder / "native.json").read_text(encoding="utf-8"))[label]
    assert native["box.box_sum[4096]"] > native["box.box_sum[16]"] >= 0
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    cells = {(it["workload"], it["binding"]): it for it in summary["cells"]}
    assert summary["reference"] == "cffi"
    for workload in ("box.box_count", "box.box_sum[16]", "box.box_sum[4096]"):
        for binding in ("cffi", "ctypes", "twin", "delayed"):
            cell = cells[workload, binding]
            assert (cell["void"], cell["processes"], cell["gil"]) == (None, 3, "released")
    assert cells["box.box_count", "ctypes"]["ns_net"] > 20
    assert not (folder / "recommendations.json").exists() and (folder / "report.html").exists()
    assert "box_sum[4096]" in (folder / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--project", "nowhere"), "does not exist"),
        (("--project", "."), "there is no cside.toml"),
        (("--project", "prj", "--count"), "--count measures the bindings of cside"),
        (("--project", "prj", "--only", "zstd"), "no function of box"),
        (("--project", "prj", "--binding", "rust"), "there is no technique rust"),
        (("--project", "prj", "--python", "2.7"), "--python 2.7: there is no such interpreter"),
    ],
)
def test_what_cannot_be_measured_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    """Before a run has a folder."""
    small_library.build(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cside("init", "--header", "box.h", "--library", "./libbox.so", "prj").exit_code == 0
    done = cside("run", "--quick", *words)
    assert done.exit_code == 2 and said in " ".join(done.output.split()), done.output
    assert not Path("prj", "build", "results").exists()


def test_what_is_not_measured_has_its_reason() -> None:
    """A reason is told once, with some of its functions."""
    lines = left_out({"a_free": "closes its object", "f": "keeps x", "g": "keeps x", "h": "keeps x", "i": "keeps x"})
    assert lines == ["not measured, 4: keeps x (f, g, h, …)", "not measured, 1: closes its object (a_free)"]

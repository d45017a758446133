# SPDX-License-Identifier: Apache-2.0
"""The kept run is a run: cside summarises it, and every document that it makes of it keeps to its schema."""

import json
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cside_bench.results.evidence import Run
from cside_bench.summary.build import summarise
from kept_run import CPYTHON, KEPT, MARKUP, PYPY, Shape, read, write_kept_run

SCHEMAS = {"claims": "claims", "recommendations": "recommend", "drill": "results"}
"""The room of the schema of each document."""
SECTIONS = {"models": "sizes", "steady": "warmup", "threads": "threads", "costs": "costs"}
"""The schema of each section of the summary."""


def schema(room: str, name: str) -> Any:
    """A schema of the package."""
    return json.loads(files(f"cside_bench.{room}").joinpath(f"{name}.schema.json").read_text(encoding="utf-8"))


def test_the_run_is_summarised_as_it_was_measured(tmp_path: Path) -> None:
    """Its own checks trust CPython and not PyPy, where the machine was busy; so only CPython has verdicts."""
    summary = summarise(Path(shutil.copytree(KEPT, tmp_path / "run")))
    assert {it["label"]: it["trustworthy"] for it in summary["interpreters"]} == {CPYTHON: True, PYPY: False}
    verdicts: dict[str, set[str]] = {CPYTHON: set(), PYPY: set()}
    for cell in summary["cells"]:
        verdicts[cell["interpreter"]].add(cell["verdict"])
    assert verdicts[CPYTHON] >= {"reference", "faster", "slower", "inconclusive"}
    assert verdicts[PYPY] == {"none"}
    for section, name in SECTIONS.items():
        assert summary[section]
        jsonschema.validate(summary[section], schema("summary", name))


def test_times_of_single_calls_keep_to_their_schema() -> None:
    """Where a process timed calls one by one, it wrote a sketch."""
    sketches = [
        entry["extra_info"]["latency"]
        for path in sorted((KEPT / "blocks").glob("*.json"))
        for entry in read(path)["benchmarks"]
        if "latency" in entry["extra_info"]
    ]
    assert sketches
    for sketch in sketches:
        jsonschema.validate(sketch, schema("results", "sketch"))


@pytest.mark.parametrize("shape", [Shape(), Shape(tier="quick")], ids=["default", "quick"])
def test_what_is_argued_from_the_run_keeps_to_its_schema(tmp_path: Path, shape: Shape) -> None:
    """Claims, recommendations, and the drill's document, which is the only one that is made up."""
    folder = write_kept_run(tmp_path, shape)
    for name, room in SCHEMAS.items():
        jsonschema.validate(read(folder / f"{name}.json"), schema(room, name))


def test_changes_of_a_shape_are_in_the_run(tmp_path: Path) -> None:
    """Fewer interpreters and subjects, a gap and a void cell with their reasons, and an interpreter without trust."""
    shape = Shape(labels=(CPYTHON,), whole=("cext", "cffi", "swig"), others=("twin",), untrusted=(CPYTHON,))
    run = Run.load(write_kept_run(tmp_path, shape))
    assert run.labels == [CPYTHON]
    assert run.bindings == ["cext", "cffi", "swig"]
    assert run.references == ["twin"]
    assert run.trusted(CPYTHON) is False
    void = run.cell(CPYTHON, "idioms.bytes_sum[bytes]", "swig")
    assert void is not None and void["void"] == MARKUP
    gaps = {(it["subject"], it["workload"]) for it in run.summary["parity"] if MARKUP in it["reason"]}
    assert gaps == {("cffi", "idioms.spin_held[1]")}
    assert {it["verdict"] for it in run.summary["cells"]} == {"none"}


def test_the_kept_files_are_small() -> None:
    """They are part of the repository."""
    assert sum(path.stat().st_size for path in KEPT.rglob("*.json")) < 1_500_000

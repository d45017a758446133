# SPDX-License-Identifier: Apache-2.0
"""The runs that the page is tested with are runs: their files have the formats of real ones."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cside_bench.results.evidence import Run
from synthetic_catalogue import WORKLOADS
from synthetic_page import LARGE, Shape, write_page_run

SECTIONS = {"models": "sizes", "steady": "warmup", "threads": "threads", "costs": "costs"}
DERIVED = {"claims": "claims", "recommendations": "recommend", "drill": "results"}


def schema(room: str, name: str) -> Any:
    """A schema of the package."""
    return json.loads(files(f"cside_bench.{room}").joinpath(f"{name}.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "shape",
    [Shape(), Shape(tier="quick", processes=3), Shape(untrusted=("pypy-3.11",)), Shape(sections=frozenset())],
    ids=["whole", "quick", "untrusted", "bare"],
)
def test_a_synthetic_summary_keeps_to_the_schemas(tmp_path: Path, shape: Shape) -> None:
    """Those of the summary and of each section that it has."""
    summary = json.loads((write_page_run(tmp_path, shape) / "summary.json").read_text(encoding="utf-8"))
    jsonschema.validate(summary, schema("summary", "summary"))
    for section, name in SECTIONS.items():
        if summary[section]:
            jsonschema.validate(summary[section], schema("summary", name))


def test_what_is_argued_from_a_synthetic_run_keeps_to_the_schemas(tmp_path: Path) -> None:
    """Claims, recommendations and the drill's table."""
    folder = write_page_run(tmp_path, Shape())
    for file, room in DERIVED.items():
        jsonschema.validate(json.loads((folder / f"{file}.json").read_text(encoding="utf-8")), schema(room, file))


def test_a_synthetic_run_can_be_asked(tmp_path: Path) -> None:
    """It loads, ratios and pairs agree with cells, and an untrusted interpreter has no verdicts."""
    run = Run.load(write_page_run(tmp_path, Shape(untrusted=("pypy-3.11",))))
    pair = run.pair("cpython-3.14", "idioms.noop", "cffi", "cext")
    cell = run.cell("cpython-3.14", "idioms.noop", "cffi")
    assert pair is not None and cell is not None
    assert (pair.value, pair.low, pair.verdict) == (cell["ratio"], cell["ratio_low"], cell["verdict"])
    assert len(run.ratios("cpython-3.14", "idioms.noop", "cffi")) == 10
    assert run.trusted("pypy-3.11") is False
    assert {it["verdict"] for it in run.summary["cells"] if it["interpreter"] == "pypy-3.11"} == {"none"}
    kinds = {it["verdict"] for it in run.summary["cells"] if it["interpreter"] == "cpython-3.14"}
    assert kinds == {"reference", "faster", "slower", "equivalent", "inconclusive", "none"}


def test_the_large_run_is_as_large_as_is_promised() -> None:
    """Twelve interpreters, fifteen subjects, and as many workloads as the suite has, which are at least 189."""
    assert len(LARGE.labels) == 12
    assert len(LARGE.subjects) == 15
    assert len(WORKLOADS) == len(set(WORKLOADS)) >= 189

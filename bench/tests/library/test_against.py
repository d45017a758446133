# SPDX-License-Identifier: Apache-2.0
"""Prices are compared with what a run measured."""

import json
from pathlib import Path
from typing import Any

import pytest
from cside_bench.library.against import NotMeasured, compare, errors
from cside_bench.library.shapes import shape_of
from cside_bench.predict.price import Pricing
from cside_bench.results.evidence import Run
from cside_bench.results.files import LIBRARY_FILE, NATIVE_FILE
from cside_bench.summary import shapes
from cside_wrap.project.reading import Project
from synthetic_shapes import LABEL, OTHER, write


def run_of(folder: Path, **settings: Any) -> Run:
    """A run with costs."""
    made = write(folder, **settings)
    shapes.write(Run.load(made.folder))
    return Run.load(made.folder)


def test_error_factors(box: Project, tmp_path: Path) -> None:
    """A function counts once; calls that are void, or were not priced, do not count."""
    model = Pricing(run_of(tmp_path / "model"), 1)
    measured = run_of(tmp_path / "measured")
    form = box.form()
    entries = [{"name": f"box.{name}", "function": name} for name in ("box_count", "box_sum")]
    (measured.folder / LIBRARY_FILE).write_text(json.dumps({"name": "box", "workloads": entries}), encoding="utf-8")
    native = {LABEL: {"box.box_count": 5.0, "box.box_sum": 1000.0}}
    (measured.folder / NATIVE_FILE).write_text(json.dumps(native), encoding="utf-8")
    for entry, factor in zip(entries, (2.0, 1.0), strict=True):
        own = native[LABEL][entry["name"]]
        for price in model.prices(LABEL, shape_of(form.plans[entry["function"]], form), own):
            ns = (price.ns or 0.0) * factor
            measured.cells[LABEL, entry["name"], price.subject] = {"void": None, "ns_net": ns}
    measured.cells[LABEL, "box.box_count", "ctypes"]["void"] = "wrong"
    found = compare(model, measured, form, lambda _: True)
    assert {(it.workload, it.subject) for it in found if it.subject == "ctypes"} == {("box.box_sum", "ctypes")}
    cext = next(it for it in errors(found) if it["subject"] == "cext")
    assert cext["all"] == {"median": pytest.approx(1.0), "most": pytest.approx(2.0), "functions": 2, "calls": 2}
    assert cext["mostly"]["functions"] == 1


def test_runs_that_do_not_fit_are_told(box: Project, tmp_path: Path) -> None:
    """One that is of no library, and one of another interpreter."""
    model, measured = Pricing(run_of(tmp_path / "model"), 1), run_of(tmp_path / "measured", labels=(OTHER,))
    with pytest.raises(NotMeasured, match="no run on a library of yours"):
        compare(model, measured, box.form(), lambda _: True)
    (measured.folder / LIBRARY_FILE).write_text(json.dumps({"name": "box", "workloads": []}), encoding="utf-8")
    with pytest.raises(NotMeasured, match=f"measured {OTHER}"):
        compare(model, measured, box.form(), lambda _: True)

# SPDX-License-Identifier: Apache-2.0
"""A run is summarised into cells, with verdicts where its tier and its checks allow them."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from cside_bench.results.plan import Tier
from cside_bench.summary.build import summarise
from plans import LABELS
from small_run import write_run


def test_summary_has_one_cell_each_and_obeys_its_schema(tmp_path: Path) -> None:
    """Ratios are paired, intervals between processes, verdicts from the default tier on."""
    write_run(tmp_path, "default", processes=10)
    summary = summarise(tmp_path)
    assert len(summary["cells"]) == 4 * len(LABELS)
    assert [entry["trustworthy"] for entry in summary["interpreters"]] == [True] * len(LABELS)
    cell = next(cell for cell in summary["cells"] if (cell["binding"], cell["variant"]) == ("b", "v"))
    assert cell["verdict"] == "slower"
    assert 2.0 < cell["ratio_low"] <= cell["ratio"] <= cell["ratio_high"] < 2.5
    assert cell["processes"] == 10
    assert cell["ns_net"] == pytest.approx(cell["ns_raw"] - 1)
    reference = next(cell for cell in summary["cells"] if cell["binding"] == Tier.named("quick").reference)
    assert (reference["ratio"], reference["verdict"]) == (1.0, "reference")


def test_a_cell_void_in_one_process_is_void_in_the_run(tmp_path: Path) -> None:
    """A void cell has a reason and no numbers."""
    write_run(tmp_path, "default", processes=3, void=True)
    cells = [cell for cell in summarise(tmp_path)["cells"] if cell["binding"] == "b"]
    assert {cell["void"] for cell in cells} == {"spoiled"}
    assert all(cell["ratio"] is None and cell["ns_net"] is None and cell["processes"] == 0 for cell in cells)


def test_the_schema_refuses_what_is_not_documented(tmp_path: Path) -> None:
    """A summary with a stray or missing field is no summary."""
    write_run(tmp_path, "quick", processes=3)
    summary = summarise(tmp_path)
    schema = json.loads(files("cside_bench.summary").joinpath("summary.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(summary, schema)
    del summary["cells"][0]["void"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(summary, schema)

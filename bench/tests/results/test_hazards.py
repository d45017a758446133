# SPDX-License-Identifier: Apache-2.0
"""A document of the hazards has one outcome for every cell."""

import copy
from pathlib import Path

import pytest
from cside_bench.results import hazards
from cside_bench.results.hazards import HazardError


def test_a_cell_without_an_outcome_is_refused() -> None:
    """No cell may be unknown."""
    told = copy.deepcopy(hazards.reference())
    gone = told["outcomes"].pop()
    with pytest.raises(HazardError, match=gone["hazard"]):
        hazards.check(told)
    told["outcomes"] += [told["outcomes"][0]]
    with pytest.raises(HazardError):
        hazards.check(told)


def test_an_unknown_outcome_is_refused() -> None:
    """The schema names all of them."""
    told = copy.deepcopy(hazards.reference())
    told["outcomes"][0]["outcome"] = "unknown"
    with pytest.raises(HazardError, match="schema"):
        hazards.check(told)


def test_a_document_is_written_and_read(tmp_path: Path) -> None:
    """What was written is what is read; a damaged one is refused."""
    told = hazards.reference()
    written = hazards.write(tmp_path / "one", told)
    assert hazards.load(written) == told
    assert hazards.newest(tmp_path) is None
    written.write_text("{", encoding="utf-8")
    with pytest.raises(HazardError, match="cannot be read"):
        hazards.load(written)

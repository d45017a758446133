# SPDX-License-Identifier: Apache-2.0
"""The file of counters is read as audit.h lays it out; test_run.py reads what C wrote."""

from pathlib import Path

import pytest
from cside_wrap.profile.counters import Sizes, make, read


def test_an_untouched_file_has_no_counts(tmp_path: Path) -> None:
    """One record for each function."""
    make(tmp_path / "counters", 2)
    programs, objects, counts = read(tmp_path / "counters", ["a", "b"])
    assert (programs, objects, list(counts)) == (0, [], ["a", "b"])
    assert counts["b"].calls == counts["b"].incoming.calls == 0 and counts["a"].place == ""


def test_means_and_quantiles_of_sizes() -> None:
    """Within a bucket by a straight line; sizes of 0 and 1 have buckets of their own."""
    sizes = Sizes(10, 330, {0: 5, 64: 5})
    assert sizes.mean == 33.0
    assert sizes.quantile(0.5) == 0.0
    assert sizes.quantile(1.0) == 128.0
    assert sizes.quantile(0.6) == pytest.approx(64 + 64 / 5)
    assert Sizes().quantile(0.5) == Sizes().mean == 0.0

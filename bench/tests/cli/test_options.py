# SPDX-License-Identifier: Apache-2.0
"""Options that several commands have."""

import click
import pytest
from cside_bench.cli.options import parse_handicap


def test_a_handicap_names_a_cell_and_percent() -> None:
    """Anything else is an error that shows how it is written."""
    assert parse_handicap("cython:idioms.add[i32-small]=5%") == ("idioms.add[i32-small]", "cython", 5.0)
    for wrong in ("idioms.noop=5", "cython:idioms.noop", "cython:idioms.noop=fast", "cython:idioms.noop=-1"):
        with pytest.raises(click.UsageError, match="for example BINDING"):
            parse_handicap(wrong)

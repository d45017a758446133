# SPDX-License-Identifier: Apache-2.0
"""``cside try`` tells what ran and what crashed, and is alive afterwards."""

import json
import sys

import pytest
from command import cside

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="trials need fork"),
    pytest.mark.usefixtures("small_project"),
]


def test_crashes_are_lines() -> None:
    """Each with its signal; the exit code says that there is something to look at."""
    done = cside("try", "prj")
    assert done.exit_code == 1
    assert "box_overrun: ended by SIGSEGV" in done.output
    assert "17 of 34 functions tried, 15 ran (1 keep an input), 0 failed, 2 crashed" in done.output


def test_one_function_as_json() -> None:
    """With the outcome at each size."""
    done = cside("try", "prj", "--only", "box_s?m", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == [
        {"function": "box_sum", "outcome": "ran", "said": "", "sizes": {"0": "ran", "1": "ran", "4096": "ran"}}
    ]


def test_a_pattern_that_meets_nothing_is_told() -> None:
    """Nothing tried is no success."""
    assert cside("try", "prj", "--only", "zstd*").exit_code == 2

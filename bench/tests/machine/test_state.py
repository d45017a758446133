# SPDX-License-Identifier: Apache-2.0
"""The raw data of a block tell what the machine was doing while it ran."""

import json
import subprocess
import sys

import pytest
from cside_bench.machine.state import state, watch


def test_the_state_is_small_and_plain() -> None:
    """A moment's state is a small dictionary that JSON can hold, without what the system does not show."""
    found = state()
    assert None not in found.values()
    assert len(json.dumps(found)) < 10_000
    assert found["memory_free_mb"] > 0


def test_a_child_is_accounted_for() -> None:
    """CPU time and context switches of the process that ran inside are in the record, and only its own."""
    pytest.importorskip("resource")
    source = (
        "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass\n"
        "for _ in range(50): time.sleep(0.0001)"
    )
    with watch() as seen:
        subprocess.run([sys.executable, "-S", "-c", source], check=True)
    meanwhile = seen["meanwhile"]
    assert 0.2 <= meanwhile["user_s"] + meanwhile["system_s"] < 2
    assert meanwhile["voluntary_switches"] >= 50
    assert meanwhile["wall_s"] >= 0.2
    assert {"before", "after", "meanwhile"} == seen.keys()


def test_the_record_is_kept_when_the_process_fails() -> None:
    """What happened inside is recorded even where it ends in an exception."""
    with pytest.raises(ZeroDivisionError), watch() as seen:
        raise ZeroDivisionError
    assert seen["meanwhile"]["wall_s"] < 60

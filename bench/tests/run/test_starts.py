# SPDX-License-Identifier: Apache-2.0
"""Starts of interpreters are measured block by block."""

import json
import os
import sys
from pathlib import Path

from cside_bench.results import starts
from cside_bench.run import starts as run_starts

LABEL = "cpython-3.13"


def test_a_block_is_taken_once(tmp_path: Path) -> None:
    """A run that is resumed keeps what it has; a process that fails leaves its last words."""
    out = tmp_path / starts.COLD_FOLDER / f"{LABEL}-00.json"
    run_starts.take(sys.executable, ["nowhere"], out, dict(os.environ), seed=1)
    found = {each["subject"]: each for each in json.loads(out.read_text(encoding="utf-8"))}
    assert found.keys() == {"", "nowhere"}
    assert "nowhere" in found["nowhere"]["failed"]
    assert "failed" not in found[""]
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    run_starts.take("no such interpreter", ["other"], out, {}, seed=1)
    assert json.loads(out.read_text(encoding="utf-8")) == list(found.values())

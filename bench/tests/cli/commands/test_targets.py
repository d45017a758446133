# SPDX-License-Identifier: Apache-2.0
"""``cside targets`` as it is typed."""

import json
from pathlib import Path

from click.testing import CliRunner
from cside_bench.cli.commands.targets import command
from synthetic_advice import write


def test_the_exit_code_says_whether_a_target_is_beyond_what_is_fair(tmp_path: Path) -> None:
    """1 if one is, and ``--json`` has all targets."""
    run = write(tmp_path / "run")
    entry = {"name": "n", "interpreter": "i", "value": 2.0, "unit": "ns", "reach": 1.0, "status": "missed"}
    for unfair, code in ((False, 0), (True, 1)):
        targets = [{**entry, "unfair": unfair}]
        summary = run.folder / "summary.json"
        summary.write_text(json.dumps({**run.summary, "targets": targets}), encoding="utf-8")
        done = CliRunner().invoke(command, ["--results", str(tmp_path), "run"])
        assert done.exit_code == code, done.output
        assert "1 missed" in done.output
        told = CliRunner().invoke(command, ["--results", str(tmp_path), "run", "--json"])
        assert json.loads(told.stdout)["targets"] == targets

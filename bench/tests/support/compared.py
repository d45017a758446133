# SPDX-License-Identifier: Apache-2.0
"""``cside compare`` on runs whose difference is known."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from cside_bench.cli.commands.compare import command

SLOWED = ("idioms.w03", "cffi")


def compare(results: Path, *arguments: str) -> Result:
    """``cside compare base other`` on the runs of a folder."""
    return CliRunner().invoke(command, ["base", "other", "--results", str(results), *arguments])


def plain(results: Path, *arguments: str) -> dict[str, Any]:
    """What ``--json`` prints."""
    done = compare(results, "--json", *arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return dict(json.loads(done.stdout))


def cell(document: dict[str, Any], workload: str, subject: str) -> dict[str, Any]:
    """One cell of the only interpreter."""
    (entry,) = document["interpreters"]
    return next(it for it in entry["cells"] if (it["workload"], it["subject"]) == (workload, subject))


def verdicts(document: dict[str, Any], kind: str) -> list[str]:
    """The verdicts of all changes of a kind."""
    return [it[kind]["verdict"] for entry in document["interpreters"] for it in entry["cells"] if it[kind]]

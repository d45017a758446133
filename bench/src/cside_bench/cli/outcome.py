# SPDX-License-Identifier: Apache-2.0
"""A run as plain data, for ``--json``: the paths of its report, and whether it is complete and trustworthy."""

import json
from pathlib import Path
from typing import Any, Final

from cside_bench.cli.options import reading

FILES: Final = {"page": "report.html", "text": "report.md", "summary": "summary.json"}


def told_of(folder: Path) -> dict[str, Any]:
    """``run``, ``folder``, paths of :data:`FILES`, ``tier``, ``complete``, ``trustworthy`` by interpreter, and
    ``void``,
    the number of void cells. A value is None where it is not known.
    Raises `click.UsageError` where the summary is damaged.
    """
    summary: dict[str, Any] = {}
    with reading(folder):
        if (folder / FILES["summary"]).exists():
            summary = json.loads((folder / FILES["summary"]).read_text(encoding="utf-8"))
    return {
        "run": folder.name,
        "folder": str(folder),
        **{what: str(folder / name) if (folder / name).exists() else None for what, name in FILES.items()},
        "tier": summary.get("tier"),
        "complete": summary.get("complete"),
        "trustworthy": {entry["label"]: entry.get("trustworthy") for entry in summary.get("interpreters", ())},
        "void": sum(cell["void"] is not None for cell in summary.get("cells", ())),
    }

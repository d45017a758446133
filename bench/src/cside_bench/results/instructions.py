# SPDX-License-Identifier: Apache-2.0
"""Reads the files of counted instructions."""

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = "counts"
"""Name of the folder within a run that holds one file for each interpreter."""


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the documents of a run by the interpreter's label; empty if no instructions were counted."""
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / FOLDER).glob("*.json"))]
    return {document["interpreter"]: document for document in documents}

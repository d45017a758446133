# SPDX-License-Identifier: Apache-2.0
"""The files of counted instructions."""

from pathlib import Path
from typing import Any
from typing import Final
import json


FOLDER: Final = "counts"


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """The documents of a run by the interpreter's label; empty where nothing was counted."""
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((folder / FOLDER).glob("*.json"))]
    return {document["interpreter"]: document for document in documents}




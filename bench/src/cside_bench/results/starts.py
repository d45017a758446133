# SPDX-License-Identifier: Apache-2.0
"""The files of the processes that time an import."""

from pathlib import Path
from typing import Any
from typing import Final
import json


STATIC_FILE: Final = "costs.json"


COLD_FOLDER: Final = "cold"


NOT_BUILT_HERE: Final = "measured where nox builds the bindings: nox -s bench, without --quick"


TOGETHER: Final = "together"
"""In ``import_ns`` and its like: all nouns in one process, beside each noun alone in one."""


Observations = dict[str, dict[str, list[dict[str, Any]]]]
"""By the interpreter's label and the subject's name (empty: the baseline): what `cold.measure` returned, in order."""


def read_cold(folder: Path) -> Observations:
    """All observations of a run, those that failed too."""
    found: Observations = {}
    for path in sorted((folder / COLD_FOLDER).glob("*.json")):
        by_name = found.setdefault(path.stem.rpartition("-")[0], {})
        for entry in json.loads(path.read_text(encoding="utf-8")):
            by_name.setdefault(entry["subject"], []).append(entry)
    return found


def import_times(folder: Path) -> dict[str, dict[str, list[float]]]:
    """ns to import ``idioms`` and then ``codec`` in a fresh process, by label and name: the workload ``import``.

    A name has one number per block, so that the numbers of two names pair; NaN where there was none.
    """
    return {
        label: {
            name: [float(entry.get("ns") or "nan") for entry in entries]
            for name, entries in by_name.items()
            if name and any(entry.get("ns") for entry in entries)
        }
        for label, by_name in read_cold(folder).items()
    }




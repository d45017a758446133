# SPDX-License-Identifier: Apache-2.0
"""Reads the files of the processes that time an import."""

import json
from pathlib import Path
from typing import Any, Final

from cside_suite.subjects.groups import NOUNS

SHARED: Final = "shared"
"""Lines that belong to no single noun; a binding need not have any."""
COUNTED: Final = (*NOUNS, SHARED)
"""Nouns whose lines count as the binding; the lines of its own tests and variants do not."""
STATIC_FILE: Final = "costs.json"
"""Name of the file that holds a run's static costs."""
COLD_FOLDER: Final = "cold"
"""Name of the folder within a run that holds the measurements of fresh processes."""
NOT_BUILT_HERE: Final = "measured where nox builds the bindings: nox -s bench, without --quick"
"""Reason given for static costs that are missing."""
TOGETHER: Final = "together"
"""Key in ``import_ns`` and similar fields for all nouns in one process; the other keys are nouns measured alone."""

Observations = dict[str, dict[str, list[dict[str, Any]]]]
"""Documents of :mod:`cside_suite.process.start`, in order, by interpreter and subject; the baseline's name is empty."""


def read_cold(folder: Path) -> Observations:
    """Read all observations of a run, including those of processes that failed."""
    found: Observations = {}
    for path in sorted((folder / COLD_FOLDER).glob("*.json")):
        by_name = found.setdefault(path.stem.rpartition("-")[0], {})
        for entry in json.loads(path.read_text(encoding="utf-8")):
            by_name.setdefault(entry["subject"], []).append(entry)
    return found


def import_times(folder: Path) -> dict[str, dict[str, list[float]]]:
    """Return the observations of the workload ``import``, by interpreter and subject.

    An observation is the time in ns to import ``idioms`` and then ``codec`` in a fresh process. Each subject has one
    number per block, NaN where a block has none, so that the numbers of two subjects can be paired.
    """
    return {
        label: {
            name: [float(entry.get("ns") or "nan") for entry in entries]
            for name, entries in by_name.items()
            if name and any(entry.get("ns") for entry in entries)
        }
        for label, by_name in read_cold(folder).items()
    }


def import_bases(folder: Path) -> dict[str, list[float]]:
    """Return the time in ns to load libcside and to import an empty extension, by interpreter.

    There is one number per block, NaN where a block has none, as in runs that were made before it was measured.
    """
    return {
        label: [float(entry.get("base_ns") or "nan") for entry in by_name.get("", ())]
        for label, by_name in read_cold(folder).items()
    }

# SPDX-License-Identifier: Apache-2.0
"""The drill's table on the terminal."""

import io
import itertools

from cside_bench.drill import changes
from cside_bench.drill.outcomes import LEGEND
from cside_bench.report import drill as report_drill
from cside_bench.results import drill
from rich.console import Console


def test_the_table_fits_a_terminal_of_100_columns() -> None:
    """With six bindings and the longest words, no word is cut and no line is wrapped."""
    names = ["cext", "cffi", "cffi.abi", "ctypes", "cython", "swig"]
    ids = list(changes.read())
    outcomes = [
        {
            "interpreter": "cpython-3.14",
            "binding": name,
            "change": change,
            "pass": which,
            "outcome": "unaffected",
            "warned": False,
            "rebuilt": False,
        }
        for name, change, which in itertools.product(names, ids, drill.PASSES)
    ]
    told = {
        "created": "2026-01-01T00:00:00+00:00",
        "machine": "a machine",
        "interpreters": [{"label": "cpython-3.14"}],
        "bindings": names,
        "changes": [{"id": each} for each in ids],
        "outcomes": outcomes,
        "legend": LEGEND,
    }
    console = Console(file=io.StringIO(), width=100)
    report_drill.show(told, console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(len(line) for line in lines) <= 100
    assert sum(line.count("unaffected") for line in lines) == len(outcomes) + 1 + len(drill.PASSES)
    assert sum(line.startswith(tuple(ids)) for line in lines) == 2 * len(ids)

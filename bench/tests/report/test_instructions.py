# SPDX-License-Identifier: Apache-2.0
"""The table of instructions on the terminal."""

from typing import Any

from cside_bench.report import instructions as report_instructions


def test_the_short_table_has_the_reference_and_ratios_to_it() -> None:
    """Instructions of the reference, and of the others in its terms; void and unstable cells are told apart."""

    def cell(subject: str, instructions: float | None, *, stable: bool = True) -> dict[str, Any]:
        void = None if instructions is not None else "different result"
        return {
            "workload": "idioms.noop",
            "subject": subject,
            "instructions": instructions,
            "stable": stable,
            "void": void,
        }

    cells = [cell("cext", 100.0), cell("cffi", 650.0), cell("swig", None), cell("ctypes", 1000.0, stable=False)]
    (row,) = report_instructions.table({"cpython-3.13": {"reference": "cext", "cells": cells}})
    assert (row.interpreter, row.workload, row.instructions) == ("cpython-3.13", "idioms.noop", 100.0)
    assert row.ratios == {"cffi": 6.5, "swig": None, "ctypes": 10.0}
    assert row.loose == {"ctypes"}
    (shown,) = report_instructions.tables([row], "cext")
    assert [column.header for column in shown.columns] == ["", "cext", "cffi", "ctypes", "swig"]

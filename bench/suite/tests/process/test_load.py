# SPDX-License-Identifier: Apache-2.0
"""Bindings and their copies are loaded."""

import random
from pathlib import Path

from cside_suite.process.load import load
from cside_suite.process.request import Request

REFERENCE = "cext"


def test_isolation_loads_one_binding(tmp_path: Path) -> None:
    """In isolated mode no other binding and no copy is loaded; a control is the reference under its name."""
    told: list[str] = []

    def names(alone: str) -> set[str]:
        request = Request("measure", "x", "", "out", 1, REFERENCE, alone=alone)
        subjects, _ = load(request, told.append, random.Random(1), tmp_path)
        return set(subjects) & {REFERENCE, "twin", "delayed", "ctypes", "cffi", "cffi.abi"}

    assert names("cffi") == {"cffi"}
    assert names("twin") == {"twin"}
    assert told == ["cffi", REFERENCE]

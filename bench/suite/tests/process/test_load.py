# SPDX-License-Identifier: Apache-2.0
"""Bindings and their copies are loaded."""

import random
from pathlib import Path

import cside_native
import pytest
from cside_suite.process import layouts
from cside_suite.process.load import load
from cside_suite.process.request import Request

REFERENCE = "cext"


def test_isolation_loads_one_binding(tmp_path: Path) -> None:
    """A process of one loads no other binding and no copy; a control is its original under its name."""
    told: list[str] = []

    def names(alone: str) -> set[str]:
        sha256 = cside_native.build_info()["sha256"]
        request = Request("measure", "x", sha256, "out", 1, REFERENCE, alone=alone)
        subjects, _ = load(request, told.append, random.Random(1), tmp_path)
        return set(subjects) & {REFERENCE, "twin", "twin.cffi", "delayed", "ctypes", "cffi", "cffi.abi"}

    assert names("cffi") == {"cffi"}
    assert names("twin") == {"twin"}
    assert names("twin.cffi") == {"twin.cffi"}
    assert told == ["cffi", REFERENCE, "cffi"]


def test_the_relinked_control_alone_has_its_own_layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the one that the reference has in its process, and that the twin has in another; both have one seed."""
    placed: dict[str, object] = {}
    monkeypatch.setattr(layouts, "place", lambda folders, into: placed.update(folders) or {})
    copies = {REFERENCE: [f"/copy/{number}" for number in range(1, 4)]}
    for seed in range(20):
        of = {}
        for alone in (REFERENCE, "twin", "relinked"):
            request = Request("measure", "x", "", "out", seed, REFERENCE, alone=alone, layouts=copies)
            load(request, lambda name: None, random.Random(1), tmp_path)
            of[alone] = placed[REFERENCE]
        assert of[REFERENCE] == of["twin"] != of["relinked"]

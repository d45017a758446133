# SPDX-License-Identifier: Apache-2.0
"""The compiler confirms what is right, and refutes each kind of fact that is wrong."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from cside_wrap.header.model import Constant
from cside_wrap.header.proof import prove
from cside_wrap.project.reading import Project


def test_all_facts_are_proven(box: Callable[..., Project]) -> None:
    """There are facts of each kind, and none is refuted."""
    proof = box().proof
    assert proof.refuted == []
    assert set(proof.proven) == {"prototype", "size", "offset", "value"}
    assert proof.proven["prototype"] == len(box().header.functions)


@pytest.mark.parametrize("kind", ["prototype", "size", "offset", "value"])
def test_a_wrong_fact_is_refuted(box: Callable[..., Project], box_folder: Path, kind: str) -> None:
    """And by its name, so that what depends on it is refused."""
    header = box().header
    point = header.structs["struct box_point"]
    if kind == "prototype":
        one = header.functions["box_check"]
        header.functions["box_check"] = dataclasses.replace(one, spelling="int (long)")
    elif kind == "size":
        header.structs[point.name] = dataclasses.replace(point, size=32)
    elif kind == "offset":
        moved = dataclasses.replace(point.fields[1], offset=32)
        header.structs[point.name] = dataclasses.replace(point, fields=(point.fields[0], moved, point.fields[2]))
    else:
        header.constants["BOX_MAX"] = Constant("BOX_MAX", 8)
    refuted = prove(header, [box_folder / "box.h"], []).refuted
    assert [fact.kind for fact, _ in refuted] == [kind]

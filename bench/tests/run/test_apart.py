# SPDX-License-Identifier: Apache-2.0
"""The processes of a block in which each binding has one of its own."""

from dataclasses import replace

from cside_bench.run.apart import TURN_VISITS, narrowed, subjects
from cside_suite.process.request import FLOOR, Request

PILOT = {
    "implementations": ["cext", "cffi", "cffi.abi", "ctypes", "ctypes.bare"],
    "whole": ["cext", "cffi", "cffi.abi", "ctypes"],
    "workloads": {"idioms.noop": 9, "codec.adler32[256]": 9},
}
WHOLE = Request("measure", "pypy-3.11", "", "", 1, "cext", without=["*.bare"], twins=["idioms.noop"])


def test_what_takes_part_in_a_workload_has_a_process() -> None:
    """Bindings, variants that are not left out, controls, and the twin of each binding but not of a variant."""
    bindings = ["cext", "cffi", "cffi.abi", "ctypes"]
    assert subjects(WHOLE, PILOT) == ["host", *bindings, "twin", "delayed", "twin.cffi", "twin.ctypes"]
    relinked = replace(WHOLE, layouts={"cext": ["/a/1"]}, twins=[])
    assert subjects(relinked, PILOT) == ["host", *bindings, "twin", "delayed", "relinked"]
    elsewhere = PILOT | {"workloads": {"codec.adler32[256]": 9}}
    assert subjects(WHOLE, elsewhere) == ["host", *bindings, "twin"]
    assert "twin.cffi" in subjects(replace(WHOLE, only=["adler32"]), elsewhere)


def test_references_have_a_process_of_their_own() -> None:
    """Others leave them and the loops in C out, the reference binding too, and no subject leaves itself out."""
    request = replace(WHOLE, exclude=[("idioms.noop", "swig")])
    assert narrowed(request, "host", PILOT["workloads"]).exclude == [("idioms.noop", "swig")]
    for subject in ("cext", "cffi", "twin"):
        found = narrowed(request, subject, PILOT["workloads"])
        assert found.alone == subject and found.exclude[0] == ("idioms.noop", "swig")
        assert {(workload, name) for workload in PILOT["workloads"] for name in ("stdlib", FLOOR)} <= set(found.exclude)
        assert not any(name == subject for _, name in found.exclude)


def test_all_processes_have_the_same_workloads_in_turns() -> None:
    """Whatever their order was: a turn has to be of the same workloads in all of them. Each has a child."""
    found = [narrowed(WHOLE, subject, workloads) for subject, workloads in (("cffi", ["b", "a"]), ("twin", ["a", "b"]))]
    assert {tuple(it.workloads) for it in found} == {("a", "b")}
    assert all(it.turn_visits == TURN_VISITS > 0 and it.forks for it in found)

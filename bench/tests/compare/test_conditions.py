# SPDX-License-Identifier: Apache-2.0
"""Differences between the machines and builds of two runs."""

from cside_bench.compare.conditions import differences, same_machine
from synthetic_run import LABEL, MACHINE


def test_conditions_that_differ_are_listed() -> None:
    """Tier, seed, commit, library, compiler, flags, package and corpus; of long values the part that differs."""
    long = "-g " * 60
    base = {
        "commit": "one",
        "machine": MACHINE,
        "corpora": {"text": "1"},
        "interpreters": [
            {"label": LABEL, "cflags": long + "-O2", "packages": {"cffi": "1"}, "native": {"flags": "-O2"}},
        ],
    }
    other = {
        "commit": "two",
        "machine": {**MACHINE, "affinity": [1]},
        "corpora": {"text": "2"},
        "interpreters": [
            {"label": LABEL, "cflags": long + "-O3", "packages": {"cffi": "2"}, "native": {"flags": "-O3"}},
        ],
    }
    plans = ({"tier": "default", "seed": 1}, {"tier": "quick", "seed": 2})
    found = differences(plans, (base, other), ({"format": 1}, {"format": 1}), [LABEL])
    by_name = {row["what"]: (row["base"], row["other"]) for row in found}
    assert by_name["tier"] == ("default", "quick")
    assert by_name["seed"] == ("1", "2")
    assert by_name["commit"] == ("one", "two")
    assert by_name["corpus text"] == ("1", "2")
    assert by_name["CPUs allowed"] == ("[0, 1]", "[1]")
    assert by_name[f"{LABEL}: cffi"] == ("1", "2")
    assert by_name[f"{LABEL}: flags of libcside"] == ("-O2", "-O3")
    assert by_name[f"{LABEL}: cflags"] == ("… -O2", "… -O3")
    assert len(found) == len(by_name) == 8


def test_a_machine_that_tells_nothing_is_no_known_machine() -> None:
    """Two runs without ``environment.json`` are not said to be of one machine; the load does not matter."""
    assert not same_machine({}, {})
    assert same_machine({"machine": MACHINE | {"load_average": [1]}}, {"machine": MACHINE | {"load_average": [2]}})

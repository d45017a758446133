# SPDX-License-Identifier: Apache-2.0
"""``shapes.json``: costs and errors of runs whose truth is known, and runs that have too little for them."""

import math
from pathlib import Path
from typing import Any

import pytest
from cside_bench.results.evidence import Run
from cside_bench.results.shapes import load, of
from cside_bench.summary import shapes
from cside_bench.summary.shapes import LONGEST_NS
from synthetic_shapes import COSTS, LABEL, OTHER, TIMES, write


def approaches(run: Run, label: str = LABEL) -> dict[str, dict[str, Any]]:
    """Write the file of a run, which checks it against the schema, and return an interpreter's entries by subject."""
    shapes.write(run)
    return {it["subject"]: it for it in of(Run.load(run.folder), label)["approaches"]}


def costs(entry: dict[str, Any]) -> dict[str, float | None]:
    """Return ns by term."""
    return {it["term"]: it["ns"] for it in entry["costs"]}


def test_known_costs_are_found_and_held_out_calls_predicted(tmp_path: Path) -> None:
    """With every approach, to within the ridge; releases count only for an approach that may hold the GIL."""
    found = approaches(write(tmp_path / "run"))
    assert list(found) == ["cext", "cffi", "ctypes"]
    for subject, multiple in TIMES.items():
        entry = found[subject]
        own = {term: ns for term, ns in costs(entry).items() if ns is not None}
        assert set(COSTS) - set(own) == ({"released"} if subject == "cffi" else set())
        assert own == pytest.approx({term: multiple * COSTS[term] for term in own}, rel=0.1, abs=0.5)
        for name in ("fitted", "held_out", "mostly"):
            assert entry[name]["most"] == pytest.approx(1.0, abs=0.02), name
    assert [found[it]["chooses"] for it in found] == [True, False, True]


def test_a_held_out_call_that_costs_twice_is_a_miss_of_two(tmp_path: Path) -> None:
    """Of the time over C's own, by kind; calls that are C's time mostly are not counted."""
    found = approaches(write(tmp_path / "run", held_out=lambda key: 2.0 if key.startswith("pkcs11.find") else 1.0))
    kinds = list(dict.fromkeys(key.partition("[")[0] for key in load().held_out))
    misses = dict(zip(kinds, found["cffi"]["misses"], strict=True))
    assert misses["pkcs11.find"] == pytest.approx(math.log(2), abs=0.05)
    assert misses["pkcs11.digest"] == pytest.approx(0.0, abs=0.05)
    assert found["cffi"]["held_out"]["median"] == pytest.approx(1.0, abs=0.02)


def test_held_out_calls_do_not_move_the_costs(tmp_path: Path) -> None:
    """The fit never sees them."""
    one, two = (
        costs(approaches(write(tmp_path / name, held_out=lambda key, factor=factor: factor))["cext"])
        for name, factor in (("one", 1.0), ("two", 5.0))
    )
    assert one == two


def test_calls_that_are_long_in_c_tell_nothing(tmp_path: Path) -> None:
    """A prediction of them would be right whatever the binding takes."""
    found = approaches(write(tmp_path / "run", inside_ns=2 * LONGEST_NS))["cext"]
    assert found["held_out"]["kinds"] == 0 and found["reach"] is None and found["predictions"] == []


def test_where_c_takes_most_of_a_call_only_the_whole_time_is_judged(tmp_path: Path) -> None:
    """The time over C's own would be the noise of C."""
    found = approaches(write(tmp_path / "run", inside_ns=LONGEST_NS / 2))["cext"]
    assert found["held_out"]["kinds"] > found["mostly"]["kinds"]


def test_a_term_that_an_interpreter_did_not_measure_is_priced_as_another(tmp_path: Path) -> None:
    """As on PyPy, where fewer workloads are measured; the stand-in is named."""
    run = write(
        tmp_path / "run",
        labels=(LABEL, OTHER),
        measured=lambda key, shape: "struct_local" not in shape or not key.startswith("idioms."),
    )
    entry = approaches(run, OTHER)["cext"]
    by_term = {it["term"]: it for it in entry["costs"]}
    assert by_term["struct_local"]["ns"] is None and by_term["struct_local"]["like"] == "struct"
    assert by_term["struct"]["like"] is None and by_term["struct"]["ns"] == pytest.approx(COSTS["struct"], rel=0.1)
    predicted = {it["workload"]: it["predicted"] for it in entry["predictions"]}
    assert predicted["pkcs11.digest[token]"] is not None


def test_a_run_of_few_idioms_has_a_reason_in_the_place_of_costs(tmp_path: Path) -> None:
    """As one of ``--only``."""
    run = write(tmp_path / "run", measured=lambda key, shape: key in ("idioms.noop", "idioms.add", "codec.crc32"))
    found = approaches(run)["cext"]
    assert found["reason"] == "a fit takes 12 measured calls, and the run has 2" and "costs" not in found


def test_the_same_run_has_the_same_file(tmp_path: Path) -> None:
    """Draws are seeded by the run's seed."""
    run = write(tmp_path / "run", noise=0.02)
    assert shapes.document(run) == shapes.document(run)
    first = approaches(run)["cext"]
    assert all(it["low"] <= it["ns"] <= it["high"] for it in first["costs"] if it["ns"] and it["ns"] > 3)

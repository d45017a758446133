# SPDX-License-Identifier: Apache-2.0
"""What the report says about threads follows from the counts: paired within rounds, inferred over processes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cside_bench.report.threads import markdown
from cside_bench.summary.threads import observe, summarise
from cside_suite.subjects.thread_calls import NATIVE

LONG, SHORT = "idioms.spin_released[100000]", "idioms.spin_held[1]"
SPEED_UPS = {
    ("a", "released", LONG): {1: 1.0, 2: 1.9, 4: 1.9},
    ("b", "released", LONG): {1: 1.0, 2: 1.0, 4: 0.9},
    (NATIVE, "none", LONG): {1: 1.0, 2: 2.0, 4: 2.0},
    ("a", "held", SHORT): {1: 1.0, 2: 0.8, 4: 0.5},
    (NATIVE, "none", SHORT): {1: 1.0, 2: 2.0, 4: 2.0},
}


def document(seed: int, speed_ups: dict[tuple[str, str, str], dict[int, float]] = SPEED_UPS, **changes: Any) -> Any:
    """A process of three rounds with these speed-ups; the machine is 1 to 3 times slower from round to round."""
    draw = np.random.default_rng(seed)
    slow = draw.uniform(1, 3, 3)
    cells = [
        {
            "call": call,
            "subject": subject,
            "threads": threads,
            "gil": gil,
            "calls": [[int(1e6 * up / drift * draw.lognormal(0, 0.01) / threads)] * threads for drift in slow],
            "ns": [100_000_000] * 3,
            "cpu_ns": [150_000_000] * 3,
        }
        for (subject, gil, call), members in speed_ups.items()
        for threads, up in members.items()
    ]
    part = {
        "subjects": ["a", "b"],
        "gil_enabled": {"at_start": True, "after_imports": True, "at_end": True},
        "rounds": 3,
        "cell_ms": 50.0,
        "cells": cells,
        "void": [],
        "gaps": [{"call": SHORT, "subject": "b", "reason": "always releases it"}],
        "usage": None,
    }
    return {
        "format": 1,
        "interpreter": "cpython-3.13",
        "cpus": 2,
        "threads": [1, 2, 4],
        "switch_interval_s": 0.005,
        "free_threaded": False,
        "switches_gil_on": [],
        "processes": [part],
    } | changes


def write(folder: Path, *documents: Any) -> list[Path]:
    """Files of these processes."""
    paths = [folder / f"{index}.json" for index in range(len(documents))]
    for path, content in zip(paths, documents, strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    return paths


def cell(summary: dict[str, Any], call: str, subject: str, threads: int) -> dict[str, Any]:
    """One cell of a summary."""
    (found,) = [it for it in summary["cells"] if (it["call"], it["subject"], it["threads"]) == (call, subject, threads)]
    return dict(found)


def test_speed_ups_are_paired_within_rounds(tmp_path: Path) -> None:
    """A machine that is three times slower in one round than in another moves no speed-up and no efficiency."""
    summary = summarise(write(tmp_path, *(document(seed) for seed in range(8))))
    found = cell(summary, LONG, "a", 2)
    assert found["speed_up"] == pytest.approx(1.9, rel=0.02)
    assert found["efficiency"] == pytest.approx(0.95, rel=0.02)
    assert found["speed_up_low"] < 1.9 < found["speed_up_high"] < 2.0
    assert found["observations"] == 8
    assert cell(summary, SHORT, "a", 4)["speed_up"] == pytest.approx(0.5, rel=0.02)
    assert summary["interpreters"][0]["over"] == "processes"


def test_one_process_says_that_its_intervals_are_over_rounds(tmp_path: Path) -> None:
    """With a single process there is nothing to infer from but its rounds, and reader and page are told."""
    summary = summarise(write(tmp_path, document(1)))
    assert summary["interpreters"][0]["over"] == "rounds"
    assert cell(summary, LONG, "a", 2)["observations"] == 3
    assert "they do not describe the variation between processes" in markdown(summary)


def test_the_slowest_thread_is_shown() -> None:
    """The share of the slowest thread is what it did over what each would have done: 1 is fair, 0 is starved."""
    content = document(1)
    part = content["processes"][0]
    part["cells"] = [it for it in part["cells"] if it["threads"] == 1] + [
        {**part["cells"][0], "threads": 4, "calls": [[10, 10, 10, 10], [5, 15, 10, 10], [0, 20, 10, 10]]}
    ]
    found, _ = observe(part)
    assert found[(LONG, "a", 4)].share.tolist() == [1.0, 0.5, 0.0]


def test_a_call_that_is_void_once_is_void_everywhere(tmp_path: Path) -> None:
    """A wrong result in one process takes the call out of the summary, with the reason."""
    broken = document(2)
    broken["processes"][0]["void"] = [{"call": LONG, "subject": "a", "reason": "gives a wrong result"}]
    summary = summarise(write(tmp_path, document(1), broken, document(3)))
    assert not [it for it in summary["cells"] if (it["call"], it["subject"]) == (LONG, "a")]
    assert summary["void"] == [
        {"interpreter": "cpython-3.13", "call": LONG, "subject": "a", "reason": "gives a wrong result"}
    ]
    assert "a on cpython-3.13 in idioms.spin_released[100000], gives a wrong result" in markdown(summary)


def test_a_binding_that_keeps_the_gil_is_found_out(tmp_path: Path) -> None:
    """Who says that it releases the GIL, and whose threads still wait for each other, is named; others are not."""
    (found,) = summarise(write(tmp_path, *(document(seed) for seed in range(8))))["interpreters"][0]["findings"]
    assert found.startswith(f"{LONG}: b is said to release the GIL, but 2 threads reach ")


def test_a_binding_that_gives_up_the_gil_is_found_out(tmp_path: Path) -> None:
    """Who says that it holds the GIL in a long call, and scales, is named."""
    held = "idioms.spin_held[100000]"
    ups = {("a", "held", held): {1: 1.0, 2: 1.9}, (NATIVE, "none", held): {1: 1.0, 2: 2.0}}
    documents = [document(seed, ups, threads=[1, 2]) for seed in range(8)]
    (found,) = summarise(write(tmp_path, *documents))["interpreters"][0]["findings"]
    assert "a is said to hold the GIL" in found


def test_nobody_is_judged_on_a_machine_that_gives_nothing(tmp_path: Path) -> None:
    """Where two threads of C are hardly faster than one, the page says so and blames no binding."""
    ups = SPEED_UPS | {(NATIVE, "none", LONG): {1: 1.0, 2: 1.1, 4: 1.1}}
    (found,) = summarise(write(tmp_path, *(document(seed, ups) for seed in range(8))))["interpreters"][0]["findings"]
    assert "only 1.1" in found and "Not judged: " + LONG in found
    alone = summarise(write(tmp_path, document(1, cpus=1)))["interpreters"][0]["findings"]
    assert alone == ["There is only one CPU, or only one thread was measured, so the GIL policies cannot be judged."]


def test_a_binding_measured_apart_has_its_own_ceiling(tmp_path: Path) -> None:
    """On a free-threaded build, who switches the GIL on is compared with the ceiling of its own process."""

    def both(seed: int) -> Any:
        together = document(seed, {k: v for k, v in SPEED_UPS.items() if k[0] != "b"})
        ups = {("b", "released", LONG): {1: 1.0, 2: 1.0}, (NATIVE, "none", LONG): {1: 1.0, 2: 1.0}}
        apart = document(seed + 100, ups)["processes"][0]
        together["processes"].append(apart)
        return together | {"free_threaded": True, "switches_gil_on": ["b"]}

    summary = summarise(write(tmp_path, *(both(seed) for seed in range(5))))
    assert cell(summary, LONG, "b", 2)["efficiency"] == pytest.approx(1.0, rel=0.05)
    assert cell(summary, LONG, NATIVE, 2)["speed_up"] == pytest.approx(2.0, rel=0.05)
    assert "The import of b enables the GIL for the whole process" in markdown(summary)


def test_a_gil_that_comes_on_late_is_told(tmp_path: Path) -> None:
    """Where the GIL was off after the imports and on at the end, the page says that nothing is known."""
    late = document(1, free_threaded=True)
    late["processes"][0]["gil_enabled"] |= {"at_start": False, "after_imports": False}
    assert "during the rounds, by one of a, b" in markdown(summarise(write(tmp_path, late, document(2))))


def test_the_page_has_a_row_for_each_subject_and_call(tmp_path: Path) -> None:
    """Every cell is on the page once; what is not offered is told; a summary of nothing is an empty page."""
    page = markdown(summarise(write(tmp_path, *(document(seed) for seed in range(3)))))
    rows = [line.split("|")[1:3] for line in page.splitlines() if line.startswith("| idioms")]
    assert sorted((call.strip(), subject.strip()) for call, subject in rows) == sorted(
        (call, subject) for subject, _, call in SPEED_UPS
    )
    lengths = {line.count("|") for line in page.splitlines() if line.startswith("|")}
    assert len(lengths) == 1
    assert f"b on cpython-3.13 has no {SHORT}" in page
    assert markdown(summarise([])).strip() == ""


def test_rates_of_the_native_ceiling_are_not_shown(tmp_path: Path) -> None:
    """The ceiling is counted by loops: a reader must not compare its rate with that of calls."""
    page = markdown(summarise(write(tmp_path, document(1), document(2))))
    rows = {tuple(part.strip() for part in line.split("|")[1:5]) for line in page.splitlines() if "| native |" in line}
    assert rows == {(LONG, NATIVE, "", ""), (SHORT, NATIVE, "", "")}
    assert any(" M |" in line for line in page.splitlines() if f"| {LONG} | a |" in line)

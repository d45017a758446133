# SPDX-License-Identifier: Apache-2.0
"""Costs beside speed: from a run's folder to the section of the summary, and to what is shown."""

import json
from pathlib import Path
from typing import Any

import jinja2
import jsonschema
import pytest
from cside_bench.report.costs import Costs
from cside_bench.results import starts
from cside_bench.run.costs import static as static_costs
from cside_bench.summary import costs
from cside_suite.subjects.groups import NOUNS

LABEL = "cpython-3.13"


STARTS = {"quick": [1_000_000, 3_000_000, 2_000_000], "slow": [10_000_000, 30_000_000, 20_000_000]}
"""ns of idioms; codec takes a tenth of it, pkcs11 ten times."""


def process(idioms: int, nouns: tuple[str, ...] = NOUNS) -> dict[str, Any]:
    """What a bare process would print."""
    took = {"idioms": idioms, "codec": idioms // 10, "pkcs11": idioms * 10}
    grown = {"resident_bytes": 2 << 20, "proportional_bytes": 1 << 20, "private_bytes": 512 << 10}
    return {
        "steps": [{"step": noun, "ns": took[noun], "cpu_ns": took[noun], "modules": 2, **grown} for noun in nouns],
        "calls": [{"call": "idioms.noop", "first_ns": 2000, "second_ns": 100}] if "idioms" in nouns else [],
        "modules": ["some", "some.idioms"],
        "modules_before": 30,
        "memory_source": "smaps_rollup",
        "clock_ns": 50,
    }


def start(name: str, idioms: int) -> dict[str, Any]:
    """What `cold.measure` would return."""
    alone = {noun: process(idioms, (noun,)) for noun in NOUNS}
    return {"subject": name, "ns": idioms + idioms // 10, "alone": alone, "together": process(idioms)}


def baseline() -> dict[str, Any]:
    """What `cold.measure` would return for no name."""
    steps = [{"step": "cside_native", "ns": 300_000, "cpu_ns": 300_000, "modules": 2, "private_bytes": 4096}]
    steps.append({"step": "zlib", "ns": 100_000, "cpu_ns": 100_000, "modules": 1, "private_bytes": 0})
    calls = [{"call": "zlib.crc32", "first_ns": 3000, "second_ns": 120}]
    return {"subject": "", "ns": None, "alone": {}, "together": process(1) | {"steps": steps, "calls": calls}}


def static() -> dict[str, Any]:
    """A manifest with the costs of two bindings, one of which did not build."""
    group = {"noun": "idioms", "language": "C", "origin": "written", "files": 2, "lines": 90, "code_lines": 60}
    groups = [
        group,
        group | {"noun": "pkcs11", "origin": "generated", "code_lines": 500},
        group | {"noun": "variants", "code_lines": 7},
        group | {"noun": "tests", "code_lines": 8},
    ]
    wheel = {
        "file": "quick-1-cp313-cp313-linux_x86_64.whl",
        "kind": "per version",
        "build_seconds": 4.0,
        "wheel_bytes": 20 << 10,
        "unpacked_bytes": 60 << 10,
        "compiled_bytes": 50 << 10,
        "stripped_bytes": 30 << 10,
        "stripped_reason": None,
        "variants_bytes": 0,
        "variants_compiled": 0,
    }
    build = {
        "clean_seconds": [6.0, 5.0, 9.0],
        "clean_cpu_seconds": [4.0, 4.5, 4.2],
        "rebuild_seconds": [2.0],
        "rebuild_cpu_seconds": [None],
        "rebuild_edited": "csrc/big.c",
        "variants_compiled": 0,
        "written_by_tools": [{"file": "core_wrap.c", "language": "C", "lines": 2000, "bytes": 1 << 20}],
    }
    rows = [
        {"interpreter": LABEL, "wheel": "cp313-cp313-linux_x86_64", "evidence": "built"},
        {"interpreter": "cpython-3.12", "wheel": "one of its own (cpython-3.12)", "evidence": "assumed"},
        {"interpreter": "cpython-3.14t", "wheel": None, "evidence": "does not declare free-threading"},
    ]
    quick = {
        "distribution": "cside-quick",
        "lines": {"groups": groups, "files": []},
        "build": build,
        "wheels": {LABEL: wheel},
        "coverage": {"wheels": 2, "interpreters": 2, "of_interpreters": 3, "kinds": ["per version"], "rows": rows},
        "requirements": {"build": ["maker>=1"], "build_tools": ["a C compiler"], "run": [], "python": ">=3.11"},
        "reasons": {},
    }
    nothing = dict.fromkeys(("lines", "build", "coverage", "requirements"))
    slow = {"distribution": "cside-slow", "wheels": {}, "reasons": {"build": "exit code 1"}, **nothing}
    found = {"reason": None, "counter": "pygount 3.2", "interpreter": LABEL, "bindings": {"quick": quick, "slow": slow}}
    return {"costs": found}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of three blocks; in the last, the slow one failed."""
    (tmp_path / starts.COLD_FOLDER).mkdir()
    for block in range(3):
        entries = [baseline(), *(start(name, values[block]) for name, values in STARTS.items())]
        if block == 2:
            entries[-1] = {"subject": "slow", "failed": "exit code 3: it printed nothing"}
        path = tmp_path / starts.COLD_FOLDER / f"{LABEL}-{block:02d}.json"
        path.write_text(json.dumps(entries), encoding="utf-8")
    (tmp_path / starts.STATIC_FILE).write_text(json.dumps(static()["costs"]), encoding="utf-8")
    return tmp_path


def entry(section: dict[str, Any], subject: str) -> dict[str, Any]:
    """The start of one subject."""
    (found,) = [each for each in section["cold"] if each["subject"] == subject]
    return dict(found)


def test_numbers_are_medians_with_their_range(folder: Path) -> None:
    """Over processes, each noun alone, and all of them in one."""
    found = entry(costs.collect(folder), "quick")["import_ns"]
    assert found["idioms"] == {"median": 2e6, "low": 1e6, "high": 3e6, "processes": 3}
    assert found["together"]["median"] == 2e6 + 2e5 + 2e7


def test_memory_and_modules_of_all_nouns_add_up(folder: Path) -> None:
    """The sum over nouns is the sum of their steps."""
    found = entry(costs.collect(folder), "quick")
    assert found["grown_private_bytes"]["together"]["median"] == 3 * (512 << 10)
    assert found["modules"]["together"]["median"] == 6
    assert found["first_call_ns"]["idioms.noop"]["median"] == 2000


def test_a_failed_process_is_told_and_not_counted(folder: Path) -> None:
    """Of three processes two are counted, and the third is named as failed."""
    found = entry(costs.collect(folder), "slow")
    assert found["processes"] == 2
    assert found["import_ns"]["idioms"]["processes"] == 2
    assert found["failed"] == ["exit code 3: it printed nothing"]


def test_a_noun_that_a_binding_leaves_out_has_no_number_and_its_reason(folder: Path) -> None:
    """Alone it is not measured, and together the others are."""
    path = folder / starts.COLD_FOLDER / f"{LABEL}-00.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    nouns = ("idioms", "codec")
    part = start("part", 1_000_000) | {"missing": {"pkcs11": "there is no such module"}}
    part["together"], part["alone"] = process(1_000_000, nouns), {noun: part["alone"][noun] for noun in nouns}
    path.write_text(json.dumps([*entries, part]), encoding="utf-8")
    section = costs.collect(folder)
    found = entry(section, "part")
    assert found["import_ns"]["pkcs11"] is None
    assert found["import_ns"]["together"]["median"] == 1_100_000
    assert found["reasons"] == ["pkcs11: there is no such module"]
    assert f"part on {LABEL}: pkcs11: there is no such module" in Costs(section).reasons()


def test_a_reader_can_subtract_what_bindings_rest_on(folder: Path) -> None:
    """The baseline has an entry of its own, whose figures are its steps."""
    found = entry(costs.collect(folder), "")
    assert found["import_ns"]["cside_native"]["median"] == 300_000
    assert found["first_call_ns"]["zlib.crc32"]["processes"] == 3


def test_the_workload_import_is_idioms_and_codec(folder: Path) -> None:
    """One number a block and name, in the order of blocks, so that ratios pair; none for the baseline."""
    found = starts.import_times(folder)[LABEL]
    assert found.keys() == STARTS.keys()
    assert found["quick"] == [1_100_000, 3_300_000, 2_200_000]
    assert found["slow"][:2] == [11_000_000, 33_000_000]
    assert found["slow"][2] != found["slow"][2]


def test_builds_are_medians_too(folder: Path) -> None:
    """A build that was not measured is null, and the reason stands beside it."""
    quick, slow = costs.collect(folder)["bindings"]
    assert quick["clean_build_s"] == {"median": 6.0, "low": 5.0, "high": 9.0, "builds": 3}
    assert quick["rebuild_cpu_s"] is None
    assert slow["clean_build_s"] is None
    assert slow["reasons"] == {"build": "exit code 1"}


def test_without_a_build_the_static_costs_have_a_reason(folder: Path) -> None:
    """A run that nox did not start measures starts all the same."""
    (folder / starts.STATIC_FILE).unlink()
    static_costs.keep({"interpreters": []}, folder, print, with_builds=True)
    section = costs.collect(folder)
    assert section["bindings"] == []
    assert section["static_reason"] == starts.NOT_BUILT_HERE
    assert section["cold"]
    assert starts.NOT_BUILT_HERE in Costs(section).reasons()


def test_a_run_that_has_measured_nothing_yet_says_so(tmp_path: Path) -> None:
    """An older run, drawn again, has no such files."""
    section = costs.collect(tmp_path)
    assert section["cold_reason"]
    assert section["static_reason"]


def test_the_schema_stands_inside_of_another(folder: Path) -> None:
    """The summary's schema refuses a costs section that lacks a field."""
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"costs": costs.schema()}}
    section = costs.collect(folder)
    jsonschema.validate({"costs": section}, whole)
    del entry(section, "quick")["import_ns"]["idioms"]["low"]
    with pytest.raises(jsonschema.ValidationError, match="low"):
        jsonschema.validate({"costs": section}, whole)


def test_lines_leave_out_variants_and_tests(folder: Path) -> None:
    """Lines of variants and tests are not counted for a binding."""
    quick, slow = Costs(costs.collect(folder)).lines()
    assert quick[:6] == ["quick", "60", "—", "0", "0", "60"]
    assert quick[7:] == ["500", "2,000 (1 MiB)"]
    assert set(slow[1:]) == {"—"}


def test_the_page_shows_each_cost(folder: Path) -> None:
    """The page shows each cost with its range, its reasons, and what is only assumed."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cside_bench.report"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    text = environment.get_template("_costs.md.j2").render(costs=Costs(costs.collect(folder)))
    for part in (
        "slow: build: exit code 1",
        "slow on cpython-3.13: exit code 3",
        "6 (5 to 9), n = 3",
        "`csrc/big.c`",
        "2 for 2 of 3",
        "assumed: cpython-3.12",
        "no wheel for cpython-3.14t: does not declare free-threading",
        "| quick | 2 (1 to 3) | 0.2 (0.1 to 0.3) | 20 (10 to 30) |",
        "| cside_native | 0.3 | 4 KiB | 2 | — |",
    ):
        assert part in text
    widths = {line.count("|") for line in text.splitlines() if line.startswith("| quick | 2 (1") or "CPU ms |" in line}
    assert len(widths) == 1


def test_a_binding_that_leaves_out_a_noun_is_said_to_be_smaller() -> None:
    """Its table has a dash for the noun and no zero, and a sentence says what its other costs are of."""
    both = [{"noun": noun, "language": "C", "origin": "written", "code_lines": 10} for noun in ("idioms", "codec")]
    whole = [*both, {"noun": "pkcs11", "language": "C", "origin": "written", "code_lines": 10}]
    plain = {"written_by_tools": None, "reasons": {}}
    bindings = [{"binding": "part", "lines": both, **plain}, {"binding": "whole", "lines": whole, **plain}]
    bindings.append({"binding": "uncounted", "lines": None, **plain})
    found = Costs({"bindings": bindings, "cold": [], "static_reason": None})
    part, complete, uncounted = found.lines()
    assert part[:6] == ["part", "10", "10", "—", "0", "20"]
    assert complete[:6] == ["whole", "10", "10", "10", "0", "30"]
    assert uncounted[1:6] == ["—"] * 5
    (sentence,) = found.smaller()
    assert sentence.startswith("part leaves out pkcs11: its lines, builds")

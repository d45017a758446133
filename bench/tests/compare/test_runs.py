# SPDX-License-Identifier: Apache-2.0
"""``cside compare``: what changed between two runs whose truth is known."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cside_bench.cli.commands.compare import command
from cside_bench.compare.agreement import agreement
from cside_bench.compare.conditions import differences, same_machine
from cside_bench.report.compare import percent
from cside_bench.results.selection import NoRun, Selection, find_run
from synthetic_run import LABEL, MACHINE, NS, WORKLOADS, write, write_counts, write_run

SLOWED = ("idioms.w03", "cffi")


def compare(results: Path, *arguments: str) -> Result:
    """``cside compare base other`` on the runs of a folder."""
    return CliRunner().invoke(command, ["base", "other", "--results", str(results), *arguments])


def plain(results: Path, *arguments: str) -> dict[str, Any]:
    """What ``--json`` prints."""
    done = compare(results, "--json", *arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return dict(json.loads(done.stdout))


def cell(document: dict[str, Any], workload: str, subject: str) -> dict[str, Any]:
    """One cell of the only interpreter."""
    (entry,) = document["interpreters"]
    return next(it for it in entry["cells"] if (it["workload"], it["subject"]) == (workload, subject))


def verdicts(document: dict[str, Any], kind: str) -> list[str]:
    """Of all changes of a kind."""
    return [it[kind]["verdict"] for entry in document["interpreters"] for it in entry["cells"] if it[kind]]


def test_two_runs_of_the_same_code_agree(tmp_path: Path) -> None:
    """Nothing is called faster or slower, most ratios are called equivalent, and the gate lets it pass."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2)
    found = plain(tmp_path)
    assert {"faster", "slower"}.isdisjoint(verdicts(found, "ratio") + verdicts(found, "time"))
    assert verdicts(found, "ratio").count("equivalent") > 0.9 * len(verdicts(found, "ratio"))
    done = compare(tmp_path, "--fail-over", "2%")
    assert done.exit_code == 0, done.output
    assert "no cell of a binding is slower by more than 2" in done.output


def test_a_cell_that_is_ten_percent_slower_is_found(tmp_path: Path) -> None:
    """It and no other, with stars; ``--fail-over 2%`` exits with 1 and names it, ``--fail-over 20%`` does not."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={SLOWED: 1.10})
    found = plain(tmp_path)
    change = cell(found, *SLOWED)["ratio"]
    assert change["verdict"] == "slower"
    assert change["value"] == pytest.approx(1.10, rel=0.01)
    assert change["adjusted_low"] < change["low"] < change["value"] < change["high"] < change["adjusted_high"]
    assert change["stars"]
    assert verdicts(found, "ratio").count("slower") == 1
    done = compare(tmp_path, "--fail-over", "2%")
    assert done.exit_code == 1
    assert f"{LABEL} {SLOWED[0]} {SLOWED[1]}: ratio +" in done.output.partition("slower by more than 2 %: 1 cell")[2]
    assert compare(tmp_path, "--fail-over", "20").exit_code == 0


def test_a_shift_of_the_whole_machine_is_not_taken_for_a_change(tmp_path: Path) -> None:
    """Where code that is the same in both runs moved by 15 %, times that moved as far get no verdict; ratios do."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, everything=1.15, effects={SLOWED: 1.10})
    found = plain(tmp_path)
    (entry,) = found["interpreters"]
    assert entry["shift"]["median"] == pytest.approx(1.15, rel=0.06)
    assert entry["time_margin"] > 0.08
    assert "slower" not in verdicts(found, "time")
    assert verdicts(found, "ratio").count("slower") == 1
    (entry,) = plain(tmp_path, "--fail-over", "2%")["interpreters"]
    assert entry["over"] == [{"workload": SLOWED[0], "subject": SLOWED[1], "by": "ratio"}]


def test_runs_of_two_machines_are_compared_in_ratios_only(tmp_path: Path) -> None:
    """No time is compared; a changed ratio is found all the same; the output says by what it tells machines apart."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, everything=3.0, effects={SLOWED: 1.10}, machine={"cpu": "another"})
    found = plain(tmp_path)
    assert found["same_machine"] is False
    assert all(it["time"] is None for it in found["interpreters"][0]["cells"])
    assert cell(found, *SLOWED)["ratio"]["verdict"] == "slower"
    output = " ".join(compare(tmp_path).output.split())
    assert "Two machines" in output
    assert "ratios only, no times" in output
    assert {"what": "processor", "base": "a CPU", "other": "another"} in found["differences"]


def test_another_build_of_an_interpreter_is_compared_in_ratios_only(tmp_path: Path) -> None:
    """The same version with other flags is another interpreter."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, facts={"pgo": False})
    (entry,) = plain(tmp_path)["interpreters"]
    assert entry["times_compared"] is False
    assert all(it["time"] is None for it in entry["cells"])
    assert "another build" in compare(tmp_path).output


def test_a_faster_reference_makes_no_other_binding_slower(tmp_path: Path) -> None:
    """Ratios to it grow, but the gate goes by times where the reference's own time changed."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={("idioms.w05", "cext"): 0.6})
    assert cell(plain(tmp_path), "idioms.w05", "cffi")["ratio"]["verdict"] == "slower"
    for chosen in ((), ("--binding", "cffi")):
        done = compare(tmp_path, "--fail-over", "2%", *chosen)
        assert done.exit_code == 0, done.output


def test_a_slower_reference_is_over_by_its_time(tmp_path: Path) -> None:
    """Its own ratio is always 1: only the time can tell, and only the reference is blamed."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={("idioms.w05", "cext"): 1.5})
    (entry,) = plain(tmp_path, "--fail-over", "2%")["interpreters"]
    assert entry["over"] == [{"workload": "idioms.w05", "subject": "cext", "by": "time"}]


def test_the_quick_tier_gets_numbers_and_no_verdicts(tmp_path: Path) -> None:
    """The output says so, and a gate on it is refused instead of passed."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={SLOWED: 1.10}, tier="quick", processes=3)
    found = plain(tmp_path)
    assert set(verdicts(found, "ratio") + verdicts(found, "time")) == {"none"}
    assert cell(found, *SLOWED)["ratio"]["value"] == pytest.approx(1.10, rel=0.02)
    assert "tier quick gives no verdicts" in compare(tmp_path).output
    gate = compare(tmp_path, "--fail-over", "2%")
    assert gate.exit_code == 2
    assert "cannot judge cpython-3.13" in gate.output


def test_a_run_that_is_not_trustworthy_gets_no_verdicts(tmp_path: Path) -> None:
    """What the check that failed says is told; checks that passed or only inform are not."""
    checks = [
        {"name": "twin", "passed": True, "decides": True, "says": "It is as it should be."},
        {"name": "delayed", "passed": False, "decides": True, "says": "A delay is missed."},
        {"name": "relinked", "passed": False, "decides": False, "says": "Layout matters."},
    ]
    write_run(tmp_path / "base", 1, trustworthy=False, checks=checks)
    write_run(tmp_path / "other", 2, trustworthy=True, checks=checks[:1])
    found = plain(tmp_path)
    assert set(verdicts(found, "ratio")) == {"none"}
    doubts = found["interpreters"][0]["doubts"]
    assert doubts == {"base": ["it failed its own checks. A delay is missed"], "other": []}
    assert "A delay is missed." in " ".join(compare(tmp_path).output.split())


def test_what_only_one_run_has_is_listed(tmp_path: Path) -> None:
    """An interpreter, a binding and a void cell are neither compared nor dropped."""
    write_run(tmp_path / "base", 1, labels=(LABEL, "pypy-3.11"))
    fewer = {name: ns for name, ns in NS.items() if name != "swig"} | {"new": 60.0}
    write_run(tmp_path / "other", 2, subjects=fewer, void=(("idioms.w00", "cffi", "unequal work"),))
    found = plain(tmp_path)
    assert {"interpreter": "pypy-3.11", "subject": None, "workloads": None} in found["only_in"]["base"]
    assert {"interpreter": LABEL, "subject": "swig", "workloads": list(WORKLOADS)} in found["only_in"]["base"]
    assert found["only_in"]["other"] == [{"interpreter": LABEL, "subject": "new", "workloads": list(WORKLOADS)}]
    assert found["interpreters"][0]["void"] == [{"workload": "idioms.w00", "subject": "cffi", "other": "unequal work"}]
    output = compare(tmp_path).output
    assert "pypy-3.11" in output.partition("In one run only")[2]
    assert "unequal work" in output.partition("Void")[2]


def test_the_family_is_what_was_asked_for_and_its_size_is_told(tmp_path: Path) -> None:
    """Fewer comparisons give narrower intervals, and the note says how many chance alone would call different."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2)
    everything, one = plain(tmp_path), plain(tmp_path, "--only", SLOWED[0], "--binding", SLOWED[1])
    facts = everything["interpreters"][0]["comparisons"]["ratio"]
    assert facts["cells"] == len(WORKLOADS) * (len(NS) - 1)
    assert facts["expected_by_chance"] == pytest.approx(0.05 * facts["cells"])
    assert one["interpreters"][0]["comparisons"]["ratio"]["cells"] == 1
    wide, narrow = (cell(it, *SLOWED)["ratio"] for it in (everything, one))
    assert narrow["adjusted_high"] / narrow["adjusted_low"] < wide["adjusted_high"] / wide["adjusted_low"]
    assert "60 comparisons. Without adjustment, chance alone would call some 3 " in " ".join(
        compare(tmp_path).output.split()
    )


def test_a_binding_stands_for_its_variants(tmp_path: Path) -> None:
    """``--binding cffi`` selects cffi.abi, and ``--python`` an interpreter, by any of its names."""
    chosen = Selection(pythons=("3.13",), bindings=("cffi",), only=("crc32",))
    assert chosen.cell("codec.crc32[16]", "cffi.abi")
    assert not chosen.cell("codec.crc32[16]", "cext")
    assert not chosen.cell("codec.adler32[16]", "cffi")
    assert chosen.interpreter("cpython-3.13")
    assert not chosen.interpreter("pypy-3.13")
    assert chosen.words() == "--python 3.13 --binding cffi --only crc32"


def test_counts_are_compared_exactly(tmp_path: Path) -> None:
    """Three percent more instructions are over 2 %, one percent is not; references are not judged."""
    workload = WORKLOADS[0]
    base = {(workload, "cext"): 1000.0, (workload, "cffi"): 1000.0, (workload, "stdlib"): 1000.0}
    for name, cells in (("base", base), ("other", {**base, (workload, "cffi"): 1030.0, (workload, "cext"): 1010.0})):
        write(make(tmp_path / name) / "run.json", {"tier": "default", "seed": 1, "reference": "cext"} | LIBRARY)
        write_counts(tmp_path / name, cells | ({(workload, "stdlib"): 2000.0} if name == "other" else {}))
    done = compare(tmp_path, "--fail-over", "2%")
    assert done.exit_code == 1, done.output
    assert f"{workload} cffi: instructions +3.0 %" in done.output
    (entry,) = plain(tmp_path, "--fail-over", "2%")["counted"]
    assert entry["over"] == [{"workload": workload, "subject": "cffi", "by": "instructions"}]
    assert next(it["ratio"] for it in entry["cells"] if it["subject"] == "cext") == 1.01
    assert compare(tmp_path, "--fail-over", "5%").exit_code == 0


LIBRARY = {"library_sha256": "0" * 64}


def make(folder: Path) -> Path:
    """A new folder."""
    folder.mkdir()
    return folder


def test_counts_of_two_versions_of_a_tool_are_not_judged(tmp_path: Path) -> None:
    """They are shown; the gate is refused; an unstable count needs its own spread on top of the limit."""
    cells = {(WORKLOADS[0], "cffi"): 1000.0}
    for name in ("base", "other"):
        write(make(tmp_path / name) / "run.json", {"tier": "default", "seed": 1, "reference": "cext"} | LIBRARY)
    write_counts(tmp_path / "base", cells)
    write_counts(tmp_path / "other", dict.fromkeys(cells, 1100.0), version="3.23")
    refused = compare(tmp_path, "--fail-over", "2%")
    assert refused.exit_code == 2
    assert "callgrind 3.22 and callgrind 3.23" in " ".join(refused.output.split())
    write_counts(tmp_path / "other", dict.fromkeys(cells, 1100.0), stable=False, spread=0.2)
    assert compare(tmp_path, "--fail-over", "2%").exit_code == 0
    write_counts(tmp_path / "other", dict.fromkeys(cells, 1100.0), stable=False, spread=0.05)
    assert compare(tmp_path, "--fail-over", "2%").exit_code == 1


def summary(*cells: tuple[str, str, float]) -> dict[str, Any]:
    """A summary with these subjects, verdicts and ratios, all of one workload."""
    return {
        "cells": [
            {"interpreter": LABEL, "workload": "w", "binding": subject.partition(".")[0]}
            | {"variant": subject.partition(".")[2], "verdict": verdict, "ratio": ratio}
            for subject, verdict, ratio in cells
        ]
    }


def test_agreement_counts_verdicts_that_turn_round() -> None:
    """Faster against slower, or a ratio beyond 1, turns round; equivalent retracts; inconclusive is undecided."""
    base = summary(
        ("a", "slower", 1.2),
        ("b", "slower", 1.2),
        ("c", "inconclusive", 0.98),
        ("d", "slower", 1.1),
        ("e", "slower", 1.1),
        ("f", "equivalent", 1.0),
        ("stdlib", "faster", 0.5),
        ("gone", "slower", 1.2),
        ("quick", "none", 1.2),
    )
    other = summary(
        ("a", "slower", 1.3),
        ("b", "faster", 0.9),
        ("c", "slower", 1.05),
        ("d", "equivalent", 1.01),
        ("e", "inconclusive", 1.04),
        ("f", "inconclusive", 1.0),
        ("stdlib", "faster", 0.5),
        ("quick", "slower", 1.2),
    )
    found = agreement(base, other, Selection())
    own = found["bindings"]
    assert (own["cells"], own["directed"]) == (6, 5)
    assert (own["kept"], own["turned"], own["retracted"], own["undecided"]) == (1, 2, 1, 1)
    assert own["share_turned"] == pytest.approx(0.4)
    assert own["agrees"] is False
    assert own["counts"]["slower"] == {"faster": 1, "equivalent": 1, "inconclusive": 1, "slower": 1}
    assert {it["subject"] for it in own["turned_cells"]} == {"b", "c"}
    assert (found["all"]["directed"], found["all"]["kept"]) == (6, 2)


def test_agreement_of_nothing_is_no_agreement() -> None:
    """Without a faster or slower in either run there is no share, and no claim."""
    own = agreement(summary(("a", "equivalent", 1.0)), summary(("a", "equivalent", 1.0)), Selection())["bindings"]
    assert own["share_turned"] is None
    assert own["agrees"] is None


def test_agreement_is_shown(tmp_path: Path) -> None:
    """The table and the share stand in the terminal's output and in the Markdown."""
    for seed, name in enumerate(("base", "other")):
        folder = write_run(tmp_path / name, seed)
        document = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        verdict, ratio = ("slower", 1.2) if name == "base" else ("faster", 0.8)
        document |= summary(("cffi", verdict, ratio), ("swig", "slower", 1.5))
        write(folder / "summary.json", document)
    done = compare(tmp_path, "--markdown", str(tmp_path / "c.md"))
    for text in (done.output, (tmp_path / "c.md").read_text(encoding="utf-8")):
        assert "Of 2 cells that are faster or slower in either run, 1 turned round (50 %" in " ".join(text.split())
        assert "turned: cpython-3.13 w cffi: slower (1.2), then faster (0.8)" in " ".join(text.split())


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


def test_json_has_standard_output_for_itself(tmp_path: Path) -> None:
    """It parses whole, also beside a gate that fails, and holds no NaN."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2, effects={SLOWED: 1.5})
    done = compare(tmp_path, "--json", "--fail-over", "2%", "--markdown", str(tmp_path / "c.md"))
    assert done.exit_code == 1

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found = json.loads(done.stdout, parse_constant=refuse)
    assert found["exceeded"] is True
    assert found["fail_over"] == 0.02


def test_the_terminal_output_fits_a_hundred_columns(tmp_path: Path) -> None:
    """Whatever the names are."""
    write_run(tmp_path / "base", 1, void=(("idioms.w00", "cffi", "a reason " * 30),))
    write_run(tmp_path / "other", 2, effects=dict.fromkeys(((it, "swig") for it in WORKLOADS), 1.3))
    done = compare(tmp_path, "--fail-over", "2%")
    assert max(map(len, done.output.splitlines())) <= 100
    assert done.output.count("swig") > 10


def test_markdown_has_every_cell_and_nothing_unrendered(tmp_path: Path) -> None:
    """One row per cell, tables of equal width."""
    write_run(tmp_path / "base", 1)
    write_run(tmp_path / "other", 2)
    assert compare(tmp_path, "--markdown", str(tmp_path / "c.md"), "--fail-over", "2%").exit_code == 0
    text = (tmp_path / "c.md").read_text(encoding="utf-8")
    assert "{{" not in text
    assert "{%" not in text
    for workload in WORKLOADS:
        for subject in NS:
            assert text.count(f"| {workload} | {subject} |") == 1
    for table in text.split("\n\n"):
        rows = [line for line in table.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in rows}) <= 1, table


def test_wrong_usage_exits_with_2_and_says_why(tmp_path: Path) -> None:
    """A run that is not there, a limit that is no percentage, and runs with nothing in common; no traceback."""
    write_run(tmp_path / "base", 1)
    nowhere = compare(tmp_path)
    assert nowhere.exit_code == 2
    assert "other is no run" in nowhere.output
    assert "there are: base" in nowhere.output
    write_run(tmp_path / "other", 2)
    for limit in ("much", "-1%", "nan"):
        assert compare(tmp_path, "--fail-over", limit).exit_code == 2
    nothing = compare(tmp_path, "--only", "nothing")
    assert nothing.exit_code == 2
    assert "no cell in common of what --only nothing selects" in nothing.output


def test_a_run_is_found_by_name_by_link_and_by_path(tmp_path: Path) -> None:
    """All three name the same folder."""
    folder = write_run(tmp_path / "results" / "20261121-120000", 1, processes=2).resolve()
    (tmp_path / "results" / "latest").symlink_to(folder.name)
    for name in ("20261121-120000", "latest", str(folder)):
        assert find_run(tmp_path / "results", name) == folder
    with pytest.raises(NoRun, match="there are: 20261121-120000"):
        find_run(tmp_path / "results", "nothing")


def test_help_teaches_by_example_and_documents_exit_codes() -> None:
    """Examples can be copied, and each exit code has its meaning."""
    text = CliRunner().invoke(command, ["--help"]).output
    assert "latest --fail-over 2%" in text
    assert "Exit codes: 0 compared" in text


@pytest.mark.parametrize(
    ("ratio", "text"), [(None, "—"), (1.0, "+0.0 %"), (0.905, "-9.5 %"), (12.0, "12x"), (1e9, "> 1000x")]
)
def test_changes_are_told_in_percent(ratio: float | None, text: str) -> None:
    """With a sign; as a factor where a percentage would not be read."""
    assert percent(ratio) == text

# SPDX-License-Identifier: Apache-2.0
"""The rule that decides a claim, ratios, and ``claims.json``."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cside_bench.claims.catalogue import Catalogue
from cside_bench.claims.judging import combined, judge, needed, write
from cside_bench.results.evidence import Run
from cside_suite.subjects.names import subject_of
from kept_run import write_kept_run
from synthetic_claims import (
    BOUNDED,
    CPYTHON,
    ONE,
    PARTIAL,
    PROCESSES,
    PYPY,
    TWO,
    WORKLOADS,
    a_run,
    entry,
    judged,
    mixed,
    near,
)


@pytest.mark.parametrize(
    ("against", "unclear", "verdict"),
    [(0, 0, "confirmed"), (2, 0, "confirmed"), (0, 2, "confirmed"), (3, 0, "refuted"), (2, 1, "undecided")],
)
def test_three_quarters_confirm_and_only_what_is_out_of_reach_refutes(
    tmp_path: Path, against: int, unclear: int, verdict: str
) -> None:
    """Of eight cells six are needed: unclear ones count for neither side, until they cannot help any more."""
    found = judged(a_run(tmp_path / "run", mixed(against, unclear)), entry())
    assert found["verdict"] == verdict
    assert found["counts"] == {"for": 8 - against - unclear, "against": against, "unclear": unclear}


def test_unclear_cells_alone_never_decide(tmp_path: Path) -> None:
    """Where every interval spans the threshold, nothing is confirmed and nothing refuted."""
    assert judged(a_run(tmp_path / "run", mixed(0, 8)), entry())["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("rows", "share", "least"), [(8, 0.75, 6), (9, 0.75, 7), (1, 0.5, 1), (3, 1.0, 3), (7, 0.5, 4)]
)
def test_a_share_is_rounded_up(rows: int, share: float, least: int) -> None:
    """A share is met by no fewer cells than it says, and by one at least."""
    assert needed(rows, share) == least


@pytest.mark.parametrize(
    ("verdicts", "every", "some"),
    [
        (["confirmed", "refuted"], "refuted", "confirmed"),
        (["confirmed", "undecided"], "undecided", "confirmed"),
        (["refuted", "undecided"], "refuted", "undecided"),
        (["confirmed", "confirmed"], "confirmed", "confirmed"),
        (["refuted", "refuted"], "refuted", "refuted"),
    ],
)
def test_interpreters_are_combined_as_the_hypothesis_says(verdicts: list[str], every: str, some: str) -> None:
    """On every interpreter: one that refutes is enough. On any: one that confirms is."""
    assert combined(verdicts, "every") == every
    assert combined(verdicts, "any") == some


@pytest.mark.parametrize(
    ("direction", "factor", "bounded", "side"),
    [
        ("slower", None, (1.05, 1.03, 1.07), "for"),
        ("slower", None, (1.05, 1.0299, 1.07), "unclear"),
        ("slower", None, (1.01, 0.99, 1.029), "against"),
        ("faster", None, (0.95, 0.94, 0.97), "for"),
        ("faster", None, (0.95, 0.94, 0.98), "unclear"),
        ("faster", None, (1.0, 0.98, 1.02), "against"),
        ("equivalent", 1.5, (1.2, 1 / 1.5, 1.5), "for"),
        ("equivalent", 1.5, (1.4, 1.2, 1.51), "unclear"),
        ("equivalent", 1.5, (1.7, 1.6, 1.8), "against"),
        ("equivalent", 1.5, (0.5, 0.4, 0.6), "against"),
        ("at-least-factor", 2.0, (2.2, 2.0, 2.4), "for"),
        ("at-least-factor", 2.0, (2.2, 1.99, 2.4), "unclear"),
        ("at-least-factor", 2.0, (1.5, 1.4, 1.99), "against"),
        ("at-most-factor", 1.1, (1.0, 0.9, 1.09), "for"),
        ("at-most-factor", 1.1, (1.0, 0.9, 1.1), "unclear"),
        ("at-most-factor", 1.1, (1.2, 1.1, 1.3), "against"),
    ],
)
def test_a_cell_takes_a_side_only_with_its_whole_interval(
    tmp_path: Path, direction: str, factor: float | None, bounded: BOUNDED, side: str
) -> None:
    """The adjusted interval has to lie beyond the threshold altogether, to either side of it."""
    run = a_run(tmp_path / "run", {CPYTHON: {"idioms.w0": bounded}})
    fields: dict[str, Any] = {"direction": direction} | ({} if factor is None else {"factor": factor})
    found = judged(run, entry("ratio", **fields))
    assert found["evidence"][0]["supports"] == side
    assert found["evidence"][0]["ratio"] == pytest.approx(bounded[0], rel=1e-4)


def test_a_run_that_is_not_trustworthy_decides_nothing_about_time(tmp_path: Path) -> None:
    """The numbers stand, the verdict is undecided, and the check that failed is named."""
    found = judged(a_run(tmp_path / "run", trustworthy=False), entry())
    assert found["verdict"] == "undecided"
    assert found["counts"]["for"] == 8
    assert "Indicative only" in found["why"] and "drift" in found["why"] and "8 of 8" in found["why"]


def test_a_run_without_verdicts_decides_nothing_about_time(tmp_path: Path) -> None:
    """Too few processes: indicative, with the reason."""
    found = judged(a_run(tmp_path / "run", tier="quick", trustworthy=None), entry())
    assert found["verdict"] == "undecided"
    assert "quick tier" in found["why"]


def test_an_isolated_run_decides(tmp_path: Path) -> None:
    """A ratio of processes is as good as one within a process, once the run trusts itself."""
    assert judged(a_run(tmp_path / "run", isolated=True), entry())["verdict"] != "undecided"


def test_one_trustworthy_interpreter_can_refute_for_all(tmp_path: Path) -> None:
    """What has to hold on every interpreter is refuted by one on which the run can be trusted, whatever the others."""
    run = a_run(tmp_path / "run", {**mixed(8, 0), **mixed(0, 0, PYPY)})
    run._interpreters[PYPY]["trustworthy"] = False
    found = judged(run, entry())
    assert found["verdict"] == "refuted"
    assert judged(run, entry(where="any"))["verdict"] == "undecided"


def test_a_claim_about_an_interpreter_that_was_not_measured_is_untestable(tmp_path: Path) -> None:
    """The reason names the interpreter that is wanted, those that were measured, and the command to run."""
    content = entry(interpreters=["pypy-*"]).replace(
        'text = "It', 'run = "nox -s bench -- --python pypy3.11"\ntext = "It'
    )
    found = judged(a_run(tmp_path / "run"), content)
    assert found["verdict"] == "untestable"
    assert "pypy-*" in found["why"] and CPYTHON in found["why"] and "--python pypy3.11" in found["why"]
    assert found["evidence"] == []


def test_a_claim_whose_cells_are_not_there_is_untestable(tmp_path: Path) -> None:
    """No cell is no evidence, neither for nor against."""
    assert judged(a_run(tmp_path / "run"), entry(workloads=["codec.*"]))["verdict"] == "untestable"


def test_exceptions_and_sets_choose_the_cells(tmp_path: Path) -> None:
    """A set is named by @ and has exceptions of its own; a claim may leave out more. Brackets are escaped."""
    ratios = {CPYTHON: dict.fromkeys([*WORKLOADS, "idioms.w1[16]"], (2.0, 1.9, 2.1))}
    sets = '[sets.some]\nsays = "some calls"\nworkloads = ["idioms.w*"]\nexcept = ["idioms.w[4567]", "*[[]16]"]\n'
    rest: dict[str, Any] = {"except": ["idioms.w0"]}
    found = judged(a_run(tmp_path / "run", ratios), sets + entry("ratio", workloads=["@some"], **rest))
    assert [row["workload"] for row in found["evidence"]] == ["idioms.w1", "idioms.w2", "idioms.w3"]
    assert "of some calls, without idioms.w0" in found["hypothesis"]


def test_a_pair_that_the_run_did_not_compare_is_composed_from_its_processes(tmp_path: Path) -> None:
    """A partial variant is compared with its own binding within each process, adjusted for the run's comparisons."""
    base = [100.0 * (1 + 0.1 * number) for number in range(PROCESSES)]  # processes differ, ratios do not
    noise = [1 + 0.001 * (-1) ** number for number in range(PROCESSES)]
    times = {ONE: base, PARTIAL: [1.5 * it * wobble for it, wobble in zip(base, noise, strict=True)]}
    run = a_run(tmp_path / "run", ns={"idioms.knob": {**times, TWO: base}})
    (row,) = judged(run, entry(subject=PARTIAL, against=ONE, workloads=["idioms.knob"]))["evidence"]
    assert row["ratio"] == pytest.approx(1.5, rel=1e-3)
    assert 1.49 < row["low"] < row["high"] < 1.51
    assert row["supports"] == "for"


@pytest.mark.parametrize(("measured", "verdict"), [(4, "confirmed"), (3, "untestable")])
def test_a_pair_with_less_than_half_of_the_workloads_is_no_evidence(
    tmp_path: Path, measured: int, verdict: str
) -> None:
    """A claim about eight calls is not judged by three of them, however clear these are."""
    lacks = tuple((CPYTHON, name) for name in WORKLOADS[measured:])
    found = judged(a_run(tmp_path / "run", mixed(0, 0), lacks=lacks, void=lacks), entry())
    assert found["verdict"] == verdict
    assert ("3 of 8 workloads" in found["why"]) == (verdict == "untestable")


def test_a_pair_that_covers_too_little_does_not_silence_another(tmp_path: Path) -> None:
    """The other interpreter decides, and the sentence says where nothing was judged."""
    ratios = {**mixed(0, 0), **mixed(0, 0, PYPY)}
    lost = tuple((PYPY, name) for name in WORKLOADS[2:])
    found = judged(a_run(tmp_path / "run", ratios, unsteady=lost), entry())
    assert {row["interpreter"] for row in found["evidence"]} == {CPYTHON}
    assert f"of {ONE} against {TWO} on {PYPY} (2 of 8 workloads)" in found["why"]
    assert "6 cells left out, not steady" in found["why"]


def test_cells_that_are_not_steady_are_no_evidence(tmp_path: Path) -> None:
    """Even if the evidence of a run had a ratio for one, which it has not."""
    run = a_run(tmp_path / "run", mixed(0, 0, PYPY), unsteady=((PYPY, "idioms.w0"),))
    run._evidence["interpreters"][PYPY]["workloads"]["idioms.w0"]["pairs"][f"{ONE}/{TWO}"] = [9.0] * 5 + [8, "none"]
    found = judged(run, entry())
    assert "idioms.w0" not in {row["workload"] for row in found["evidence"]}
    assert len(found["evidence"]) == 7 and "1 cell left out, not steady" in found["why"]


def test_no_row_of_a_shipped_claim_about_time_rests_on_a_cell_that_is_not_steady(tmp_path: Path) -> None:
    """In a real run, whose checks fail on PyPy; what is claimed about being steady is left out."""
    run = Run.load(write_kept_run(tmp_path / "run"))
    moved = {(it["interpreter"], it["workload"], subject_of(it)) for it in run.summary["cells"] if it["unsteady"]}
    assert any(label.startswith("pypy") for label, _, _ in moved)
    about_time = [it for it in judge(run)["claims"] if it["kind"] not in ("steady", "available", "cost")]
    rows = [row for claim in about_time for row in claim["evidence"] if row["workload"]]
    assert any(row["interpreter"].startswith("pypy") for row in rows)
    for row in rows:
        for subject in (row["subject"], row["against"]):
            assert (row["interpreter"], row["workload"], subject) not in moved


def test_calls_that_are_too_short_for_a_claim_are_left_out(tmp_path: Path) -> None:
    """The least time is that of C or, where C was not timed, of the other subject; it is a part of the hypothesis."""
    times = {
        "idioms.short": {ONE: [900.0] * PROCESSES, TWO: [800.0] * PROCESSES},
        "idioms.long": {ONE: [2000.0] * PROCESSES, TWO: [1000.0] * PROCESSES},
        "idioms.shortest": {ONE: [2000.0] * PROCESSES, TWO: [1000.0] * PROCESSES, "floor.direct": [5.0] * PROCESSES},
    }
    run = a_run(tmp_path / "run", {CPYTHON: {}}, ns=times)
    found = judged(run, entry(**{"at-least-ns": 1000}))
    assert [row["workload"] for row in found["evidence"]] == ["idioms.long"]
    assert "that take at least 1 µs in C" in found["hypothesis"]


def test_cells_that_were_made_slower_on_purpose_are_left_out(tmp_path: Path) -> None:
    """A handicap is a control: nothing about a binding is to be learnt from it, and the sentence says so."""
    found = judged(a_run(tmp_path / "run", handicaps=[["idioms.w0", ONE, 5.0]]), entry())
    assert "idioms.w0" not in {row["workload"] for row in found["evidence"]}
    assert "1 cell left out, made slower on purpose" in found["why"]


def test_fewer_than_six_processes_bound_nothing(tmp_path: Path) -> None:
    """Every row is unclear, however far apart the times are."""
    times = {ONE: [500.0] * 5, TWO: [100.0] * 5}
    run = a_run(tmp_path / "run", {CPYTHON: {}}, ns={"idioms.w0": times})
    (row,) = judged(run, entry())["evidence"]
    assert (row["ratio"], row["low"], row["supports"]) == (5.0, None, "unclear")


def test_claims_json_of_the_shipped_catalogue_fits_its_schema_and_is_plain_data(tmp_path: Path) -> None:
    """Every claim is in it, in order, with a verdict and a reason, and JSON has no infinities."""
    path = write(a_run(tmp_path / "run", models=[near(None, 600000, None)]))
    document = json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda name: pytest.fail(name))
    schema = json.loads(files("cside_bench.claims").joinpath("claims.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    assert path.name == "claims.json" and document["run"] == "run"
    assert [claim["id"] for claim in document["claims"]] == [claim.id for claim in Catalogue.shipped().claims]
    assert all(claim["why"].endswith(".") for claim in document["claims"])

# SPDX-License-Identifier: Apache-2.0
"""The method keeps its promises on simulated runs, and the self-test notices when it does not."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner
from cside_bench.cli.commands import selftest as commands_selftest
from cside_bench.cli.commands.selftest import as_json, command
from cside_bench.results.rounds import Key
from cside_bench.statistics.placement import NONE
from cside_bench.statistics.rates import Row
from cside_bench.summary import calls, look, steady
from cside_bench.summary import selftest as summary_selftest
from cside_bench.summary.calls import Comparisons, Look
from cside_bench.summary.selftest import POWER, TYPICAL, Result, selftest, wrong
from cside_bench.summary.simulation import QUANTILES, SCENARIOS

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
FALSE = "a deciding interval misses the truth"
ALONE = "an interval alone holds the truth"


@pytest.fixture(autouse=True, scope="module")
def small() -> Iterator[None]:
    """Small families, and two numbers of processes for the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summary_selftest, "WORKLOADS", {False: 40, True: 12})
        patch.setattr(summary_selftest, "PROCESSES", (6, 10))
        yield


@pytest.fixture(scope="module")
def result() -> Result:
    """A self-test of few runs of some scenarios. Its bounds are those of the whole, its intervals wider."""
    names = ("unequal", "pypy", "moving", "everything")
    return selftest(3, 3, scenarios=[BY_NAME[name] for name in names])


def test_no_promise_is_broken(result: Result) -> None:
    """False coverage, verdicts, intervals, judgement: no bound is missed, and none is kept for want of any number."""
    assert [row for row in result.rows if row.passed is False] == []
    assert result.passed
    assert all(0 <= row.low <= row.rate <= row.high <= 1 for row in result.rows)


def test_every_scenario_has_its_rows(result: Result) -> None:
    """The flaws and the judgement of the run, and for a subject that moves what happens to its cells."""
    by_scenario: dict[str, list[str]] = {}
    for row in result.rows:
        by_scenario.setdefault(row.scenario, []).append(row.measure)
    assert list(by_scenario) == ["unequal", "pypy", "moving", "everything", "power"]
    assert len(set(by_scenario["unequal"])) == len(by_scenario["unequal"]) > 15
    assert by_scenario["unequal"] == by_scenario["pypy"] == by_scenario["everything"]
    assert any("moves is taken out" in measure for measure in by_scenario["moving"])
    assert result.comparisons["unequal"] > 700


def test_power_grows_with_processes_and_falls_with_noise(result: Result) -> None:
    """And the number that is called enough is the first to reach 90 % in the typical cell."""
    rates = {(it.processes, it.noise): it.rate for it in result.power}
    assert {noise for _, noise in rates} == set(QUANTILES)
    assert rates[10, QUANTILES[0]] >= POWER > rates[6, QUANTILES[-1]]
    assert rates[10, TYPICAL] >= rates[6, TYPICAL]
    assert result.enough == next((count for count in (6, 10) if rates[count, TYPICAL] >= POWER), None)


def test_a_verdict_is_wrong_only_beyond_the_truth() -> None:
    """Inconclusive never is; a true ratio as large as the margin is neither faster, nor slower, nor outside."""
    at, within, beyond = math.log(1.03), 0.0, math.log(1.05)
    assert [wrong(says, at, 0.03) for says in ("slower", "faster", "equivalent", "inconclusive")] == [
        True, True, False, False,
    ]  # fmt: skip
    assert wrong("slower", within, 0.03) and wrong("faster", -at, 0.03) and wrong("equivalent", beyond, 0.03)
    assert not wrong("slower", beyond, 0.03) and not wrong("faster", -beyond, 0.03)


def rows(*names: str, runs: int = 3) -> dict[tuple[str, str], Row]:
    """The rows of some scenarios."""
    found = selftest(runs, 5, scenarios=[BY_NAME[name] for name in names])
    return {(row.scenario, row.measure): row for row in found.rows}


def test_a_method_that_is_wrong_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the intervals of half the width in place of what comparisons give, the self-test fails."""
    honest = calls.compare

    def hasty(*arguments: Any) -> Comparisons:
        found = honest(*arguments)
        for pair, it in found.found.items():
            low, high = (it.value * (bound / it.value) ** 0.5 for bound in (it.adjusted_low, it.adjusted_high))
            alone = [it.value * (bound / it.value) ** 0.5 for bound in (it.low, it.high)]
            found.found[pair] = replace(it, low=alone[0], high=alone[1], adjusted_low=low, adjusted_high=high)
        return found

    monkeypatch.setattr(summary_selftest, "compare", hasty)
    found = rows("unequal")
    assert {measure for (_, measure), row in found.items() if row.passed is False} >= {FALSE, ALONE}


def test_placement_that_is_not_estimated_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals that contain the noise of processes alone hold the truth too rarely where code has a place."""
    assert rows("placement")["placement", ALONE].passed is True
    monkeypatch.setattr(calls, "estimate", lambda *arguments: NONE)
    found = rows("placement")
    assert found["placement", ALONE].passed is False
    assert found["placement", FALSE].rate > 0.05


def test_a_gate_that_is_open_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the gate, the cells of a subject that moves stay in the run."""
    monkeypatch.setattr(steady, "mark", lambda *arguments: None)
    found = rows("moving", runs=2)
    assert found["moving", "a cell of the subject that moves is taken out"].rate == 0.0


def test_the_look_is_driven(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it decides is measured by the processes before it only."""
    seen: list[tuple[frozenset[Key], set[Key]]] = []
    decide, compare = look.decide, calls.compare
    decided: list[frozenset[Key]] = []

    def noted(*arguments: Any) -> Look:
        found = decide(*arguments)
        decided.append(found.decided)
        return found

    def last(*arguments: Any) -> Comparisons:
        if len(arguments) > 3 and arguments[3] is not None:
            seen.append((decided[-1], set(arguments[0].processes[-1].net)))
        return compare(*arguments)

    monkeypatch.setattr(look, "decide", noted)
    monkeypatch.setattr(summary_selftest, "compare", last)
    scenario = replace(BY_NAME["quiet"], levels=(0.002,))
    selftest(2, 1, scenarios=[scenario])
    assert len(seen) == 2
    for left_out, keys in seen:
        assert left_out
        assert keys and not left_out & keys


def test_the_same_seed_gives_the_same_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts of the progress add up, and more workers change nothing."""
    monkeypatch.setattr(summary_selftest, "PROCESSES", ())
    told: list[float] = []
    scenarios = [BY_NAME["pypy"]]
    one = selftest(2, 9, scenarios=scenarios, advance=told.append)
    assert sum(told) == pytest.approx(1.0)
    assert selftest(2, 9, scenarios=scenarios, workers=2) == one
    assert selftest(2, 10, scenarios=scenarios).rows != one.rows


def test_the_command_prints_a_table_or_json(monkeypatch: pytest.MonkeyPatch, result: Result) -> None:
    """The exit code is that of the result."""
    monkeypatch.setattr(commands_selftest, "selftest", lambda *arguments, **options: result)
    shown = CliRunner().invoke(command, ["--runs", "3"], env={"COLUMNS": "120"})
    assert shown.exit_code == 0, shown.output
    assert "Every bound is kept." in shown.output
    printed = CliRunner().invoke(command, ["--runs", "3", "--json"])
    document = json.loads(printed.stdout)
    assert document["passed"] is True
    assert len(document["rows"]) == len(result.rows)
    assert document == json.loads(as_json(result))
    bad = replace(result, rows=[*result.rows, Row("quiet", "something", 0.5, 0.4, 0.6, most=0.05)])
    monkeypatch.setattr(commands_selftest, "selftest", lambda *arguments, **options: bad)
    shown = CliRunner().invoke(command, ["--runs", "3"], env={"COLUMNS": "120"})
    assert shown.exit_code == 1
    assert "missed: quiet: something: 50.0 %" in shown.output

# SPDX-License-Identifier: Apache-2.0
"""The statistics keep their promises on simulated runs, and the self-test notices when they do not."""

import json

import pytest
from click.testing import CliRunner
from cside_bench.cli.commands import selftest as commands_selftest
from cside_bench.cli.commands.selftest import as_json, command
from cside_bench.statistics import selftest as statistics_selftest
from cside_bench.statistics.intervals import Comparison, simultaneous
from cside_bench.statistics.selftest import POWER, Result, Row, of_cells, of_runs, parts, selftest
from cside_bench.statistics.simulation import SCENARIOS, TYPICAL

RUNS = 40


@pytest.fixture(scope="module")
def result() -> Result:
    """A self-test of few runs. Its bounds are those of the whole, its intervals wider."""
    return selftest(RUNS, 3, 8, 24)


def test_no_promise_is_broken(result: Result) -> None:
    """False differences, coverage, verdicts, judgement: no bound is missed in any scenario."""
    assert [row for row in result.rows if row.passed is False] == []
    assert result.passed


def test_families_of_all_scenarios_together_hold_five_per_cent(result: Result) -> None:
    """Together the runs are many: at most 5 % of them have an adjusted interval that misses."""
    whole = [row for row in result.rows if row.measure.startswith("all ") and row.least is not None]
    missed = sum(round((1 - row.rate) * RUNS) for row in whole)
    assert len(whole) == len(SCENARIOS) - 1  # but for the one that breaks what the method assumes
    assert missed <= 0.05 * RUNS * len(whole)


def test_false_verdicts_are_rare_to_vanishing(result: Result) -> None:
    """Faster and slower need the whole interval beyond the margin: in 320 runs at most one has a false one."""
    false = [row for row in result.rows if row.measure == "one of them called faster or slower"]
    assert sum(round(row.rate * RUNS) for row in false) <= 1


def test_power_grows_with_processes_and_falls_with_noise(result: Result) -> None:
    """And the number that is called enough is the first to reach 90 % in the typical cell."""
    levels = sorted({it.noise for it in result.power})
    assert len(levels) == len(TYPICAL)
    rates = {(it.processes, it.noise): it.rate for it in result.power}
    counts = sorted({it.processes for it in result.power})
    assert rates[8, levels[0]] >= POWER > rates[8, levels[-1]]
    assert all(rates[counts[-1], level] >= rates[counts[0], level] for level in levels)
    typical = levels[len(levels) // 2]
    assert result.enough == next(count for count in counts if rates[count, typical] >= POWER)


def test_a_bound_is_missed_only_beyond_the_error_of_the_simulation() -> None:
    """3 in 20 may still be 5 %, 300 in 2,000 are not; the same for bounds from below and for cells."""
    assert of_runs("s", "m", [True] * 3 + [False] * 17, most=0.05).passed is True
    assert of_runs("s", "m", [True] * 300 + [False] * 1700, most=0.05).passed is False
    assert of_runs("s", "m", [True] * 1800 + [False] * 200, least=0.95).passed is False
    assert of_cells("s", "m", [0.91, 0.92, 0.9, 0.91], least=0.93, most=0.97).passed is False
    assert of_cells("s", "m", [0.9, 1.0, 0.94, 0.96], least=0.93, most=0.97).passed is True
    assert Row("s", "m", 0.5, 0.4, 0.6).passed is None


def test_a_method_that_is_wrong_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the intervals of cells alone in place of adjusted ones, the self-test fails."""

    def naive(*arguments: object, **options: object) -> list[Comparison]:
        found = simultaneous(*arguments, **options)  # type: ignore[arg-type]
        return [
            Comparison(it.value, it.low, it.high, it.low, it.high, float(it.low <= 1 <= it.high), it.processes)
            for it in found
        ]

    monkeypatch.setattr(statistics_selftest, "simultaneous", naive)
    monkeypatch.setattr(statistics_selftest, "SCENARIOS", SCENARIOS[:1])
    monkeypatch.setattr(statistics_selftest, "PROCESSES", (8,))
    found = selftest(20, 1, 8, 24)
    assert not found.passed
    missed = {row.measure for row in found.rows if row.passed is False}
    assert any(measure.startswith("a difference found among") for measure in missed)
    assert any(measure.startswith("all ") for measure in missed)


def test_the_same_seed_gives_the_same_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed gives the same rates, and the parts of the progress add up to the total."""
    monkeypatch.setattr(statistics_selftest, "SCENARIOS", SCENARIOS[:1])
    monkeypatch.setattr(statistics_selftest, "PROCESSES", (8,))
    told: list[float] = []
    assert selftest(20, 9, 8, 12, advance=told.append) == selftest(20, 9, 8, 12)
    assert sum(told) == pytest.approx(parts(8))


def test_the_command_prints_a_table_or_json(monkeypatch: pytest.MonkeyPatch, result: Result) -> None:
    """The exit code is that of the result."""
    monkeypatch.setattr(commands_selftest, "selftest", lambda *arguments, **options: result)
    shown = CliRunner().invoke(command, ["--runs", "60"], env={"COLUMNS": "120"})
    assert shown.exit_code == 0, shown.output
    assert "Every bound is kept." in shown.output
    assert f"{result.enough} processes are enough" in shown.output
    printed = CliRunner().invoke(command, ["--runs", "60", "--json"])
    document = json.loads(printed.stdout)
    assert document["passed"] is True
    assert len(document["rows"]) == len(result.rows)
    assert document == json.loads(as_json(result))
    broken = Row("quiet", "something", 0.5, 0.4, 0.6, most=0.05)
    bad = Result(60, 3, 8, 24, [*result.rows, broken], result.power, result.enough)
    monkeypatch.setattr(commands_selftest, "selftest", lambda *arguments, **options: bad)
    shown = CliRunner().invoke(command, ["--runs", "60"], env={"COLUMNS": "120"})
    assert shown.exit_code == 1
    assert "missed: quiet: something: 50.0 %" in shown.output

# SPDX-License-Identifier: Apache-2.0
"""The cost of a function in the run that ships."""

import pytest
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.site import costs
from repository import ROOT


@pytest.fixture(scope="module")
def run() -> Run:
    """The run that ships."""
    return shipped_run.load()


def workloads(run: Run, name: str, noun: str, *tests: str) -> list[str]:
    """The workloads of the table of a function, in its order."""
    return list(dict.fromkeys(row[0].strip("`") for row in costs.table(ROOT, run, name, noun, list(tests)).rows))


def test_a_table_has_every_binding_and_interpreter_that_the_run_measured(run: Run) -> None:
    """The reference has times, the others ratios."""
    table = costs.table(ROOT, run, "noop", "idioms", [])
    assert table.head == ["workload", "interpreter", *run.bindings]
    assert [row[1] for row in table.rows] == [label for label in run.labels if run.cell(label, "idioms.noop", "cext")]
    assert all(row[0] == "`idioms.noop`" and row[2].endswith("ns") for row in table.rows)
    assert all(len(row) == len(table.head) for row in table.rows)


def test_a_workload_with_parameters_is_that_of_the_function_it_names(run: Run) -> None:
    """One test measures the additions of all widths; each function has its own rows."""
    assert workloads(run, "u64_add", "idioms") == ["idioms.add[u64-large]"]
    assert workloads(run, "f64_add", "idioms") == ["idioms.add_real[f64]"]


def test_a_width_that_the_run_left_out_has_no_rows(run: Run) -> None:
    """The costs of other widths would be shown as its own."""
    assert "idioms.add[i8]" not in {each for label in run.labels for each in run.workloads(label)}
    assert workloads(run, "i8_add", "idioms") == []


def test_workloads_may_be_named(run: Run) -> None:
    """Where the test of a workload calls a program, as for PKCS #11."""
    assert workloads(run, "C_GetSlotList", "pkcs11", "slot_list") == ["pkcs11.slot_list[token]"]


def test_of_many_sizes_some_are_shown(run: Run) -> None:
    """The smallest and the largest among them."""
    found = workloads(run, "crc32", "codec", "crc32")
    assert len(found) == costs.MOST
    assert (found[0], found[-1]) == ("codec.crc32[0]", "codec.crc32[1048576]")


def test_what_nothing_measures_has_no_rows(run: Run) -> None:
    """The page says so."""
    assert costs.table(ROOT, run, "trace_name", "idioms", []).rows == []

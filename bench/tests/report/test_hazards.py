# SPDX-License-Identifier: Apache-2.0
"""The tables of the hazards, on the terminal and in the documentation."""

import io

from cside_bench.report.hazards import LEGEND, STYLES, counts, markdown, paragraphs, rows, show
from cside_bench.results import hazards
from rich.console import Console


def test_the_table_fits_a_terminal_of_100_columns() -> None:
    """Every cell of the outcomes that ship is shown, and no line is cut."""
    told = hazards.reference()
    console = Console(file=io.StringIO(), width=100)
    show(told, console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    for label in [each["label"] for each in told["interpreters"]]:
        for name, words in rows(told, label):
            assert any(line.split() == [name, *words] for line in lines)
    assert "…" not in "".join(lines)


def test_every_outcome_has_a_meaning_and_a_style() -> None:
    """A legend without an outcome would leave a word unexplained."""
    assert set(LEGEND) == set(STYLES) == set(hazards.OUTCOMES)


def test_all_cells_are_counted() -> None:
    """The numbers of an interpreter add up to its cells."""
    told = hazards.reference()
    label = told["interpreters"][0]["label"]
    total = sum(int(word) for _, numbers in counts(told, label) for word in numbers.split())
    assert total == len(told["hazards"]) * len(told["approaches"])


def test_the_documentation_has_every_mistake() -> None:
    """Each row of the tables leads to a paragraph."""
    told = hazards.reference()
    tables, text = markdown(told), paragraphs(told)
    for each in told["hazards"]:
        assert f"[{each['id']}](#{each['id']})" in tables and f"### {each['id']}\n" in text

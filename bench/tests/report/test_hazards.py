# SPDX-License-Identifier: Apache-2.0
"""The tables of the hazards, on the terminal and in the documentation."""

import io
import json
from pathlib import Path

import pytest
from cside_bench.report.hazards import LEGEND, STYLES, counts, markdown, paragraphs, rows, seen, show
from cside_bench.report.page.sections import MISTAKES
from cside_bench.results import hazards
from rich.console import Console


@pytest.mark.parametrize(("width", "one"), [(60, False), (120, True)])
def test_the_tables_fit_the_terminal(width: int, one: bool) -> None:
    """Every cell of the outcomes that ship is shown, in one table or, where it is too wide, in several; none is cut."""
    told = hazards.reference()
    console = Console(file=io.StringIO(), width=width)
    show(told, console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    for each in told["interpreters"]:
        begin = lines.index(f"{each['label']} ({each['release']})")
        end = next((at for at in range(begin, len(lines)) if not lines[at]), len(lines))
        for name, words in rows(told, each["label"]):
            shown = [line.split() for line in lines[begin:end] if line.split()[0] == name]
            assert [word for found in shown for word in found[1:]] == words
            assert (len(shown) == 1) == one
    assert "…" not in "".join(lines)


def test_every_outcome_has_a_meaning_and_a_style() -> None:
    """A legend without an outcome would leave a word unexplained."""
    assert set(LEGEND) == set(STYLES) == set(MISTAKES) == set(hazards.OUTCOMES)
    assert len(set(MISTAKES.values())) == len(MISTAKES)


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


def test_a_page_shows_the_newest_outcomes_of_its_machine_or_those_that_ship(tmp_path: Path) -> None:
    """It says whose they are; a damaged file is named and replaced by those that ship."""
    shipped = seen(tmp_path)
    assert not shipped.own and "nox -s hazards" in shipped.whose
    assert shipped.document == hazards.reference()
    told = hazards.reference() | {"made": "2030-01-02T03:04:05+00:00"}
    path = hazards.write(tmp_path / hazards.FOLDER / "20300102-030405", told)
    (tmp_path / hazards.FOLDER / hazards.LATEST).symlink_to(path.parent.name)
    mine = seen(tmp_path)
    assert mine.own and "2030-01-02" in mine.whose
    path.write_text(json.dumps(told | {"outcomes": told["outcomes"][1:]}), encoding="utf-8")
    damaged = seen(tmp_path)
    assert damaged.document == hazards.reference() and "outcomes for" in damaged.whose


def test_the_tables_of_a_page_have_every_cell(tmp_path: Path) -> None:
    """One outcome for each mistake and approach of each interpreter, and the numbers add up."""
    for table in seen(tmp_path).tables():
        cells = [cell for _, row in table["rows"] for cell in row]
        assert all(cell["interpreter"] == table["interpreter"] for cell in cells)
        assert sum(int(count) for _, numbers in table["counts"] for count in numbers) == len(cells)
        assert all(cell["hazard"] == hazard["id"] for hazard, row in table["rows"] for cell in row)

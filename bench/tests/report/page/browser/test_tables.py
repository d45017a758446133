# SPDX-License-Identifier: Apache-2.0
"""The table of every cell: filters and sorting show what the summary holds, no more and no less."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases import TWO_MACHINES, WHOLE_RUN
from opened import Opened
from playwright.sync_api import Page

Report = Callable[..., Path]
Open = Callable[..., Opened]
Cell = dict[str, Any]


def cells_of(file: Path) -> list[Cell]:
    """The cells of all runs that the page was drawn from."""
    found: list[Cell] = []
    for path in sorted(file.parent.glob("*/summary.json")):
        found += json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def subject_of(cell: Cell) -> str:
    """The subject of a cell, as the page names it."""
    return f"{cell['binding']}.{cell['variant']}".rstrip(".")


def shown(page: Page) -> int:
    """How many cells the table says that it shows, all of its pages together."""
    page.wait_for_timeout(400)  # a filter waits for the end of typing
    text = page.locator("#cells").inner_text().replace(",", "").replace("\u202f", "")
    counted = re.search(r"(\d+) to (\d+) of (\d+)|\b(\d+) (?:of \d+ )?(?:cells|entries)", text)
    assert counted, text[-400:]
    return int(counted[3] or counted[4])


def column(page: Page, name: str) -> list[str]:
    """What is shown in a column."""
    found: list[str] = page.evaluate(
        """name => {
          const table = document.querySelector("#cells-table");
          const heads = Array.from(table.tHead.rows[0].cells, (it) => it.innerText.trim().toLowerCase());
          const at = heads.findIndex((it) => it.startsWith(name));
          return Array.from(table.tBodies[0].rows, (row) => row.cells[at].innerText.trim());
        }""",
        name,
    )
    return found


def at_cells(opened: Open, file: Path) -> Page:
    """The page, at its table."""
    page = opened(file, "#cells").page
    page.locator("#cells").scroll_into_view_if_needed()
    page.locator("#cells-table tbody tr").first.wait_for()
    return page


@pytest.mark.parametrize("runs", [WHOLE_RUN, TWO_MACHINES], ids=["one machine", "two machines"])
def test_the_table_has_every_cell(report: Report, opened: Open, runs: Any) -> None:
    """The table has the cells of every run."""
    file = report(*runs)
    assert shown(at_cells(opened, file)) == len(cells_of(file))


@pytest.mark.parametrize(
    ("control", "value", "kept"),
    [
        ("interpreter", "pypy-3.11", lambda it: it["interpreter"] == "pypy-3.11"),
        ("subject", "cffi.abi", lambda it: subject_of(it) == "cffi.abi"),
        ("noun", "codec", lambda it: it["workload"].startswith("codec.")),
        ("verdict", "slower", lambda it: it["verdict"] == "slower"),
    ],
    ids=["interpreter", "approach", "noun", "verdict"],
)
def test_a_choice_keeps_the_cells_that_it_names(
    report: Report, opened: Open, control: str, value: str, kept: Callable[[Cell], bool]
) -> None:
    """A choice keeps as many cells as the summary has of that kind; without it all cells are shown again."""
    file = report(*WHOLE_RUN)
    page, cells = at_cells(opened, file), cells_of(file)
    expected = sum(map(kept, cells))
    assert 0 < expected < len(cells)
    chosen = page.locator(f"#cells-{control}")
    option = chosen.locator("option", has_text=re.compile(rf"{re.escape(value)}$")).first
    chosen.select_option(value=option.get_attribute("value") or option.inner_text())
    assert shown(page) == expected
    chosen.select_option(index=0)
    assert shown(page) == len(cells)


def test_words_and_choices_filter_together(report: Report, opened: Open) -> None:
    """A part of a workload's name, whatever its case and its brackets, and an interpreter."""
    file = report(*WHOLE_RUN)
    page, cells = at_cells(opened, file), cells_of(file)
    page.locator("#cells-filter").fill("CRC32[16]")
    expected = [it for it in cells if "crc32[16]" in it["workload"]]
    assert shown(page) == len(expected)
    assert set(column(page, "workload")) == {"codec.crc32[16]"}
    page.locator("#cells-interpreter").select_option("pypy-3.11")
    assert shown(page) == sum(it["interpreter"] == "pypy-3.11" for it in expected)
    page.locator("#cells-filter").fill("no such workload")
    page.wait_for_timeout(400)
    text = page.locator("#cells").inner_text()
    assert re.search(r"\bno (matching )?(cells?|records?|entries)|nothing|\b0 (of|cells)|none", text, re.IGNORECASE), (
        text
    )


def test_a_click_on_a_heading_sorts_by_numbers(report: Report, opened: Open) -> None:
    """Upwards and then downwards, by value and not by text; the heading says so to a screen reader."""
    file = report(*WHOLE_RUN)
    page = at_cells(opened, file)
    ratios = sorted(it["ratio"] for it in cells_of(file) if it["ratio"] is not None)
    head = page.locator("#cells-table thead th", has_text=re.compile("^ratio", re.IGNORECASE)).first
    ends = {}
    for _ in range(2):
        head.locator("button, [role=button]").or_(head).first.click()
        page.wait_for_timeout(200)
        direction = head.get_attribute("aria-sort")
        values = [
            float(match[0].replace(",", "")) for it in column(page, "ratio") if (match := re.search(r"[\d.,]+", it))
        ]
        assert values == sorted(values, reverse=direction == "descending")
        ends[direction] = values[0]
    assert set(ends) == {"ascending", "descending"}
    assert ends["ascending"] == pytest.approx(ratios[0], rel=0.006)
    assert ends["descending"] == pytest.approx(ratios[-1], rel=0.006)


def test_the_csv_of_the_cells_is_what_the_filters_keep(report: Report, opened: Open, tmp_path: Path) -> None:
    """All pages of it."""
    file = report(*WHOLE_RUN)
    page = at_cells(opened, file)
    page.locator("#cells-subject").select_option("swig")
    page.wait_for_timeout(400)
    with page.expect_download() as told:
        page.locator("#cells-csv").click()
    told.value.save_as(tmp_path / "cells.csv")
    with (tmp_path / "cells.csv").open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == sum(subject_of(it) == "swig" for it in cells_of(file))


def test_the_table_of_claims_sorts_too(report: Report, opened: Open) -> None:
    """By a click on a heading: verdicts by their word, counts by number; and it says which way."""
    page = opened(report(*WHOLE_RUN)).page
    page.locator("#claims-table").scroll_into_view_if_needed()
    page.locator("#claims-table.dataTable").wait_for()
    for column in (2, 3):
        head = page.locator(f"#claims-table thead th:nth-child({column})")
        orders = set()
        for _ in range(2):
            head.locator("button, [role=button]").or_(head).first.click()
            page.wait_for_timeout(200)
            order = head.get_attribute("aria-sort")
            texts = page.locator(f"#claims-table tbody tr td:nth-child({column})").all_inner_texts()
            words = [it.split(maxsplit=1)[-1] for it in texts]  # without the mark
            values: list[str] | list[int] = list(map(int, words)) if column == 3 else words
            assert len(set(values)) > 1
            assert values == sorted(values, reverse=order == "descending")
            orders.add(order)
        assert orders == {"ascending", "descending"}

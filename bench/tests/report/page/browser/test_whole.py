# SPDX-License-Identifier: Apache-2.0
"""The report opens without a word of complaint, is whole, and every link and figure in it works."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases import CASES, SECTIONS, TWO_MACHINES, WHOLE_RUN
from opened import Opened

Report = Callable[..., Path]
Open = Callable[..., Opened]


@pytest.mark.parametrize("case", CASES)
def test_every_figure_is_drawn_and_nothing_is_complained_about(report: Report, opened: Open, case: str) -> None:
    """Whatever the run lacks: no message in the console, no request, all sections in their order."""
    page = opened(report(*CASES[case]))
    page.scroll_through()
    assert page.undrawn() == []
    assert page.page.eval_on_selector_all("main section[id]", "all => all.map((it) => it.id)") == SECTIONS


@pytest.mark.parametrize("case", CASES)
def test_a_section_without_data_says_so_in_a_sentence(report: Report, opened: Open, case: str) -> None:
    """Beside its heading every section has a figure, a table, or a sentence; none has a word that a program left."""
    page = opened(report(*CASES[case]))
    for name in SECTIONS:
        section = page.page.locator(f"section#{name}")
        text = section.inner_text()
        shown = section.locator("figure, table, dl, article, details").count()
        assert shown or "." in text, f"{name}: {text!r}"
        for leftover in ("undefined", "NaN", "None", "null", "[object", "Infinity", "{{", "}}"):
            assert leftover not in text, f"{name} has {leftover!r}"


def test_every_link_within_the_page_leads_somewhere(report: Report, opened: Open) -> None:
    """Ids that links name exist, and no id exists twice."""
    page = opened(report(*WHOLE_RUN))
    page.scroll_through()
    missing = page.page.evaluate(
        """Array.from(document.querySelectorAll('a[href^="#"]'), (it) => it.getAttribute("href"))
          .filter((href) => !href.startsWith("#cell/"))
          .filter((href) => !document.getElementById(decodeURIComponent(href.slice(1))))"""
    )
    assert missing == []
    ids = page.page.eval_on_selector_all("[id]", "all => all.map((it) => it.id)")
    assert sorted(set(ids)) == sorted(ids)
    assert page.page.locator('a[href^="#"]').count() > len(SECTIONS)


@pytest.mark.parametrize("case", ["whole", "two machines", "one machine twice", "quick"])
def test_every_link_to_a_cell_names_a_cell_of_the_run(report: Report, opened: Open, case: str) -> None:
    """Machine, interpreter, workload and subject of it, and the dialog opens for a sample of them."""
    page = opened(report(*CASES[case]))
    hrefs = page.page.eval_on_selector_all('a[href^="#cell/"]', "all => all.map((it) => it.getAttribute('href'))")
    distinct = sorted(set(hrefs))
    assert distinct
    for href in distinct[:: max(1, len(distinct) // 25)]:
        page.page.evaluate("href => { location.hash = href; }", href)
        page.page.locator("#cell-dialog[open]").wait_for()
        workload = page.page.evaluate("href => decodeURIComponent(href.split('/').at(-2))", href)
        assert workload in page.page.locator("#cell-dialog").inner_text(), href
        assert "no such cell" not in page.page.locator("#cell-dialog").inner_text().lower()
        page.page.locator("#cell-close").click()


@pytest.mark.parametrize("case", ["whole", "two machines"])
def test_each_figure_says_how_it_was_measured_and_hands_out_its_rows(
    report: Report, opened: Open, tmp_path: Path, case: str
) -> None:
    """The CSV that is downloaded has the rows that are shown, no fewer; the raw files are named."""
    page = opened(report(*CASES[case]))
    figures = page.page.locator("figure[data-chart]")
    assert figures.count() >= 10
    for figure in figures.all():
        name = figure.get_attribute("data-chart")
        assert figure.get_attribute("id") == f"figure-{name}"
        assert figure.locator("figcaption").inner_text().strip()
        how = figure.locator("details.how")
        assert "How this was measured" in how.locator("summary").inner_text()
        how.locator("summary").press("Enter")  # a click may miss it, while a figure is drawn above and moves it
        assert len(how.inner_text()) > 100, name
        rows = figure.locator("details.rows")
        rows.locator("summary").press("Enter")
        rows.locator("table tbody tr").first.wait_for()
        header, shown = table(rows.locator("table"))
        with page.page.expect_download() as told:
            rows.locator("button.csv").click()
        target = tmp_path / f"{name}.csv"
        told.value.save_as(target)
        assert told.value.suggested_filename.endswith(".csv")
        with target.open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.reader(file))
        assert len(lines) > 1, name
        assert len(lines[0]) == len(header), (name, lines[0], header)
        assert all(len(line) == len(lines[0]) for line in lines), name
        assert len(shown) == min(len(lines) - 1, len(shown)), name
        assert [line[0] for line in lines[1 : 1 + len(shown)]] == [line[0] for line in shown], name


def table(where: Any) -> tuple[list[str], list[list[str]]]:
    """Header and body of a table as text."""
    header = where.locator("thead th").all_inner_texts()
    rows = where.evaluate(
        "it => Array.from(it.tBodies[0].rows, (row) => Array.from(row.cells, (cell) => cell.innerText.trim()))"
    )
    return header, rows


def test_two_machines_stand_side_by_side(report: Report, opened: Open) -> None:
    """The answer, the trust and the table of cells name each machine."""
    page = opened(report(*TWO_MACHINES), "#cells")
    page.page.locator("#cells-table tbody tr").first.wait_for()
    for name in ("answer", "trust", "cells", "environment"):
        text = page.page.locator(f"section#{name}").inner_text()
        assert all(str(shape.machine) in text for shape in TWO_MACHINES), name


def test_without_scripts_the_page_still_answers(report: Report, opened: Open) -> None:
    """The answer, the trust, the claims and the parity ledger are text of the page itself."""
    page = opened(report(*WHOLE_RUN), javascript=False)
    for name, words in {
        "answer": "Large header that changes",
        "trust": "margin of equivalence",
        "claims": "ctypes runs everywhere",
        "parity": "lacks it",
    }.items():
        assert words in (page.page.locator(f"section#{name}").text_content() or ""), name
    assert page.overflow() <= 0


def test_text_of_a_run_is_never_taken_for_markup(report: Report, opened: Open) -> None:
    """Reasons and details with tags in them are shown as they are."""
    page = opened(report(*WHOLE_RUN))
    assert '<lambda> & "x"</script>' in page.page.locator("section#parity").inner_text()
    assert page.page.locator("lambda").count() == 0

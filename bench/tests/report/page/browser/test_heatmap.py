# SPDX-License-Identifier: Apache-2.0
"""The heat map shows the ratios and verdicts of the summary, for what its controls choose, and remembers the choice."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cases import CASES, WHOLE_RUN
from opened import Opened
from playwright.sync_api import Page

Report = Callable[..., Path]
Open = Callable[..., Opened]
MARKS = {"faster": "▼", "slower": "▲", "equivalent": "=", "inconclusive": "?"}


def drawn(page: Page) -> dict[str, list[str]]:
    """Texts of each row of the heat map, by the workload's whole name: its noun stands above its group."""
    page.locator("#heatmap").scroll_into_view_if_needed()
    page.locator("#heatmap-body table").wait_for()
    page.wait_for_timeout(300)
    rows = page.eval_on_selector_all(
        "#heatmap-body table tbody tr", "all => all.map((row) => Array.from(row.cells, (it) => it.textContent.trim()))"
    )
    found: dict[str, list[str]] = {}
    noun = ""
    for name, *texts in rows:
        if texts:
            found[f"{noun}.{name}"] = texts
        else:
            noun = name
    return found


def summary_of(file: Path) -> dict[str, Any]:
    """The summary of the run that the page was drawn from."""
    found: dict[str, Any] = json.loads(next(file.parent.glob("*/summary.json")).read_text(encoding="utf-8"))
    return found


def test_each_number_is_the_summarys_with_the_mark_of_its_verdict(report: Report, opened: Open) -> None:
    """For every binding and workload the mark is text, not colour alone."""
    file = report(*WHOLE_RUN)
    page = opened(file, "#heatmap").page
    heads = page.locator("#heatmap-body table thead th")
    rows = drawn(page)
    names = [it.strip() for it in heads.all_inner_texts()]
    cells = {
        (it["workload"], f"{it['binding']}.{it['variant']}".rstrip(".")): it
        for it in summary_of(file)["cells"]
        if it["interpreter"] == "cpython-3.14"
    }
    checked = 0
    for workload, texts in rows.items():
        for name, text in zip(names[1:], texts, strict=False):
            cell = cells.get((workload, name))
            if cell is None or cell["void"] or cell["verdict"] == "reference":
                continue
            number = re.search(r"\d[\d.,]*", text)
            assert number, (workload, name, text)
            assert abs(float(number[0].replace(",", "")) / cell["ratio"] - 1) < 0.06, (workload, name, text)
            assert MARKS[cell["verdict"]] in text, (workload, name, text)
            checked += 1
    assert checked > 100


def test_the_controls_choose_what_is_shown(report: Report, opened: Open) -> None:
    """Another interpreter has other numbers; a noun and a part of a name keep their workloads."""
    page = opened(report(*WHOLE_RUN), "#heatmap").page
    first = drawn(page)
    page.locator("#heatmap-interpreter").select_option("pypy-3.11")
    second = drawn(page)
    assert set(second) == set(first) and second != first
    page.locator("#heatmap-noun").select_option("codec")
    assert drawn(page) and all(name.startswith("codec.") for name in drawn(page))
    page.locator("#heatmap-filter").fill("crc32")
    assert drawn(page) and all("crc32" in name for name in drawn(page))
    page.locator("#heatmap-filter").fill("no such workload")
    page.wait_for_timeout(400)
    assert re.search(r"\bno\b|none|nothing|\b0\b", page.locator("#heatmap").inner_text().lower())


def test_the_choice_is_in_the_address(report: Report, opened: Open) -> None:
    """A reload, and another reader of the link, see the same choice."""
    page = opened(report(*WHOLE_RUN), "#heatmap").page
    page.locator("#heatmap-interpreter").select_option("pypy-3.11")
    page.locator("#heatmap-noun").select_option("idioms")
    page.locator("#heatmap-filter").fill("add")
    before = drawn(page)
    page.reload()
    page.wait_for_function("document.documentElement.dataset.ready === 'true'")
    assert page.locator("#heatmap-interpreter").input_value() == "pypy-3.11"
    assert page.locator("#heatmap-noun").input_value() == "idioms"
    assert page.locator("#heatmap-filter").input_value() == "add"
    assert drawn(page) == before


def test_a_gap_and_a_void_cell_say_what_they_are(report: Report, opened: Open) -> None:
    """A gap reads "gap", a void cell reads "void"."""
    page = opened(report(*WHOLE_RUN), "#heatmap").page
    rows = drawn(page)
    assert any("gap" in text for text in rows["idioms.spin_held[1]"])
    assert any("void" in text for text in rows["idioms.bytes_sum[bytes]"])


def test_a_run_without_verdicts_marks_nothing(report: Report, opened: Open) -> None:
    """Neither a run of the quick tier nor an untrusted interpreter has marks of verdicts."""
    for case in ("quick", "untrusted"):
        rows = drawn(opened(report(*CASES[case]), "#heatmap").page)
        assert rows and not any(mark in text for texts in rows.values() for text in texts for mark in "▼▲=?")

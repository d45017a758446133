# SPDX-License-Identifier: Apache-2.0
"""Who uses a keyboard, a screen reader or large contrast can read the report: axe-core finds nothing serious."""

import itertools
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from cases import CASES, SMALL_RUN, WHOLE_RUN
from opened import DESKTOP, NARROW, PHONE, Opened, violations

Report = Callable[..., Path]
Open = Callable[..., Opened]
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
}
GRAVE = ("critical", "serious")
LESSER = ("moderate", "minor")


def examine(page: Opened, what: str) -> None:
    """Assert that axe finds nothing grave; what is less grave is told as a warning."""
    found = Axe().run(page.page, options=RULES | {"resultTypes": ["violations"]}).response
    if lesser := violations(found, LESSER):
        warnings.warn(f"{what}: " + "\n".join(lesser), stacklevel=2)
    assert violations(found, GRAVE) == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(report: Report, opened: Open, size: tuple[int, int], dark: bool) -> None:
    """With all figures drawn and everything that folds unfolded, and in the dialog.

    axe looks at every element, so the run has fewer rows than others; it has every section, gap and mark.
    """
    page = opened(report(*SMALL_RUN), size=size, dark=dark)
    page.scroll_through()
    page.page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    page.page.wait_for_timeout(500)
    examine(page, "page")
    page.page.evaluate("location.hash = '#cell/cpython-3.14/codec.crc32%5B16%5D/cffi'")
    page.page.locator("#cell-dialog[open]").wait_for()
    examine(page, "dialog")


@pytest.mark.parametrize("case", ["two machines", "untrusted", "quick", "nothing beside cells"])
def test_axe_finds_nothing_serious_in_other_runs(report: Report, opened: Open, case: str) -> None:
    """Which show warnings, gaps and sentences instead of figures."""
    page = opened(report(*CASES[case]))
    page.scroll_through()
    examine(page, case)


def test_the_keyboard_reaches_what_the_mouse_reaches(report: Report, opened: Open) -> None:
    """The first Tab shows the link that skips to the answer; theme and contents follow; nothing traps the focus."""
    page = opened(report(*WHOLE_RUN)).page
    page.keyboard.press("Tab")
    skip = page.evaluate("(it => [it.className, it.getBoundingClientRect().top >= 0])(document.activeElement)")
    assert skip == ["skip", True]
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#answer"
    page.evaluate("history.replaceState(null, '', location.pathname); document.activeElement.blur(); scrollTo(0, 0)")
    page.reload()
    page.wait_for_function("document.documentElement.dataset.ready === 'true'")
    reached = []
    for _ in range(90):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                """(it => it.id || it.getAttribute("href") || it.className || it.tagName)(document.activeElement)"""
            )
        )
    assert "theme" in reached
    assert "#environment" in reached
    assert len(set(reached)) > 30


def test_headings_form_an_outline(report: Report, opened: Open) -> None:
    """The page has one heading of the first level, and no level is skipped."""
    page = opened(report(*WHOLE_RUN)).page
    levels = page.eval_on_selector_all(
        "h1, h2, h3, h4, h5, h6", "all => all.filter((it) => !it.closest('dialog')).map((it) => Number(it.tagName[1]))"
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))

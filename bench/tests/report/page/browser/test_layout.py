# SPDX-License-Identifier: Apache-2.0
"""The report fits a phone, a desk and a sheet of paper, in light and in dark."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import CASES, LARGE_RUN, SECTIONS, TWO_MACHINES, WHOLE_RUN
from opened import DESKTOP, NARROW, PHONE, Opened
from playwright.sync_api import Page

Report = Callable[..., Path]
Open = Callable[..., Opened]


@pytest.mark.parametrize("size", [PHONE, NARROW, (768, 1024), DESKTOP], ids=["390", "320", "768", "1280"])
@pytest.mark.parametrize("runs", [WHOLE_RUN, TWO_MACHINES], ids=["one machine", "two machines"])
def test_nothing_is_wider_than_the_window(
    report: Report, opened: Open, runs: tuple[object, ...], size: tuple[int, int]
) -> None:
    """In every section, with everything unfolded; wide tables scroll in boxes of their own."""
    page = opened(report(*runs), size=size)
    page.scroll_through()
    assert page.overflow() <= 0, page.wide()
    page.page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    page.page.wait_for_timeout(500)
    assert page.overflow() <= 0, page.wide()
    wide = {
        name: page.page.evaluate(
            "name => { const it = document.getElementById(name); return it.scrollWidth - it.clientWidth; }", name
        )
        for name in SECTIONS
    }
    assert {name: by for name, by in wide.items() if by > 0} == {}, page.wide()
    assert page.wide() == []


def test_a_large_run_fits_a_phone(report: Report, opened: Open) -> None:
    """Twelve interpreters and fifteen approaches."""
    page = opened(report(*LARGE_RUN), size=PHONE)
    page.scroll_through()
    assert page.overflow() <= 0, page.wide()


def background(page: Page) -> float:
    """Brightness of the page's ground, 0 to 255."""
    colour = page.evaluate(
        """(() => {
          const canvas = document.createElement("canvas").getContext("2d");
          const grounds = [document.body, document.documentElement].map((it) => getComputedStyle(it).backgroundColor);
          canvas.fillStyle = grounds.find((it) => it !== "rgba(0, 0, 0, 0)") ?? "white";
          canvas.fillRect(0, 0, 1, 1);
          return Array.from(canvas.getImageData(0, 0, 1, 1).data);
        })()"""
    )
    return float(sum(colour[:3]) / 3)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_theme_follows_the_system_and_the_button_turns_it_over(report: Report, opened: Open, dark: bool) -> None:
    """The choice outlives a reload, and figures follow."""
    page = opened(report(*WHOLE_RUN), dark=dark).page
    before = background(page)
    assert (before < 100) is dark
    page.locator("#theme").click()
    after = background(page)
    assert (after < 100) is not dark
    for _ in range(3):  # on a busy machine a new process of the browser may start before it is told what was stored
        page.reload()
        page.wait_for_function("document.documentElement.dataset.ready === 'true'")
        if background(page) == after:
            break
    assert background(page) == after
    figure = page.locator("figure[data-chart] .chart").first
    figure.scroll_into_view_if_needed()
    label = figure.locator("svg text").first
    label.wait_for()
    colour = [int(it) for it in re.findall(r"\d+", label.evaluate("it => getComputedStyle(it).fill"))[:3]]
    assert abs(sum(colour) / 3 - after) > 80, "labels of a figure are as dark as the ground"
    page.locator("#theme").click()
    assert background(page) == before


@pytest.mark.parametrize("case", ["whole", "two machines", "quick"])
def test_paper_has_everything(report: Report, opened: Open, case: str, tmp_path: Path) -> None:
    """Printed from the top without a scroll, all figures are drawn, and no page is cut off at its right edge."""
    page = opened(report(*CASES[case]))
    page.page.emulate_media(media="print")
    page.page.set_viewport_size({"width": 718, "height": 1000})  # A4 within margins of 1 cm, at 96 pixels an inch
    page.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.page.wait_for_function("document.querySelectorAll('figure[data-chart] .chart').length > 0")
    page.page.wait_for_timeout(1500)
    assert page.undrawn() == []
    assert page.overflow() <= 0, page.wide()
    sheet = tmp_path / "report.pdf"
    page.page.pdf(path=sheet, format="A4", margin={"top": "1cm", "right": "1cm", "bottom": "1cm", "left": "1cm"})
    assert sheet.stat().st_size > 50_000
    pages = len(re.findall(rb"/Type\s*/Page\b", sheet.read_bytes()))
    assert 1 < pages < 100
    if reader := shutil.which("pdftotext"):
        text = subprocess.run([reader, sheet, "-"], capture_output=True, text=True, check=True).stdout
        assert "Large header that changes" in " ".join(text.split())


def test_on_a_phone_the_contents_unfold(report: Report, opened: Open) -> None:
    """The contents open by a touch, and their links lead to the sections."""
    page = opened(report(*WHOLE_RUN), size=PHONE).page
    button = page.locator("#contents-open")
    if button.is_visible():
        button.tap()
        assert button.get_attribute("aria-expanded") == "true"
    link = page.locator('#contents a[href="#costs"]')
    link.tap()
    page.wait_for_timeout(600)
    top = page.evaluate("document.getElementById('costs').getBoundingClientRect().top")
    assert -5 <= top < PHONE[1] * 0.5

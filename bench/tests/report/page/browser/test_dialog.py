# SPDX-License-Identifier: Apache-2.0
"""A cell has an address: a link to it opens its numbers, in every way that a link is followed."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from cases import TWO_MACHINES, WHOLE_RUN
from opened import PHONE, Opened

Report = Callable[..., Path]
Open = Callable[..., Opened]


def address(*parts: str) -> str:
    """The fragment that opens a cell."""
    return "#cell/" + "/".join(quote(part, safe="") for part in parts)


def cells_of(file: Path) -> list[dict[str, Any]]:
    """The cells of the first run that the page was drawn from."""
    summary = json.loads(next(iter(sorted(file.parent.glob("*/summary.json")))).read_text(encoding="utf-8"))
    return list(summary["cells"])


def figures_in(text: str) -> list[float]:
    """Numbers of a text, thousands separators aside."""
    return [float(it.replace(",", "")) for it in re.findall(r"\d[\d,]*\.?\d*(?:e[+-]?\d+)?", text)]


@pytest.mark.parametrize("workload", ["codec.crc32[16]", "pkcs11.digest[64-token]", "idioms.noop"])
def test_an_address_opened_directly_shows_the_cells_numbers(report: Report, opened: Open, workload: str) -> None:
    """Time, ratio and its interval, as the summary has them."""
    file = report(*WHOLE_RUN)
    cell = next(
        it
        for it in cells_of(file)
        if (it["interpreter"], it["workload"], it["binding"], it["variant"]) == ("cpython-3.14", workload, "cffi", "")
    )
    page = opened(file, address("cpython-3.14", workload, "cffi"))
    dialog = page.page.locator("#cell-dialog[open]")
    dialog.wait_for()
    text = dialog.inner_text()
    for part in ("cpython-3.14", workload, "cffi", cell["verdict"]):
        assert part in text
    found = figures_in(text)
    for value in (cell["ratio"], cell["ratio_low"], cell["ratio_high"]):
        assert any(abs(it / value - 1) < 0.006 for it in found), (value, text)
    scales = (1.0, 1e3, 1e6, 1e9)
    assert any(abs(it * scale / cell["ns_net"] - 1) < 0.006 for it in found for scale in scales), text


def test_a_variant_and_a_void_cell_have_addresses_too(report: Report, opened: Open) -> None:
    """The dialog of a void cell shows the reason."""
    file = report(*WHOLE_RUN)
    page = opened(file, address("pypy-3.11", "idioms.noop", "cffi.abi"))
    assert "cffi.abi" in page.page.locator("#cell-dialog[open]").inner_text()
    page = opened(file, address("cpython-3.14", "idioms.bytes_sum[bytes]", "swig"))
    assert "exit code -11" in page.page.locator("#cell-dialog[open]").inner_text()


def test_an_address_of_nothing_says_so(report: Report, opened: Open) -> None:
    """The page shows no other cell and does not fail."""
    page = opened(report(*WHOLE_RUN), address("cpython-9.9", "idioms.noop", "cffi"))
    page.page.wait_for_timeout(200)
    dialog = page.page.locator("#cell-dialog[open]")
    if dialog.count():
        assert re.search(r"\bno (such )?cell|not\b.*\b(measured|in this report)", dialog.inner_text(), re.IGNORECASE)


def test_an_address_names_the_machine_where_there_are_several(report: Report, opened: Open) -> None:
    """Two cells that differ in the machine alone have different addresses."""
    file = report(*TWO_MACHINES)
    for shape in TWO_MACHINES:
        page = opened(file, address(str(shape.machine), "cpython-3.14", "idioms.noop", "cffi"))
        assert str(shape.machine) in page.page.locator("#cell-dialog[open]").inner_text()


def test_the_dialog_closes_by_escape_and_gives_the_focus_back(report: Report, opened: Open) -> None:
    """A keyboard is enough: Enter on a link, Escape in the dialog; the address is then no cell's any more."""
    page = opened(report(*WHOLE_RUN), "#cells").page
    link = page.locator('#cells-table a[href^="#cell/"]').first
    link.focus()
    href = link.get_attribute("href")
    page.keyboard.press("Enter")
    page.locator("#cell-dialog[open]").wait_for()
    assert page.evaluate("document.querySelector('#cell-dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    page.locator("#cell-dialog[open]").wait_for(state="detached")
    assert page.evaluate("document.activeElement.getAttribute('href')") == href
    assert not page.evaluate("location.hash").startswith("#cell/")


def test_back_closes_what_a_link_opened(report: Report, opened: Open) -> None:
    """The browser's back button closes the dialog, and its forward button opens it again."""
    page = opened(report(*WHOLE_RUN), "#cells").page
    page.locator('#cells-table a[href^="#cell/"]').first.click()
    page.locator("#cell-dialog[open]").wait_for()
    page.go_back()
    page.locator("#cell-dialog[open]").wait_for(state="detached")
    page.go_forward()
    page.locator("#cell-dialog[open]").wait_for()


def test_the_dialog_fits_a_phone(report: Report, opened: Open) -> None:
    """The dialog is no wider than the screen, and a touch closes it."""
    found = opened(report(*WHOLE_RUN), address("cpython-3.14", "codec.crc32[16]", "cffi"), size=PHONE)
    box = found.page.locator("#cell-dialog[open]").bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0]
    assert found.overflow() <= 0
    inside = found.page.evaluate("(it => it.scrollWidth - it.clientWidth)(document.querySelector('#cell-dialog'))")
    assert inside <= 0
    found.page.locator("#cell-close").tap()
    found.page.locator("#cell-dialog[open]").wait_for(state="detached")

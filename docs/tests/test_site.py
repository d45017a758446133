# SPDX-License-Identifier: Apache-2.0
"""The built site in a browser: accessibility, search, links, its width on a phone, and that it uses no network."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="nox -s docs-test brings it")

from opened import DESKTOP, PHONE, new_context  # noqa: E402  # it imports Playwright too

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = (
    "index",
    "tutorial",
    "guide",
    "command",
    "idioms",
    "idioms/handles",
    "hazards",
    "glossary",
)
"""Pages of each kind, which have each kind of content."""
GRAVE = ("critical", "serious")
PARTS = ["Tutorial", "How-to", "Reference", "Explanation"]

Open = Callable[..., "Page"]


@pytest.fixture
def opened(launched: "Browser", site: Path) -> Iterator[Open]:
    """Open a page of the site; afterwards nothing may have been complained about, or asked of a network."""
    asked: list[str] = []
    complaints: list[str] = []
    contexts = []

    def open_one(name: str, size: tuple[int, int] = DESKTOP, *, dark: bool = False) -> "Page":
        context = new_context(launched, size, dark=dark)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda it: complaints.append(it.text) if it.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith((site.as_uri(), "data:", "blob:"))] == []
    assert complaints == []


@pytest.mark.parametrize(
    ("size", "dark"), [(DESKTOP, False), (DESKTOP, True), (PHONE, False)], ids=["desktop", "dark", "phone"]
)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(opened: Open, name: str, size: tuple[int, int], dark: bool) -> None:
    """On a desktop in both themes, and on a phone. axe would fetch style sheets again, which a file may not."""
    options = {"resultTypes": ["violations"], "preload": False}
    found = axe.Axe().run(opened(name, size, dark=dark), options=options).response
    grave = [
        f"{each['id']}: {each['help']}: {[node['html'][:160] for node in each['nodes'][:3]]}"
        for each in found["violations"]
        if each["impact"] in GRAVE
    ]
    assert grave == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_as_wide_as_a_phone(opened: Open, name: str) -> None:
    """Code and tables scroll within themselves; the page does not scroll sideways."""
    page = opened(name, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


def test_the_four_parts_are_kept_apart(opened: Open) -> None:
    """The contents of every page have the four parts, in this order."""
    page = opened("index")
    assert page.locator(".sidebar-tree .caption-text").all_text_contents() == PARTS


def test_search_finds_a_page(opened: Open) -> None:
    """Without a server: the index is a file of the site."""
    page = opened("index")
    page.locator(".sidebar-search").fill("callgrind")
    page.locator(".sidebar-search").press("Enter")
    page.wait_for_selector("#search-results li a[href^='ci.html']")


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    """Sphinx checks the links that it resolves; this checks all of them, with their anchors."""
    import re
    from html import unescape
    from urllib.parse import unquote, urldefrag

    ids: dict[Path, set[str]] = {}
    broken = []
    for page in site.rglob("*.html"):
        for href in re.findall(r'<a [^>]*href="([^"]+)"', page.read_text(encoding="utf-8")):
            address, fragment = urldefrag(unescape(href))
            if re.match(r"[a-z]+:", address):
                continue
            target = (page.parent / unquote(address)).resolve() if address else page
            if not target.is_file():
                broken.append(f"{page.name}: {href}")
            elif fragment and target.suffix == ".html":
                if target not in ids:
                    ids[target] = set(re.findall(r'\bid="([^"]+)"', target.read_text(encoding="utf-8")))
                if unquote(fragment) not in ids[target]:
                    broken.append(f"{page.name}: {href}")
    assert broken == []


def test_idioms_have_the_code_of_every_binding(opened: Open, site: Path) -> None:
    """Beside each other on a desktop: the first two stand at the same height."""
    page = opened("idioms/buffers", (1600, 900))
    sides = page.locator(".sides").first.locator(".side")
    names = sides.locator(".side-name").all_inner_texts()
    assert len(names) >= 5
    assert all("code" not in each or each for each in names)
    tops = [box["y"] for box in (sides.nth(place).bounding_box() for place in (0, 1)) if box]
    assert tops[0] == tops[1]

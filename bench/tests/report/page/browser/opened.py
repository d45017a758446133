# SPDX-License-Identifier: Apache-2.0
"""A report that is open in a browser, with everything that it asked for and complained about."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

from provision import browser

FLAGS: Final = (
    "--no-sandbox",  # root has none
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP: Final = (1280, 900)
PHONE: Final = (390, 844)
NARROW: Final = (320, 640)
READY: Final = "document.documentElement.dataset.ready === 'true'"
PATIENCE_MS: Final = 60_000

DRAWN: Final = "svg g.role-mark:not(.mark-group) > *"
"""A mark of a chart, as Vega writes it into SVG."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's Chromium, else Playwright's own. Raises :class:`FileNotFoundError` where there is neither."""
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        path = browser.find() or (own if own.exists() else None)
        if path is None:
            raise FileNotFoundError(browser.MISSING)
        launched = playwright.chromium.launch(executable_path=path, args=list(FLAGS), timeout=60_000)
        try:
            yield launched
        finally:
            launched.close()


def new_context(
    launched: Browser,
    size: tuple[int, int] = DESKTOP,
    *,
    dark: bool = False,
    javascript: bool = True,
    scale: float | None = None,
) -> BrowserContext:
    """A fresh profile without a network; a phone's size comes with touch, and with its density of pixels."""
    phone = size[0] < 500
    context = launched.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        device_scale_factor=scale or (2 if phone else 1),
        has_touch=phone,
        is_mobile=phone,
        java_script_enabled=javascript,
        accept_downloads=True,
        offline=True,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    return context


@dataclass
class Opened:
    """A page, and what it did that it must not do."""

    page: Page
    file: Path
    complaints: list[str] = field(default_factory=list)
    """Errors and warnings, of the console and of scripts."""
    foreign: list[str] = field(default_factory=list)
    """Addresses other than the file itself, ``data:`` and ``blob:`` that it asked for."""

    def __post_init__(self) -> None:
        self.page.on("console", self._told)
        self.page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        self.page.on("request", self._asked)
        self.page.on("websocket", lambda socket: self.foreign.append(socket.url))

    def _told(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        own = request.url.partition("#")[0] == self.file.as_uri()
        if not own and not request.url.startswith(("data:", "blob:")):
            self.foreign.append(request.url)

    def goto(self, fragment: str = "") -> None:
        """Open the file, at a fragment such as ``#costs``, and wait until it says that it is ready."""
        self.page.goto(self.file.as_uri() + fragment, wait_until="domcontentloaded")
        self.wait()

    def wait(self) -> None:
        """Wait until the page says that it is ready."""
        self.page.wait_for_function(READY)

    def scroll_through(self) -> None:
        """Bring every figure into view until each is drawn: one that grows moves others out of view again."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while self.undrawn():
            assert time.monotonic() < deadline, f"not drawn: {', '.join(self.undrawn())}"
            for figure in self.page.locator("figure[data-chart]").all():
                figure.evaluate("figure => figure.scrollIntoView({ block: 'center', behavior: 'instant' })")
                self.page.wait_for_timeout(50)

    def undrawn(self) -> list[str]:
        """Names of figures that should have a mark, and have none."""
        found: list[str] = self.page.evaluate(UNDRAWN)
        return found

    def texts(self, selector: str) -> list[str]:
        """Text of each element."""
        return self.page.locator(selector).all_inner_texts()

    def overflow(self) -> int:
        """Pixels by which the page is wider than its window, whose own width a phone's browser adapts to it."""
        assert self.page.viewport_size is not None
        width: int = self.page.evaluate("document.documentElement.scrollWidth")
        return width - self.page.viewport_size["width"]

    def wide(self) -> list[str]:
        """What makes the page wider than its window: elements beyond its edge, in no box that scrolls or clips."""
        assert self.page.viewport_size is not None
        found: list[str] = self.page.evaluate(WIDE, self.page.viewport_size["width"])
        return found

    def clean(self) -> None:
        """Assert that nothing was complained about and nothing foreign asked for."""
        assert sorted({*self.complaints, *self.foreign}) == []


UNDRAWN: Final = f"""
Array.from(document.querySelectorAll("figure[data-chart]"))
  .filter((figure) => figure.querySelector(".chart") && !figure.querySelector("{DRAWN}"))
  .map((figure) => figure.dataset.chart)
"""
"""Figures that have something to draw, and did not; those that have nothing say why."""

WIDE: Final = """
(width) => {
  const clipped = (element) => {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== "visible") return true;
    }
    return false;
  };
  return Array.from(document.body.querySelectorAll("*"))
    .filter((element) => element.getBoundingClientRect().right > width + 1 && !clipped(element))
    .slice(0, 5)
    .map((element) => `${element.tagName.toLowerCase()}#${element.id}.${element.className}`
      + ` in #${element.closest("section")?.id}`);
}
"""


def violations(found: dict[str, Any], impacts: Sequence[str]) -> list[str]:
    """What axe-core found of these impacts, one line a rule with its first places."""
    lines = []
    for rule in found["violations"]:
        if rule["impact"] in impacts:
            places = [" ".join(map(str, node["target"])) for node in rule["nodes"]]
            why = (rule["nodes"][0].get("failureSummary") or "").split("\n")[-1].strip()
            lines.append(f"{rule['id']} ({rule['impact']}), {len(places)} times: {'; '.join(places[:3])}: {why}")
    return lines

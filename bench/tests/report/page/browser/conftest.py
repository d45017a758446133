# SPDX-License-Identifier: Apache-2.0
"""Reports are drawn once, from runs whose truth is known, and opened in a real browser that reaches no network.

Without Playwright nothing here is collected: `nox -s tests-page` brings it. Without a browser the tests skip and say
what installs one; where `CI` is true they fail instead.
"""

import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from opened import Opened
    from playwright.sync_api import Browser

HERE = str(Path(__file__).resolve().parent)
sys.path[:0] = [] if HERE in sys.path else [HERE]

pytest.register_assert_rewrite("opened")
collect_ignore_glob = [] if importlib.util.find_spec("playwright") else ["test_*.py"]


@pytest.fixture(scope="session")
def launched() -> "Iterator[Browser]":
    """The browser of all tests."""
    from opened import chromium

    with contextlib.ExitStack() as stack:
        try:
            browser = stack.enter_context(chromium())
        except FileNotFoundError as missing:
            if os.environ.get("CI") == "true":
                pytest.fail(str(missing), pytrace=False)
            pytest.skip(str(missing))
        yield browser


@pytest.fixture(scope="session")
def report() -> "Callable[..., Path]":
    """Draw the report of runs of these shapes, unless it is drawn already; its file."""
    from cside_bench.report.page.draw import draw
    from cside_bench.results.evidence import Run
    from kept_run import Shape, made_once, write_kept_run

    def drawn(*shapes: Shape) -> Path:
        def make(into: Path) -> None:
            into.mkdir(parents=True)
            draw([Run.load(write_kept_run(into, shape)) for shape in shapes], into / "report.html")

        return made_once(f"page of {[shape.text for shape in shapes]}", make) / "report.html"

    return drawn


@pytest.fixture
def opened(launched: "Browser") -> "Iterator[Callable[..., Opened]]":
    """Open a report in a fresh profile; afterwards nothing may have been complained about or asked of a network."""
    from opened import DESKTOP, Opened, new_context

    all_opened: list[Opened] = []

    def open_one(
        file: Path,
        fragment: str = "",
        *,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        javascript: bool = True,
    ) -> Opened:
        context = new_context(launched, size, dark=dark, javascript=javascript)
        found = Opened(context.new_page(), file)
        all_opened.append(found)
        if javascript:
            found.goto(fragment)
        else:
            found.page.goto(file.as_uri() + fragment)
        return found

    yield open_one
    for it in all_opened:
        it.page.context.close()
    for it in all_opened:
        it.clean()

# SPDX-License-Identifier: Apache-2.0
"""Draw the pictures of the site for the documentation: `python docs/tests/pictures.py .cside/build/site/html docs`."""

import sys
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[1] / "bench" / "tests" / "report" / "page" / "browser")]

from opened import DESKTOP, chromium, new_context  # noqa: E402  # the checkout's `provision` is found first
from screenshot import smaller  # noqa: E402  # beside `opened`

WIDE = (1600, 1000)
PICTURES = {"site-front.png": ("index", DESKTOP, ""), "site-idiom.png": ("idioms/buffers", WIDE, "bytes-sum")}
"""Pages by the name of the picture: the page, the size of the window, the id of what is in view."""


def picture(site: Path, page: str, size: tuple[int, int], fragment: str = "") -> bytes:
    """A PNG of what is seen of a page of the site."""
    with chromium() as launched:
        context = new_context(launched, size)
        opened = context.new_page()
        opened.goto((site.resolve() / f"{page}.html").as_uri() + (f"#{fragment}" if fragment else ""))
        opened.wait_for_timeout(500)
        found: bytes = opened.screenshot(animations="disabled")
        context.close()
    return found


@click.command()
@click.argument("site", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("into", type=click.Path(path_type=Path, exists=True, file_okay=False))
def command(site: Path, into: Path) -> None:
    """Write the pictures of the built SITE into a folder."""
    for name, (page, size, fragment) in PICTURES.items():
        (into / name).write_bytes(smaller(picture(site, page, size, fragment)))
        click.echo(f"wrote {into / name}")


if __name__ == "__main__":
    command()

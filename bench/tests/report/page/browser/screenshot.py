# SPDX-License-Identifier: Apache-2.0
"""Draw pictures of a report for the documentation: `python …/browser/screenshot.py REPORT OUT.png`."""

import io
import sys
from pathlib import Path

import click

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[4])]

from opened import DESKTOP, PHONE, Opened, chromium, new_context  # noqa: E402  # the checkout's `provision` is found first


def picture(
    report: Path, size: tuple[int, int] = DESKTOP, *, dark: bool = False, section: str = "", scale: float = 1.0
) -> bytes:
    """A PNG of what is seen when a report is opened, or of the place where a section begins, once figures are drawn."""
    with chromium() as launched:
        context = new_context(launched, size, dark=dark, scale=scale)
        page = Opened(context.new_page(), report.resolve())
        page.goto(f"#{section}" if section else "")
        page.page.wait_for_timeout(800)
        found: bytes = page.page.screenshot(animations="disabled")
        context.close()
        page.clean()
    return found


def smaller(png: bytes, colours: int = 128) -> bytes:
    """The same in a palette of so many colours, which is enough for text and charts, and a third of the size."""
    from PIL import Image

    out = io.BytesIO()
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return min(png, out.getvalue(), key=len)


@click.command()
@click.argument("report", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--phone", is_flag=True, help="As a phone of 390 by 844 shows it.")
@click.option("--dark", is_flag=True, help="In the dark theme.")
@click.option(
    "--height", type=int, default=DESKTOP[1], show_default=True, help="Of the window on a desktop, in pixels."
)
@click.option("--section", default="", metavar="ID", help="Begin at a section, as heatmap.")
@click.option("--scale", default=1.0, show_default=True, help="Pixels of the picture for each of the page.")
def main(report: Path, out: Path, phone: bool, dark: bool, height: int, section: str, scale: float) -> None:
    """Write a picture of REPORT, as a browser shows it without a network, to OUT."""
    size = PHONE if phone else (DESKTOP[0], height)
    out.write_bytes(smaller(picture(report, size, dark=dark, section=section, scale=scale)))
    click.echo(f"{out}: {out.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()

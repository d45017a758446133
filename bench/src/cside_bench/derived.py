# SPDX-License-Identifier: Apache-2.0
"""What is drawn from a run once it is summarised: claims, recommendations, the drill's table, the page.

All of it is made from files of the run, so that it can be drawn again.
"""

import shutil
from pathlib import Path
from typing import Final

from cside_bench import claims, recommend
from cside_bench.decisions import DRILL_FILE
from cside_bench.evidence import Run
from cside_bench.page.draw import draw as draw_page

PAGE_FILE: Final = "report.html"
DRILLS: Final = Path("drills") / "latest"
"""Where the newest drill lies, beside the runs."""


def draw(folder: Path) -> Path:
    """Judge claims, recommend, and write the page of a summarised run; return the page's path."""
    run = Run.load(folder)
    keep_drill(folder)
    claims.write(run)
    recommend.write(run)
    return draw_page([run], folder / PAGE_FILE)


def keep_drill(folder: Path) -> None:
    """Copy the newest drill into the run, unless the run has one of its own."""
    newest = folder.parent / DRILLS / DRILL_FILE
    if newest.exists() and not (folder / DRILL_FILE).exists():
        shutil.copyfile(newest, folder / DRILL_FILE)

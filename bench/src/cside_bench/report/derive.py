# SPDX-License-Identifier: Apache-2.0
"""Writes what follows from a summarised run: claims, recommendations, the drill's table, the page.

All of these are made from files of the run, so that they can be written again.
"""

import shutil
from pathlib import Path
from typing import Final

from cside_suite.files import write_json

from cside_bench.claims import judging
from cside_bench.recommend import document
from cside_bench.report.page.draw import draw as draw_page
from cside_bench.results import drill
from cside_bench.results.evidence import Run
from cside_bench.results.files import DRILL_FILE, LIBRARY_FILE

PAGE_FILE: Final = "report.html"


def draw(folder: Path) -> Path:
    """Judge the claims, recommend, and write the page of a summarised run; return the page's path."""
    run = Run.load(folder)
    if not (folder / LIBRARY_FILE).exists():  # claims and shipped profiles are about calls of cside's own library
        keep_drill(run)
        judging.write(run)
        document.write(run)
    return draw_page([run], folder / PAGE_FILE)


def keep_drill(run: Run) -> None:
    """Write the drill that counts for the run into its folder, from which the page is drawn.

    This is one of this machine, or a copy of the outcomes that ship with cside, which says so.
    """
    kept, chosen = run.folder / DRILL_FILE, drill.of_run(run)
    if chosen is None:
        write_json(kept, drill.reference())
    elif chosen != kept:
        shutil.copyfile(chosen, kept)

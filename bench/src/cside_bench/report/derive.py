# SPDX-License-Identifier: Apache-2.0
"""What is drawn from a run once it is summarised: claims, recommendations, the drill's table, the page.

All of it is made from files of the run, so that it can be drawn again.
"""

import json
import shutil
from pathlib import Path
from typing import Final

from cside_bench.claims import judging
from cside_bench.recommend import document
from cside_bench.report.page.draw import draw as draw_page
from cside_bench.results import drill
from cside_bench.results.evidence import Run
from cside_bench.results.files import DRILL_FILE

PAGE_FILE: Final = "report.html"


def draw(folder: Path) -> Path:
    """Judge claims, recommend, and write the page of a summarised run; return the page's path."""
    run = Run.load(folder)
    keep_drill(run)
    judging.write(run)
    document.write(run)
    return draw_page([run], folder / PAGE_FILE)


def keep_drill(run: Run) -> None:
    """Copy the newest drill into the run; one that the run has stays if the newest is of another library."""
    newest, kept = drill.newest(run.folder.parent), run.folder / DRILL_FILE
    if newest is None:
        return
    same = json.loads(newest.read_text(encoding="utf-8"))["library"] == run.summary["library_sha256"]
    if same or not kept.exists():
        shutil.copyfile(newest, kept)

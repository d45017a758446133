# SPDX-License-Identifier: Apache-2.0
"""The pages for participants and teachers agree with the labs and with the run that ships."""

import re

from cside_bench.results import shipped_run

from workshop import labs
from workshop.labs import HERE, ROOT

PAGES = ROOT / "docs" / "workshop"
ROW = re.compile(r"^\| `([^`]+)` \| (\S+) / (\S+) \| ([\d.]+) \| (\w+) \|", re.MULTILINE)


def test_the_comparisons_to_discuss_are_those_of_the_run_that_ships() -> None:
    """Each ratio to its two decimals, and each verdict."""
    run = shipped_run.load()
    rows = ROW.findall((PAGES / "teachers.md").read_text(encoding="utf-8"))
    assert len(rows) == 10
    for workload, one, two, ratio, verdict in rows:
        pair = run.pair("cpython-3.14", workload, one, two)
        assert pair is not None, workload
        assert (f"{pair.value:.2f}", pair.verdict) == (ratio, verdict), workload


def test_every_lab_is_in_the_index_by_its_title() -> None:
    """And every page of the folder is reached from it."""
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    for page in PAGES.glob("*.md"):
        assert page.name == "index.md" or f"]({page.name})" in index
    for lab in labs.every():
        assert f"[{lab.number} " in index


def test_the_timing_of_labs_is_theirs() -> None:
    """In the longest form of the workshop each takes its minutes, but for the last, which goes on afterwards."""
    rows = re.findall(r"^\| lab (\d),.*\| (\d+)[^|]*\|$", (PAGES / "teachers.md").read_text("utf-8"), re.MULTILINE)
    told = {int(number): int(minutes) for number, minutes in rows}
    assert told == {lab.number: 20 if lab.number == 8 else lab.minutes for lab in labs.every()}


def test_the_slides_name_labs_that_exist() -> None:
    """Slides are separated by rules, and each has a heading."""
    text = (HERE / "slides" / "slides.md").read_text(encoding="utf-8")
    slides = text.split("\n---\n")
    assert len(slides) > 12
    assert all(re.search(r"^#{1,2} \S", slide.strip()) for slide in slides)
    assert {int(number) for number in re.findall(r"Labs? (\d)", text)} <= {lab.number for lab in labs.every()}

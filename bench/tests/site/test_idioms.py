# SPDX-License-Identifier: Apache-2.0
"""The pages of idioms side by side."""

from dataclasses import replace
from pathlib import Path

import pytest
from cside_bench.results import shipped_run
from cside_bench.results.evidence import Run
from cside_bench.site import idioms
from cside_bench.site.idioms import NothingFound
from cside_bench.source.places import bindings
from cside_suite.subjects.groups import stem_of
from repository import ROOT


@pytest.fixture(scope="module")
def run() -> Run:
    """The run that ships."""
    return shipped_run.load()


def page(name: str) -> idioms.Page:
    """A page by its name."""
    return next(each for each in idioms.pages() if each.name == name)


def test_every_function_of_the_idioms_is_on_a_page() -> None:
    """It has a section, or its page names it as being written like another one."""
    assert idioms.left_out() == []


def test_every_page_has_functions_mistakes_and_a_preference() -> None:
    """And each mistake is one of the catalogue."""
    for each in idioms.pages():
        assert each.functions and each.hazards and each.prefer
        assert all(stem_of(name) for name in each.functions)
        assert len(idioms.mistakes(each)["tables"][0][1]) == len(each.hazards)


def test_a_function_has_all_its_parts(run: Run) -> None:
    """Declaration, promise, the code of every binding without its partial variants, tests, costs."""
    found = idioms.function(ROOT, run, page("buffers"), "bytes_sum")
    assert "cs_bytes_sum" in found["declaration"][0]["code"]
    assert "def bytes_sum" in found["contract"][0]["code"]
    assert [name for name, _ in found["sides"]] == bindings(ROOT)
    places = [piece["place"] for _, pieces in found["sides"] for piece in pieces]
    assert not any(word in place for place in places for word in ("variants/", "/bare/", "/default/", "/limited/"))
    assert found["tests"][0]["place"].partition(":")[0].endswith("test_idioms_buffers.py")
    assert "`idioms.bytes_sum[bytes]`" in [row[0] for row in found["costs"].rows]


def test_the_stream_is_shown_whole(run: Run) -> None:
    """The file of each binding, from its first line to its last."""
    found = idioms.whole(ROOT, page("stream"))
    assert [name for name, _ in found] == bindings(ROOT)
    for _, pieces in found:
        path = ROOT / pieces[0]["place"].partition(":")[0]
        assert len(pieces[0]["code"].splitlines()) == len(path.read_text(encoding="utf-8").splitlines())


def test_a_page_whose_code_is_nowhere_is_refused(run: Run, tmp_path: Path) -> None:
    """So that a renamed file fails the build of the site, and leaves no empty page."""
    for name in ("bindings", "native/include/cside", "native/src", "bench/suite/src/cside_suite/contract"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "native/include/cside/status.h").write_text("", encoding="utf-8")
    with pytest.raises(NothingFound, match="no declaration of bytes_sum"):
        idioms.function(tmp_path, run, page("buffers"), "bytes_sum")


def test_an_unknown_mistake_is_refused() -> None:
    """The message names the page and the mistake."""
    with pytest.raises(NothingFound, match=r"'buffers'.*no_such"):
        idioms.mistakes(replace(page("buffers"), hazards=["no_such"]))

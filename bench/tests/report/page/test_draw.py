# SPDX-License-Identifier: Apache-2.0
"""The page: what it embeds can be read back to the digits of the run, and it needs nothing beside itself."""

import base64
import gzip
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from columns_read import value_of
from cside_bench.report.derive import keep_drill
from cside_bench.report.page import draw
from cside_bench.report.page.data import SCALE, machine_ids
from cside_bench.report.page.sections import SECTIONS, href
from cside_bench.report.report import Report
from cside_bench.results import drill, hazards
from cside_bench.results.evidence import Run
from kept_run import MARKUP, Shape, write_kept_run

VOID_ELEMENTS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


class Parsed(HTMLParser):
    """Elements of a page: ids, links, scripts by id, and what was left open or closed wrongly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.headings: list[int] = []
        self.scripts: dict[str, tuple[dict[str, str | None], str]] = {}
        self.wrong: list[str] = []
        self._open: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if identity := known.get("id"):
            self.ids.append(identity)
        if tag == "a" and (link := known.get("href")):
            self.links.append(link)
        self.sources += [value for name in ("src", "srcset") if (value := known.get(name))]
        if tag == "link" and (link := known.get("href")):
            self.sources.append(link)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID_ELEMENTS:
            self._open.append((tag, known))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._open.pop()
        else:
            self.wrong.append(f"</{tag}> closes {self._open[-1][0] if self._open else 'nothing'}")

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] == "script":
            attributes = self._open[-1][1]
            name = attributes.get("id") or ""
            self.scripts[name] = (attributes, self.scripts.get(name, ({}, ""))[1] + data)


def unpacked(page: Parsed, name: str) -> Any:
    """A document that the page embeds."""
    attributes, text = page.scripts[name]
    return json.loads(gzip.decompress(base64.b64decode(text)) if attributes["data-encoding"] == "gzip" else text)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run with every section."""
    return Run.load(write_kept_run(tmp_path_factory.mktemp("run"), Shape()))


@pytest.fixture(scope="module")
def text(run: Run) -> str:
    """The page of the run, as HTML."""
    return draw.page([run])


@pytest.fixture(scope="module")
def page(text: str) -> Parsed:
    """The page of the run, parsed."""
    return Parsed(text)


def test_every_section_is_there_in_order_with_a_heading_and_a_link(page: Parsed) -> None:
    """The table of contents leads to each section, and headings skip no level."""
    assert [name for name in page.ids if name in SECTIONS] == list(SECTIONS)
    assert {f"#{name}" for name in SECTIONS} <= set(page.links)
    assert all(later - earlier <= 1 for earlier, later in zip(page.headings, page.headings[1:], strict=False))


def test_elements_are_closed_and_ids_are_unique(page: Parsed) -> None:
    """The page is well formed, even though the run's texts contain markup."""
    assert page.wrong == []
    assert sorted(page.ids) == sorted(set(page.ids))


def test_texts_of_a_run_are_shown_and_never_run(text: str) -> None:
    """A reason with markup in it stands in the page as text; what it would close stays open."""
    assert MARKUP not in text
    assert "&lt;lambda&gt;" in text


def test_nothing_is_fetched(page: Parsed) -> None:
    """No element has a source outside the page, and no style imports one."""
    assert [source for source in page.sources if not source.startswith("data:")] == []
    assert not re.search(r"@import|url\((?!['\"]?data:)", draw.source("theme.css") + draw.source("layout.css"))


def test_every_link_within_the_page_leads_somewhere(page: Parsed, run: Run) -> None:
    """A link is to an id of the page or to a cell that the run measured."""
    known = {
        href(label, workload, subject)
        for label in run.labels
        for workload in run.workloads(label)
        for subject in [*run.bindings, *run.variants, *run.references]
        if run.cell(label, workload, subject) is not None
    }
    assert any(link in known for link in page.links)
    wrong = [link for link in page.links if link not in known and link.removeprefix("#") not in page.ids]
    assert wrong == []


def test_a_cell_can_be_read_back(page: Parsed, run: Run) -> None:
    """Ratio, bounds, time and verdict of every cell are in the page, to the digits that it promises."""
    document = unpacked(page, "data-cells")
    own = document["runs"][0]
    at = 0
    for interpreter in own["interpreters"]:
        for workload, pattern in zip(interpreter["rows"][::2], interpreter["rows"][1::2], strict=True):
            for subject in own["patterns"][pattern]:
                where = interpreter["label"], document["workloads"][workload], document["subjects"][subject]
                cell = run.cell(*where)
                assert cell is not None
                found = {name: value_of(stored, at) for name, stored in own["columns"].items()}
                assert document["verdicts"][found["verdict"]] == cell["verdict"]
                if cell["ratio"] is not None:
                    assert found["ratio"] == pytest.approx(cell["ratio"], rel=1e-4)
                    for short, name in (("low", "ratio_low"), ("alone_high", "alone_high")):
                        if cell[name] is not None:
                            bound = found["ratio"] * math.exp(found[short] / SCALE)
                            assert bound == pytest.approx(cell[name], rel=1e-4)
                assert (found["void"] >= 0) == (cell["void"] is not None or cell["unsteady"] is not None)
                at += 1
    assert at == own["length"] == len(run.summary["cells"])


def test_single_processes_can_be_read_back(page: Parsed, run: Run) -> None:
    """The ratio that each process found is in the page, in the order of processes."""
    document = unpacked(page, "data-cells")
    own = document["runs"][0]
    first = own["interpreters"][0]
    workload = document["workloads"][first["rows"][0]]
    subjects = [document["subjects"][number] for number in own["patterns"][first["rows"][1]]]
    at = next(number for number, name in enumerate(subjects) if name != run.reference)
    ratio = value_of(own["columns"]["ratio"], at)
    found = [ratio * math.exp(each / SCALE) for each in value_of(own["columns"]["each"], at)]
    assert found == pytest.approx(list(run.ratios(first["label"], workload, subjects[at])), rel=1e-4)


def test_rows_behind_figures_and_sentences_are_embedded_once(page: Parsed) -> None:
    """Figures name the table that they draw; those that draw the same rows share it."""
    document = unpacked(page, "data-drawn")
    names = [figure["rows"] for figure in document["figures"].values()]
    assert set(names) <= set(document["tables"])
    texts = [json.dumps(table) for table in document["tables"].values()]
    assert len(texts) == len(set(texts))


def test_two_machines_stand_side_by_side(tmp_path: Path) -> None:
    """Links to cells begin with the machine, and ids stay unique."""
    runs = [
        Run.load(write_kept_run(tmp_path, Shape(labels=("cpython-3.14",), machine=name, run=f"20261121-12000{at}")))
        for at, name in enumerate(("one", "two"))
    ]
    drawn = Parsed(draw.page(runs))
    assert sorted(drawn.ids) == sorted(set(drawn.ids))
    assert drawn.wrong == []
    links = [link for link in drawn.links if link.startswith("#cell/")]
    assert {link.split("/")[1] for link in links} == set(machine_ids(runs))


def test_two_runs_of_one_machine_are_told_apart(tmp_path: Path) -> None:
    """The run's name joins that of the machine."""
    runs = [
        Run.load(write_kept_run(tmp_path, Shape(labels=("cpython-3.14",), machine="one", run=f"20261121-12000{at}")))
        for at in range(2)
    ]
    assert len(set(machine_ids(runs))) == 2


def test_mistakes_are_counted_and_each_stands_in_a_fold(text: str, page: Parsed) -> None:
    """Those that ship are marked as another machine's, and a page of two machines shows them once."""
    told = hazards.reference()
    own = text.partition('<section id="hazards"')[2].partition("</section>")[0]
    assert "on another machine" in own and "nox -s hazards" in own
    for each in told["interpreters"]:
        assert f"hazards-{each['label']}" in page.ids
        assert f"The {len(told['hazards'])} mistakes on {each['label']}</summary>" in own
    assert own.count('<td class="outcome-') == len(told["outcomes"])


def test_mistakes_that_ship_are_shown_once_for_two_machines(tmp_path: Path) -> None:
    """They are of neither."""
    runs = [
        Run.load(write_kept_run(tmp_path, Shape(labels=("cpython-3.14",), machine=name, run=f"20261121-12000{at}")))
        for at, name in enumerate(("one", "two"))
    ]
    own = draw.page(runs).partition('<section id="hazards"')[2].partition("</section>")[0]
    assert own.count('<td class="outcome-') == len(hazards.reference()["outcomes"])


def test_a_run_without_extras_says_what_is_missing(tmp_path: Path) -> None:
    """Where nothing was recommended, judged or drilled, the page names the command that does it."""
    run = Run.load(write_kept_run(tmp_path, Shape(sections=frozenset())))
    text = draw.page([run])
    assert all(command in text for command in ("cside recommend", "cside claims", "nox -s drill"))
    assert Parsed(text).wrong == []


def test_a_drill_that_ships_is_shown_as_such(tmp_path: Path) -> None:
    """On the page and in report.md, with what it was made with; one of the run's own is not."""
    run = Run.load(write_kept_run(tmp_path, Shape(sections=frozenset({"drill"}))))
    says = "was not tried on this machine"
    assert says not in draw.page([run])
    (run.folder / "drill.json").unlink()
    keep_drill(run)
    made = drill.reference()["created"][:10]
    for text in (draw.page([run]), Report(run).markdown()):
        assert says in text and f"made on {made}" in text


def test_the_quick_tier_is_drawn_without_verdicts(tmp_path: Path) -> None:
    """No adjusted interval, no rank, no verdict; and it says so."""
    run = Run.load(write_kept_run(tmp_path, Shape(tier="quick")))
    drawn = Parsed(draw.page([run]))
    document = unpacked(drawn, "data-cells")
    assert set(document["verdicts"]) <= {"none", "reference"}
    assert "numbers, no verdicts" in draw.page([run])


def test_a_file_is_written_into_a_folder_or_under_a_name(run: Run, tmp_path: Path) -> None:
    """A folder gets ``report.html``."""
    assert draw.draw([run], tmp_path) == tmp_path / "report.html"
    assert draw.draw([run], tmp_path / "other.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_no_run_is_no_page() -> None:
    """Nothing is drawn of nothing."""
    with pytest.raises(ValueError, match="needs a run"):
        draw.page([])


@pytest.mark.parametrize(
    ("share", "shown"),
    [(0.0, "0 %"), (0.001, "< 1 %"), (0.42, "42 %"), (0.9996, "> 99 %"), (1.0, "100 %"), (None, "—")],
)
def test_a_probability_is_not_shown_as_certain_unless_it_is(share: float | None, shown: str) -> None:
    """0 % and 100 % are kept for what was never and always so."""
    assert draw.percent(share) == shown

# SPDX-License-Identifier: Apache-2.0
"""The figures of the page: each compiles, draws what its rows hold, and says so where there is nothing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altair as alt
import pytest
import vl_convert
from cside_bench.report.page.charts import figures, warmup
from cside_bench.report.page.charts.figure import Figure
from cside_bench.report.page.charts.palette import Look
from cside_bench.report.page.sections import SECTIONS
from cside_bench.results.evidence import Run
from kept_run import Shape, write_kept_run

NAMES = [
    "answer",
    "controls",
    "checks",
    "calls",
    "times",
    "sizes",
    "overhead",
    "warmup",
    "tails",
    "threads",
    "costs",
    "worth",
    "inside",
    "claims",
]


TRANSFORMED = re.compile(r"datum\.(\w+)")


def run_of(folder: Path, shape: Shape | None = None) -> Run:
    """The kept run with changes."""
    return Run.load(write_kept_run(folder, shape or Shape()))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run with every section, on an interpreter with a compiler and one without."""
    return run_of(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def drawn(run: Run) -> dict[str, Figure]:
    """The figures of the run, by name."""
    return {figure.name: figure for figure in figures([run])}


def parts(spec: Any) -> Iterator[dict[str, Any]]:
    """Every object within a specification."""
    if isinstance(spec, dict):
        yield spec
        for value in spec.values():
            yield from parts(value)
    elif isinstance(spec, list):
        for value in spec:
            yield from parts(value)


def shown(figure: Figure) -> list[dict[str, object]]:
    """Rows as the page filters them at first."""
    return [row for row in figure.rows if all(str(row.get(it.column)) == it.default for it in figure.controls)]


def scenegraph(figure: Figure, rows: list[dict[str, object]], width: int = 340) -> str:
    """The chart drawn from rows, as SVG."""
    assert figure.spec is not None
    whole = figure.spec | {"width": width, "data": {"name": "rows", "values": rows}}
    return vl_convert.vegalite_to_svg(whole)


def test_every_figure_is_there_once_and_in_a_section_of_the_page(drawn: dict[str, Figure]) -> None:
    """Names are addresses within the page, and do not change silently."""
    assert list(drawn) == NAMES
    assert {figure.section for figure in drawn.values()} <= set(SECTIONS)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_valid_vega_lite_and_compiles(drawn: dict[str, Figure], name: str) -> None:
    """By the schema of the version that Altair writes for, and by the compiler that the page brings along."""
    spec = drawn[name].spec
    assert spec is not None, drawn[name].reason
    alt.Chart.from_dict(spec, validate=True)
    assert vl_convert.vegalite_to_vega(spec)["marks"]
    assert "values" not in json.dumps(spec["data"])


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_says_what_it_shows_and_how_it_was_measured(drawn: dict[str, Figure], name: str) -> None:
    """A caption with a number, the method, the files, and a description for those who do not see the chart."""
    figure = drawn[name]
    assert figure.spec is not None
    assert re.search(r"\d", figure.says) and figure.says.endswith(".")
    assert figure.how.endswith(".") and figure.raw and not figure.reason
    assert figure.spec["description"].endswith(".")
    assert figure.spec["width"] == "container"


@pytest.mark.parametrize("name", NAMES)
def test_fields_of_a_chart_are_columns_of_its_rows(drawn: dict[str, Figure], name: str) -> None:
    """A field is a column of the rows, or the chart computes it from columns."""
    figure = drawn[name]
    known = {column for row in figure.rows for column in row}
    made: set[str] = set()
    for part in parts(figure.spec):
        for named in (part.get("as", ()), part.get("flatten", ())):
            made |= {named} if isinstance(named, str) else set(named)
    for part in parts(figure.spec):
        field = part.get("field")
        if isinstance(field, str) and field:  # that of a row's number is empty
            assert field in known | made, field
        for key in ("calculate", "filter"):
            if isinstance(part.get(key), str):
                assert set(TRANSFORMED.findall(part[key])) <= known | made, part[key]


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_is_a_value_of_a_column_and_the_first_one_draws_something(drawn: dict[str, Figure], name: str) -> None:
    """Controls filter rows by equality, and no chart opens empty."""
    figure = drawn[name]
    for control in figure.controls:
        assert control.default in control.values
        assert set(control.values) == {str(row[control.column]) for row in figure.rows}
    assert shown(figure)
    assert re.search(r'aria-roledescription="[^"]*mark"', scenegraph(figure, shown(figure)))


@pytest.mark.parametrize("name", NAMES)
def test_no_choice_draws_more_than_a_browser_likes(drawn: dict[str, Figure], name: str) -> None:
    """A chart has fewer than 2,000 SVG elements."""
    assert len(re.findall(r"<(path|text|line|rect)\b", scenegraph(drawn[name], shown(drawn[name])))) < 2000


@pytest.mark.parametrize("name", NAMES)
def test_a_chart_brings_no_black_and_no_white(drawn: dict[str, Figure], name: str) -> None:
    """Text, axes and grounds are the page's, for light and dark."""
    text = json.dumps(drawn[name].spec).lower()
    assert not re.search(r'"(black|white|#000|#fff|#000000|#ffffff)"', text)
    assert '"config"' not in text


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_plain_and_finite(drawn: dict[str, Figure], name: str) -> None:
    """Rows can be written as JSON, without NaN or infinity."""
    json.dumps(drawn[name].rows, allow_nan=False)


def test_each_valid_cell_of_the_short_table_is_a_bar(run: Run, drawn: dict[str, Figure]) -> None:
    """Where there is no valid cell the row has no number, and its note says why."""
    rows = drawn["calls"].rows
    workloads = {str(row["workload"]) for row in rows}
    for label in run.labels:
        for subject in run.bindings:
            own = [row for row in rows if (row["interpreter"], row["subject"]) == (label, subject)]
            assert {row["workload"] for row in own} == workloads & set(run.workloads(label))
            for row in own:
                cell = run.cell(label, str(row["workload"]), subject)
                if cell is None or cell["void"] is not None or cell["unsteady"] is not None:
                    assert row["ratio"] is None and row["ns"] is None and row["note"]
                    assert cell is None or cell["unsteady"] is None or str(row["note"]).startswith("not steady: ")
                else:
                    assert row["ratio"] == pytest.approx(cell["ratio"], rel=1e-3)
                    low = cell["alone_low"] if row["workload"] == "import" else cell["ratio_low"]
                    assert row["low"] == (None if low is None else pytest.approx(low, rel=1e-3)) or row["ratio"] == 1


def test_a_missing_cell_is_never_drawn_as_a_number(tmp_path: Path) -> None:
    """A void cell and a gap are words in the chart, with their reason."""
    run = run_of(tmp_path, Shape(lacking=(("cffi", "idioms.noop"),), void=(("swig", "idioms.noop"),)))
    calls = next(it for it in figures([run]) if it.name == "calls")
    own = {str(row["subject"]): row for row in shown(calls) if row["workload"] == "idioms.noop"}
    assert own["cffi"]["ratio"] is None and own["swig"]["ratio"] is None and own["cython"]["ratio"] is not None
    assert str(own["swig"]["note"]).startswith("void: ")
    picture = scenegraph(calls, shown(calls), 900)
    assert "cffi: " in picture and "swig: void" in picture


def test_the_twin_of_a_binding_is_drawn_against_its_own_binding(tmp_path: Path) -> None:
    """It is 1 % slower than cffi, whatever cffi is against the reference; other bindings have no row without one."""
    folder = write_kept_run(tmp_path, Shape())
    file = folder / "summary.json"
    summary = json.loads(file.read_text(encoding="utf-8"))
    cells = [it for it in summary["cells"] if (it["binding"], it["variant"]) == ("cffi", "") and it["ratio"]]
    for cell in cells:
        summary["cells"].append(cell | {"binding": "twin", "variant": "cffi", "ratio": 1.01 * cell["ratio"]})
    file.write_text(json.dumps(summary), encoding="utf-8")
    figure = next(it for it in figures([Run.load(folder)]) if it.name == "controls")
    found = [row for row in figure.rows if row["control"] == "twin.cffi"]
    assert found
    assert [row["change"] for row in found] == [pytest.approx(0.01, abs=1e-4)] * len(found)
    assert {str(row["control"]) for row in figure.rows} == {"twin", "twin.cffi", "relinked", "delayed"}
    assert "twin.cffi" in vl_convert.vegalite_to_svg(figure.spec | {"data": {"values": figure.rows}})


def test_every_size_of_a_sweep_is_a_point(run: Run, drawn: dict[str, Figure]) -> None:
    """Every size of every binding is a point, and each piece of a fitted line is a row."""
    rows = [row for row in drawn["sizes"].rows if row["family"] == "codec.crc32[bytes]"]
    model = run.summary["models"][0]["families"][0]
    own = [row for row in rows if row["interpreter"] == run.labels[0]]
    points = {(row["subject"], row["nbytes"]) for row in own if row["kind"] == "measured"}
    assert {(name, size) for name in run.bindings for size in model["sizes"]} <= points
    pieces = sum(len(it["pieces"]) for it in model["subjects"])
    assert sum(row["kind"] == "fitted" for row in own) == pieces
    assert sum(row["kind"] == "cliff" for row in own) == sum(len(it["cliffs"]) for it in model["subjects"])


def test_each_thread_cell_and_each_curve_is_drawn(run: Run, drawn: dict[str, Figure]) -> None:
    """Rows are as many as the summary has."""
    assert len(drawn["threads"].rows) == len(run.summary["threads"]["cells"])
    steady = [row for row in drawn["warmup"].rows if row["kind"] == "steady"]
    assert len(steady) == sum(len(entry["cells"]) for entry in run.summary["steady"])


def test_a_share_beyond_the_whole_call_is_told_and_not_drawn(run: Run, drawn: dict[str, Figure]) -> None:
    """Where the loop in C took longer, there is no bar of more than 100 per cent."""
    for row in drawn["inside"].rows:
        assert row["note"] if row["inside"] is None else 0 < float(str(row["inside"])) <= 1
    assert len({row["interpreter"] for row in drawn["inside"].rows}) == len(run.labels)


def test_an_untrusted_interpreter_is_named_in_every_caption_about_it(tmp_path: Path) -> None:
    """The caption says that nothing is ranked there."""
    for figure in figures([run_of(tmp_path, Shape(untrusted=("pypy-3.11",)))]):
        if figure.spec is not None and figure.name not in {"checks", "costs"}:
            assert "pypy-3.11 is not trustworthy" in figure.says and "nothing is ranked" in figure.says, figure.name


def test_a_tier_without_verdicts_says_so_and_shows_intervals_alone(tmp_path: Path) -> None:
    """Three processes: the interval is that of the comparison by itself, and the rows say which it is."""
    quick = {it.name: it for it in figures([run_of(tmp_path, Shape(tier="quick"))])}
    assert "gives no verdicts" in quick["calls"].says
    kinds = {row["interval"] for row in quick["calls"].rows if row["ratio"] not in (None, 1.0)}
    assert kinds <= {"this comparison alone", "none"} and "this comparison alone" in kinds
    assert quick["checks"].spec is None and quick["checks"].reason


def test_a_run_with_nothing_but_cells_gives_reasons(tmp_path: Path) -> None:
    """No exception and no empty chart: each figure without data says why."""
    run = run_of(tmp_path, Shape(sections=frozenset(), labels=("cpython-3.14",), others=(), workloads=("idioms.noop",)))
    bare = {it.name: it for it in figures([run])}
    assert list(bare) == NAMES
    for name in ("answer", "controls", "sizes", "overhead", "warmup", "tails", "threads", "costs", "worth", "claims"):
        assert bare[name].spec is None and bare[name].reason.endswith("."), name
        assert not bare[name].rows or name in {"answer", "claims"}


def test_an_empty_run_gives_reasons(tmp_path: Path) -> None:
    """Not a single cell, as after an interruption in the first block."""
    folder = write_kept_run(tmp_path, Shape(sections=frozenset()))
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    summary |= {"cells": [], "parity": [], "models": [], "steady": [], "threads": None, "costs": None}
    (folder / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    found = figures([Run.load(folder)])
    assert [it.name for it in found] == NAMES
    assert all(it.spec is not None or it.reason for it in found)
    assert next(it for it in found if it.name == "calls").reason


def test_two_machines_are_told_apart(tmp_path: Path) -> None:
    """Every row has its machine, and every chart with rows a control for it."""
    runs = [
        run_of(tmp_path / name, Shape(machine=name, run=f"20261121-1{place}0000"))
        for place, name in enumerate(("one", "two"))
    ]
    for figure in figures(runs):
        assert figure.spec is not None, figure.reason
        assert {row["machine"] for row in figure.rows} == {"one", "two"}, figure.name
        machine = figure.controls[[it.column for it in figure.controls].index("machine")]
        assert machine.values == ["one", "two"] and machine.default == "one"
        assert {row["machine"] for row in shown(figure)} == {"one"}
        vl_convert.vegalite_to_vega(figure.spec)


def test_a_subject_looks_the_same_in_every_figure(run: Run, drawn: dict[str, Figure]) -> None:
    """Colour, shape and dash go by the order of the bindings, and references do not move them."""
    plain, more = Look([run]), Look([run], ["standard library"])
    assert more.colours[: len(plain.subjects)] == plain.colours
    assert plain.subjects == run.bindings
    domains = [
        part["domain"][: len(run.bindings)]
        for figure in drawn.values()
        for part in parts(figure.spec)
        if isinstance(part.get("domain"), list) and run.reference in part["domain"] and "range" in part
    ]
    assert domains and all(domain == run.bindings for domain in domains)


def test_a_warm_up_shows_single_processes_where_they_are_known(run: Run, tmp_path: Path) -> None:
    """Lines and changes of level are in figures.json; a run without it has the median and the steady state."""
    assert {"median", "steady", "process"} <= {row["kind"] for row in warmup.rows_of([run])}
    alone = run_of(tmp_path)
    (alone.folder / "figures.json").unlink()
    assert {row["kind"] for row in warmup.rows_of([alone])} == {"median", "steady"}

# SPDX-License-Identifier: Apache-2.0
"""Writes ``report.html`` from one run, or from several side by side."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jinja2
from cside_suite.files import write_text
from markupsafe import Markup, escape

from cside_bench.compare.machines import OUTCOMES as AGREEMENTS
from cside_bench.compare.machines import merge
from cside_bench.report import shapes
from cside_bench.report.adr import decision
from cside_bench.report.amounts import ns
from cside_bench.report.costs import MISSING, NONE
from cside_bench.report.decisions import between, settled_by
from cside_bench.report.hazards import LEGEND
from cside_bench.report.page import libraries
from cside_bench.report.page.charts import figures
from cside_bench.report.page.charts.figure import Figure
from cside_bench.report.page.columns import columnar, embedded
from cside_bench.report.page.data import cells, machine_ids
from cside_bench.report.page.packing import packed
from cside_bench.report.page.sections import MAYBE, MISTAKES, OUTCOMES, SAFETY, SECTIONS, SHOWN_CELLS, VERDICTS, View
from cside_bench.results.evidence import Run

STYLES: Final = ("theme", "layout", "tables", "heatmap", "figures", "dialog", "print")
"""Style sheets in their order; later ones refine earlier ones."""
SCRIPTS: Final = (
    "data",
    "place",
    "theme",
    "tables",
    "files",
    "figures",
    "heatmap",
    "cells",
    "dialog",
    "evidence",
    "start",
)
"""Scripts, which share the scope of one function; ``start`` uses all others."""
NAME: Final = "report.html"
AMOUNT: Final = re.compile(r"(?P<most>[^;(]+?) \((?P<range>[^)]* to [^)]*)\)(?P<count>, n = \d+)?")
"""Pattern of an amount with its range and, for builds, their number."""


def source(name: str) -> str:
    """Read a script or style sheet of the page, without its licence line."""
    text = files("cside_bench.report.page").joinpath("templates", name).read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    return rest if "SPDX-License-Identifier" in first else text


class Rows:
    """Tables by name; figures that draw the same rows share a table."""

    def __init__(self) -> None:
        self.tables: dict[str, Any] = {}
        self._known: dict[str, str] = {}

    def name(self, wanted: str, rows: Sequence[Mapping[str, Any]]) -> str:
        """Store rows under the name ``wanted``, or return the name of equal rows stored before."""
        table = columnar(rows)
        found = self._known.setdefault(embedded(table), wanted)
        if found == wanted:
            self.tables[wanted] = table
        return found


def drawn_document(drawn: Sequence[Figure], tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the specifications of the figures, and the rows of figures and of tables that are shown on demand."""
    rows = Rows()
    known = {
        figure.name: {"spec": figure.spec, "rows": rows.name(f"figure-{figure.name}", figure.rows)} for figure in drawn
    }
    return {"figures": known, "of": {name: rows.name(name, own) for name, own in tables.items()}, "tables": rows.tables}


def percent(value: float | None, digits: int = 0) -> str:
    """Format a share as percent; a probability below 1 is never rounded to 100 %, one above 0 never to 0 %."""
    if value is None:
        return "—"
    text = f"{100 * value:.{digits}f}"
    if digits == 0 and text in ("0", "100") and 0 < value < 1:
        return "< 1 %" if text == "0" else "> 99 %"
    return f"{text} %"


def number(value: float | None) -> str:
    """Format a number with three significant digits, separated thousands and no exponent."""
    if value is None:
        return "—"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1e-3 or value == 0 else f"{value:.6f}".rstrip("0")


def amount(text: str) -> Markup:
    """Format a cell of a table of costs; the range in ``4.2 (4.1 to 4.3)`` goes below the number, in small type."""
    found = []
    for part in text.replace("`", "").split("; "):
        match = AMOUNT.fullmatch(part)
        if match is None:
            found.append(escape(part))
        else:
            found.append(Markup("{}<small>{}{}</small>").format(match["most"], match["range"], match["count"] or ""))
    return Markup("; ").join(found)


def amounts(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Return whether a column of a table of costs has amounts only, which are aligned to the right."""
    return at > 0 and all(row[at][:1].isdigit() or row[at] in (MISSING, NONE) for row in rows)


def page(runs: Sequence[Run]) -> str:
    """Return the text of the page. Raises ``ValueError`` without a run."""
    if not runs:
        raise ValueError("a page needs a run")
    views = [View(run, machine, several=len(runs) > 1) for run, machine in zip(runs, machine_ids(runs), strict=True)]
    drawn = figures(runs)
    by_section = {section: [figure for figure in drawn if figure.section == section] for section in SECTIONS}
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cside_bench.report.page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"ns": ns, "percent": percent, "number": number, "amount": amount, "amounts": amounts}
    environment.filters |= {"between": between, "settled_by": settled_by, "decision": decision}
    evidence = {name: rows for view in views for name, rows in view.evidence().items()}
    return environment.get_template("page.html.j2").render(
        views=views,
        several=len(views) > 1,
        merged=merge(runs) if len(views) > 1 else None,
        agreements=AGREEMENTS,
        sections=SECTIONS,
        figures=by_section,
        outcomes=OUTCOMES,
        verdicts=VERDICTS,
        safety=SAFETY,
        mistakes=MISTAKES,
        mistakes_legend=LEGEND,
        maybe=MAYBE,
        shown_cells=SHOWN_CELLS,
        shapes=shapes,
        style=Markup("\n".join(source(f"{name}.css") for name in STYLES)),
        early=Markup(source("early.js")),
        script=Markup("\n".join(source(f"{name}.js") for name in SCRIPTS)),
        cells=packed(cells(runs)),
        drawn=packed(drawn_document(drawn, evidence)),
        vega=Markup(libraries.vega()),
        datatables=Markup(libraries.datatables()),
    )


def draw(runs: Sequence[Run], out: Path) -> Path:
    """Write the page of these runs to a file, or as ``report.html`` into a folder; return its path.

    Raises ``ValueError`` without a run, and ``OSError`` if the file cannot be written.
    """
    path = out / NAME if out.is_dir() else out
    write_text(path, page(runs))
    return path

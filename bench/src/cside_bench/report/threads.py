# SPDX-License-Identifier: Apache-2.0
"""The section of the report on threads, in Markdown."""

from typing import Any

import jinja2
from cside_suite.subjects.thread_calls import NATIVE

from cside_bench.summary.threads import percent


class Page:
    """What ``_scaling.md.j2`` is drawn from: the only name that it needs is ``scaling``, one of these."""

    def __init__(self, summary: dict[str, Any]) -> None:
        self.void: list[dict[str, str]] = summary["void"]
        self.gaps: list[dict[str, str]] = summary["gaps"]
        self.tables = [self._table(interpreter, summary["cells"]) for interpreter in summary["interpreters"]]

    @staticmethod
    def _table(interpreter: dict[str, Any], cells: list[dict[str, Any]]) -> dict[str, Any]:
        rows: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
        for cell in cells:
            if cell["interpreter"] == interpreter["label"]:
                rows.setdefault((cell["call"], cell["subject"]), {})[cell["threads"]] = cell
        return interpreter | {
            "rows": [
                {"call": call, "subject": subject, "gil": by_threads[1]["gil"], "cells": by_threads}
                for (call, subject), by_threads in rows.items()
            ],
            "at": max((it for it in interpreter["threads"] if it <= interpreter["cpus"]), default=1),
            "most": max(interpreter["threads"]),
        }

    @staticmethod
    def rate(cell: dict[str, Any]) -> str:
        """Calls per second, three digits; of the native ceiling none, which is counted by loops."""
        value = cell["rate"]
        if value is None or cell["subject"] == NATIVE:
            return "" if cell["subject"] == NATIVE else "—"
        for unit, size in ((" M", 1e6), (" k", 1e3)):
            if value >= size:
                return f"{value / size:.3g}{unit}"
        return f"{value:.3g}"

    @staticmethod
    def times(cell: dict[str, Any] | None) -> str:
        """A speed-up with its interval."""
        if cell is None or cell["speed_up"] is None:
            return "—"
        text = f"{cell['speed_up']:.2f}"
        if cell["speed_up_low"] is None or cell["speed_up_low"] == cell["speed_up_high"]:
            return text
        return f"{text} ({cell['speed_up_low']:.2f} to {cell['speed_up_high']:.2f})"

    @staticmethod
    def ceiling(cell: dict[str, Any] | None) -> str:
        """The efficiency, of what does not hold the GIL."""
        return percent(cell["efficiency"]) if cell and cell["gil"] in ("released", "off") else ""

    @staticmethod
    def slowest(cell: dict[str, Any] | None) -> str:
        """The slowest thread's share."""
        return percent(cell["share"]) if cell else "—"


def markdown(summary: dict[str, Any]) -> str:
    """The page's part about threads, empty where nothing was measured."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cside_bench.report"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("_scaling.md.j2").render(scaling=Page(summary))

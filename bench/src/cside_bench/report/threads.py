# SPDX-License-Identifier: Apache-2.0
"""Writes the section of ``report.md`` on threads."""

from typing import Any

import jinja2
from cside_suite.subjects.thread_calls import NATIVE

from cside_bench.summary.threads import percent


class Page:
    """The data of the template ``_scaling.md.j2``, which has it under the name ``scaling``."""

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
        """Format calls per second with three digits; empty for the native ceiling, which counts loops instead."""
        value = cell["rate"]
        if value is None or cell["subject"] == NATIVE:
            return "" if cell["subject"] == NATIVE else "—"
        for unit, size in ((" M", 1e6), (" k", 1e3)):
            if value >= size:
                return f"{value / size:.3g}{unit}"
        return f"{value:.3g}"

    @staticmethod
    def times(cell: dict[str, Any] | None) -> str:
        """Format a speed-up with its interval."""
        if cell is None or cell["speed_up"] is None:
            return "—"
        text = f"{cell['speed_up']:.2f}"
        if cell["speed_up_low"] is None or cell["speed_up_low"] == cell["speed_up_high"]:
            return text
        return f"{text} ({cell['speed_up_low']:.2f} to {cell['speed_up_high']:.2f})"

    @staticmethod
    def ceiling(cell: dict[str, Any] | None) -> str:
        """Format the efficiency of a cell that does not hold the GIL; empty for others."""
        return percent(cell["efficiency"]) if cell and cell["gil"] in ("released", "off") else ""

    @staticmethod
    def slowest(cell: dict[str, Any] | None) -> str:
        """Format the share of the slowest thread."""
        return percent(cell["share"]) if cell else "—"


def markdown(summary: dict[str, Any]) -> str:
    """Return the section of the report on threads, from the section ``threads`` of a summary."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cside_bench.report"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("_scaling.md.j2").render(scaling=Page(summary))

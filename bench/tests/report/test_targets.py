# SPDX-License-Identifier: Apache-2.0
"""Targets are for developers of cside: those beyond what is fair first, and met ones only if asked for."""

from io import StringIO
from typing import Any

from cside_bench.report.targets import chosen, counts, show
from rich.console import Console


def target(name: str, status: str, *, unfair: bool = False) -> dict[str, Any]:
    """A target as the summary has it."""
    return {
        "name": name,
        "status": status,
        "unfair": unfair,
        "interpreter": "i",
        "value": 2.0,
        "unit": "",
        "reach": 1.0,
    }


TARGETS = [target("good", "met"), target("near", "missed"), target("far", "missed", unfair=True)]


def test_what_is_beyond_comes_first_and_what_is_met_only_if_asked_for() -> None:
    """A missed target stays in its order otherwise."""
    assert [it["name"] for it in chosen(TARGETS, everything=False)] == ["far", "near"]
    assert [it["name"] for it in chosen(TARGETS, everything=True)] == ["far", "near", "good"]


def test_the_table_ends_with_the_counts_and_what_beyond_means() -> None:
    """Where nothing is beyond, nothing is said of it."""
    console = Console(width=100, file=StringIO())
    show(TARGETS, console, everything=False)
    assert isinstance(console.file, StringIO)
    text = " ".join(console.file.getvalue().split())
    assert counts(TARGETS) == "1 met, 2 missed, 0 unresolved; 1 beyond what is fair"
    assert counts(TARGETS) in text and "the binding has a bug" in text and "good" not in text
    quiet = Console(width=100, file=StringIO())
    show(TARGETS[:2], quiet, everything=True)
    assert isinstance(quiet.file, StringIO) and "bug" not in quiet.file.getvalue()

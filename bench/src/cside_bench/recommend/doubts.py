# SPDX-License-Identifier: Apache-2.0
"""Why the numbers of an interpreter are doubted, and by how much they may be off."""

from typing import Final

from cside_bench.results.evidence import Run

LEAST: Final = 2
"""Least number of processes for which a spread can be computed."""


def failed_checks(run: Run, label: str) -> str:
    """Return the messages of the run's own checks that failed or could not be made."""
    entry = next(it for it in run.summary["interpreters"] if it["label"] == label)
    said = [f"{it['name']}: {it['says']}" for it in entry["checks"] if it["passed"] is False]
    said += [f"{it['name']}: {it['says']}" for it in entry["checks"] if it["passed"] is None and it["estimate"] is None]
    return " ".join(said) or "the run did not check itself."


def bias(run: Run, label: str) -> float:
    """Return by how much times may be off on an interpreter that failed checks of the run, as a difference of logs.

    It is the largest estimate of the checks that failed, each of which is such a difference; infinite if one of them
    has no estimate or none is told, and 0 on an interpreter that is trusted.
    """
    if run.trusted(label) is not False:
        return 0.0
    entry = next(it for it in run.summary["interpreters"] if it["label"] == label)
    failed = [it["estimate"] for it in entry["checks"] if it["passed"] is False]
    failed += [None for it in entry["checks"] if it["passed"] is None and it["estimate"] is None]
    return max((float("inf") if it is None else abs(float(it)) for it in failed), default=float("inf"))


def processes(run: Run, label: str) -> int:
    """Return the number of processes that measured on an interpreter."""
    return int(next(it for it in run.summary["interpreters"] if it["label"] == label)["processes"])


def doubt(run: Run, label: str) -> str:
    """Return why the numbers of an interpreter cannot be used to rank."""
    if run.trusted(label) is False:
        return f"is not trustworthy on this machine: {failed_checks(run, label)}"
    return f"was measured in {processes(run, label)} process, and one process says nothing about the noise."

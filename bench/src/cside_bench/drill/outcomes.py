# SPDX-License-Identifier: Apache-2.0
"""Derives an outcome from the events of a process and from how it ended."""

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cside_bench.results.drill import DrillError

LEGEND: Final = {
    "unaffected": "every answer is right with the changed library, and nothing was rebuilt",
    "works": "rebuilt from its unchanged sources, every answer is right",
    "build": "the build fails, and its message names what changed",
    "import": "importing the binding fails",
    "call": "the call raises an exception",
    "silent": "a wrong answer and no error: C that was compiled anew answers otherwise",
    "crash": "the process dies by a signal, or does not end",
}
"""The meaning of each outcome, harmless ones first."""

WORST_FIRST: Final = ("crash", "silent", "call", "import", "fine")
"""Outcomes from worst to best; of several processes the worst counts. In practice an import fails in all or in none."""

FINE: Final = "fine"

ENDED_BY_OTHERS: Final = frozenset({"SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"})
"""Signals that no wrong call causes: somebody stopped the process, or memory ran out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The events that one process wrote, and how it ended."""

    events: Sequence[Mapping[str, Any]]
    code: int | None
    """The exit code; minus the number of the signal that ended it; ``None`` if it did not end in time."""
    errors: str = ""
    """The end of its standard error."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding from one process."""

    outcome: str
    """One of :data:`WORST_FIRST`."""
    says: str
    """A sentence without a full stop."""
    libraries: tuple[str, ...] | None = field(default=None)
    """Mapped files of the native library; ``None`` if the import failed or the system does not report them."""


def classify(answer: Answer) -> Finding:
    """Derive the finding from a process: its end precedes its events, and a wrong answer precedes an exception.

    Raises `DrillError` if a process ended in a way that says nothing about the binding.
    """
    told = {event["event"]: event for event in answer.events}
    found = [event for event in answer.events if event["event"] == "found"]
    wrong = [event for event in found if event["kind"] == "wrong"]
    raised = [event for event in found if event["kind"] == "error"]
    mapped = told.get("imported", {}).get("libraries")
    libraries = tuple(mapped) if mapped is not None else None
    if answer.code is None:
        return Finding("crash", "the process does not end", libraries)
    if answer.code < 0:
        name = _signal_name(-answer.code)
        if name in ENDED_BY_OTHERS:
            raise DrillError(f"a process was ended by {name}: {_tail(answer)}")
        before = f", after {_wrong(wrong[0])}" if wrong else ""
        return Finding("crash", f"the process dies of {name} {_stage(told)}{before}", libraries)
    if "import" in told:
        return Finding("import", str(told["import"]["error"]))
    if "imported" not in told or ("done" not in told and not answer.code):
        raise DrillError(f"a process ended with exit code {answer.code} before it had done anything: {_tail(answer)}")
    if answer.code:
        return Finding("crash", f"the process ends with exit code {answer.code} {_stage(told)}", libraries)
    if wrong:
        return Finding("silent", _wrong(wrong[0]), libraries)
    if raised:
        return Finding("call", f"{raised[0]['expression']} raises {raised[0]['error']}", libraries)
    return Finding(FINE, "every answer is right", libraries)


def worst(findings: Sequence[Finding]) -> Finding:
    """Return the worst finding of several processes, and the number of processes that had it."""
    first = min(findings, key=lambda finding: WORST_FIRST.index(finding.outcome))
    count = sum(finding.outcome == first.outcome for finding in findings)
    if first.outcome == FINE or count == len(findings):
        return first
    rest = next(finding.outcome for finding in findings if finding.outcome != first.outcome)
    others = "a right answer" if rest == FINE else f"the outcome {rest}"
    return Finding(
        first.outcome, f"{first.says} ({count} of {len(findings)} processes; else {others})", first.libraries
    )


def shorten(text: str, most: int = 400) -> str:
    """Shorten a text to one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _wrong(event: Mapping[str, Any]) -> str:
    if event["right"] is None:
        return f"{event['expression']} gives {event['answer']}, and the library has no answer any more"
    return f"{event['expression']} gives {event['answer']} where {event['right']} is right"


def _stage(told: Mapping[str, Any]) -> str:
    if "imported" not in told:
        return "at import"
    return "at its end" if "done" in told else "in a call"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _tail(answer: Answer) -> str:
    return " | ".join(answer.errors.strip().splitlines()[-3:]) or "no message"

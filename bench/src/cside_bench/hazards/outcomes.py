# SPDX-License-Identifier: Apache-2.0
"""Decides the outcome of a process that made a mistake, from how it ended, what it told, and what would be right."""

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cside_bench.hazards.catalogue import Hazard
from cside_bench.results.hazards import OUTCOMES, HazardError

PAYLOAD: Final = 1 << 16
"""Bytes that a leaking call leaks, as in ``hazards/around.py``. Half of it per call is taken for a leak."""

ENDED_BY_OTHERS: Final = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
"""Signals that say nothing about the mistake."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a process told, and how it ended."""

    events: Sequence[Mapping[str, Any]]
    code: int | None
    """Exit code; minus the number of the signal that ended it; ``None`` if it did not end in time."""
    errors: str = ""
    """Its standard error."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one mistake."""

    outcome: str
    """One of ``OUTCOMES``."""
    says: str
    """A clause without a full stop."""
    hung: bool = False


def classify(hazard: Hazard, answer: Answer, *, refused: bool = False) -> Finding:
    """Decide the outcome of one process. How it ended precedes what it told.

    With ``refused`` any exception will do: it is tried whether a mistake is as impossible as the catalogue says.
    Raises `HazardError` if the process says nothing about the mistake: it did not begin, was ended from outside, or
    raised an exception that the catalogue does not expect.
    """
    told = {str(event["event"]): event for event in answer.events}
    if "import" in told:
        return Finding("import", _exception(told["import"]))
    if "imported" not in told:
        raise HazardError(f"{hazard.id}: the process did not begin (exit code {answer.code}): {tail(answer.errors)}")
    if answer.code is None:
        return Finding("silent", "the process hangs", hung=True)
    if answer.code < 0:
        name = _signal_name(-answer.code)
        if name in ENDED_BY_OTHERS:
            raise HazardError(f"{hazard.id}: the process was ended by {name}")
        when = "when it ends" if "done" in told else "in the call"
        return Finding("crash", f"the process dies of {name} {when}")
    if answer.code:
        return Finding("crash", f"the process ends with exit code {answer.code}: {tail(answer.errors)}")
    if "raised" in told and refused:
        return Finding("raised", _exception(told["raised"]))
    if "raised" in told:
        return _of_exception(hazard, told["raised"])
    if "memory" in told:
        return _of_memory(told["memory"])
    if hazard.measure == "at_exit":
        if "exit" not in told:
            return Finding("silent", "the callback is not called")
        return _of_value(hazard, told["exit"]["value"], answer.errors)
    if "value" not in told:
        raise HazardError(f"{hazard.id}: the process ended without an answer: {tail(answer.errors)}")
    return _of_value(hazard, told["value"]["value"], answer.errors)


def worst(findings: Sequence[Finding]) -> Finding:
    """Return the worst finding of several processes, and the number of processes that had it."""
    first = min(findings, key=lambda finding: OUTCOMES.index(finding.outcome))
    same = sum(finding.outcome == first.outcome for finding in findings)
    if same == len(findings):
        return first
    others = sorted({finding.outcome for finding in findings} - {first.outcome}, key=OUTCOMES.index)
    return Finding(first.outcome, f"{first.says} ({same} of {len(findings)} processes; else {', '.join(others)})")


def proven(hazard: Hazard, reason: str, finding: Finding | None) -> Finding:
    """Return the outcome of a mistake that an approach is said to rule out.

    Raises `HazardError` if the nearest that a user can write, made all the same, did harm.
    """
    if finding is not None and finding.outcome not in ("harmless", "raised", "build", "import"):
        raise HazardError(f"{hazard.id} is said to be impossible ({reason}), but {finding.says}")
    return Finding("impossible", reason if finding is None else f"{reason}; tried: {finding.says}")


def tail(text: str, most: int = 200) -> str:
    """Return the end of a text on one line; "no message" for an empty one."""
    line = " | ".join(line.strip() for line in text.strip().splitlines()[-2:])
    return shortened(line, most) or "no message"


def shortened(text: str, most: int = 200) -> str:
    """Shorten a text to one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _of_exception(hazard: Hazard, event: Mapping[str, Any]) -> Finding:
    if event["type"] in hazard.raises:
        return Finding("raised", _exception(event))
    if event["type"] in hazard.misleading:
        return Finding("silent", f"garbage in memory raises a misleading {_exception(event)}")
    raise HazardError(f"{hazard.id}: the catalogue does not expect {_exception(event)}")


def _of_memory(event: Mapping[str, Any]) -> Finding:
    each = event["grown"] / event["calls"]
    if each > PAYLOAD / 2:
        return Finding("leak", f"the process grows by {each / 1024:.0f} KiB per call")
    return Finding("harmless", f"the process grows by {max(each, 0) / 1024:.1f} KiB per call")


def _of_value(hazard: Hazard, value: Any, errors: str) -> Finding:
    if hazard.right is not None and type(value) is type(hazard.right) and value == hazard.right:
        return Finding("harmless", f"the answer {value!r} is right")
    right = "and an exception would be right" if hazard.right is None else f"where {hazard.right!r} is right"
    printed = f"; standard error has {tail(errors, 100)!r}" if errors.strip() else ""
    return Finding("silent", shortened(f"gives {value!r} {right}{printed}"))


def _exception(event: Mapping[str, Any]) -> str:
    return shortened(f"{event['type']}: {(str(event['error']).splitlines() or [''])[0]}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

# SPDX-License-Identifier: Apache-2.0
"""How the end of a process and its answer are classified."""

from typing import Any

import pytest
from cside_bench.drill.outcomes import Answer, Finding, classify, worst
from cside_bench.results.drill import DrillError

STARTED = {"event": "started"}


IMPORTED = {"event": "imported", "libraries": None}


DONE = {"event": "done"}


WRONG = {"event": "found", "name": "sum", "expression": "f(1)", "kind": "wrong", "answer": "3", "right": "4"}


RAISED = {"event": "found", "name": "sum", "expression": "f(1)", "kind": "error", "error": "OverflowError: too large"}


FAILED = {"event": "import", "error": "ImportError: undefined symbol: cs_sum"}


@pytest.mark.parametrize(
    ("events", "code", "outcome", "says"),
    [
        ((STARTED, IMPORTED, DONE), 0, "fine", "right"),
        ((STARTED, FAILED), 0, "import", "undefined symbol: cs_sum"),
        ((STARTED, IMPORTED, RAISED, DONE), 0, "call", "OverflowError"),
        ((STARTED, IMPORTED, WRONG, DONE), 0, "silent", "gives 3 where 4 is right"),
        ((STARTED, IMPORTED, RAISED, WRONG, DONE), 0, "silent", "gives 3"),
        ((STARTED, IMPORTED), -11, "crash", "SIGSEGV in a call"),
        ((STARTED,), -6, "crash", "SIGABRT at import"),
        ((STARTED, IMPORTED, WRONG, DONE), -11, "crash", "at its end, after f(1) gives 3"),
        ((STARTED, IMPORTED), 1, "crash", "exit code 1"),
        ((STARTED, IMPORTED), None, "crash", "does not end"),
    ],
)
def test_how_a_process_ends_counts_before_what_it_told(
    events: tuple[dict[str, Any], ...], code: int | None, outcome: str, says: str
) -> None:
    """A signal or a hang is a crash even after right answers, and a wrong answer is worse than an exception."""
    finding = classify(Answer(events, code))
    assert (finding.outcome, says in finding.says) == (outcome, True)


@pytest.mark.parametrize(
    ("events", "code"), [((), 2), ((STARTED,), 1), ((STARTED, IMPORTED), 0), ((STARTED, IMPORTED), -9)]
)
def test_a_probe_that_was_stopped_or_never_began_is_no_outcome(events: tuple[dict[str, Any], ...], code: int) -> None:
    """A missing interpreter, a fault of the probe, or the system's out-of-memory killer is told as what it is."""
    with pytest.raises(DrillError):
        classify(Answer(events, code))


def test_an_answer_of_a_function_that_the_library_lacks_is_wrong() -> None:
    """What C cannot ask any more has no right answer."""
    event = WRONG | {"right": None}
    assert "no answer any more" in classify(Answer((STARTED, IMPORTED, event, DONE), 0)).says


def test_of_several_processes_the_worst_counts_and_their_number_is_told() -> None:
    """What a register happens to hold may save a call once."""
    found = [Finding("fine", "right"), Finding("silent", "wrong"), Finding("silent", "wrong")]
    assert worst(found).outcome == "silent"
    assert "2 of 3" in worst(found).says
    assert worst(found[1:]).says == "wrong"

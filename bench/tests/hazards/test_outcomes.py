# SPDX-License-Identifier: Apache-2.0
"""Outcomes are decided by what a process did: real processes that crash, raise, hang, leak, or answer."""

import sys
from pathlib import Path

import pytest
from cside_bench.hazards.catalogue import Approach, Hazard
from cside_bench.hazards.outcomes import Answer, Finding, classify, proven, worst
from cside_bench.hazards.prepared import Interpreter
from cside_bench.hazards.running import make
from cside_bench.results.hazards import HazardError

CHILD = Path(__file__).parents[3] / "hazards" / "child.py"
CASES = """
import ctypes, os, time
kept = []
def dies(): os.abort()
def raises(): raise OverflowError("too large")
def other(): raise KeyError("typing error")
def garbage(): raise AttributeError("nobody")
def hangs(): time.sleep(60)
def wrong(): return 5
def right(): return 42
def true(): return True
def leaks(): kept.append(b"x" * 65536)
def frees(): b"x" * 65536
def leaves(): os._exit(7)
def killed(): os.kill(os.getpid(), 9)
def is_not_called(): pass
def is_called():
    import atexit
    atexit.register(lambda: os.write(1, b'{"event": "exit", "value": 42}\\n'))
"""


def hazard(name: str, right: object = 42, measure: str = "value") -> Hazard:
    """A mistake that expects OverflowError, and takes AttributeError for garbage."""
    return Hazard(name, name, "", "", right, ("OverflowError",), ("AttributeError",), measure)


def answer(tmp_path: Path, one: Hazard, patience_s: float = 20) -> Answer:
    """Make a mistake of :data:`CASES` in a process of its own."""
    (tmp_path / "with_cases.py").write_text(CASES, encoding="utf-8")
    (tmp_path / "child.py").write_text(CHILD.read_text(encoding="utf-8"), encoding="utf-8")
    python = Interpreter("this", Path(sys.executable), "", "", "", "", {})
    return make(python, Approach("cases", "", "with_cases.py"), one, tmp_path, tmp_path / "libhz.so", patience_s)


@pytest.mark.skipif(sys.platform != "linux", reason="child.py reads /proc")
@pytest.mark.parametrize(
    ("name", "measure", "outcome", "says"),
    [
        ("dies", "value", "crash", "SIGABRT in the call"),
        ("leaves", "value", "crash", "exit code 7"),
        ("raises", "value", "raised", "OverflowError: too large"),
        ("garbage", "value", "silent", "misleading AttributeError"),
        ("wrong", "value", "silent", "gives 5 where 42 is right"),
        ("true", "value", "silent", "gives True where 42 is right"),
        ("right", "value", "harmless", "42 is right"),
        ("leaks", "memory", "leak", "KiB per call"),
        ("frees", "memory", "harmless", "KiB per call"),
        ("is_called", "at_exit", "harmless", "42 is right"),
        ("is_not_called", "at_exit", "silent", "is not called"),
    ],
)
def test_outcome_of_a_process(tmp_path: Path, name: str, measure: str, outcome: str, says: str) -> None:
    """How a process ends precedes what it told; a value of another type is wrong."""
    one = hazard(name, measure=measure)
    found = classify(one, answer(tmp_path, one))
    assert found.outcome == outcome and says in found.says


def test_a_process_that_hangs_is_silent(tmp_path: Path) -> None:
    """Nothing says that anything is wrong; what the process started ends with it."""
    one = hazard("hangs")
    assert classify(one, answer(tmp_path, one, 2)) == Finding("silent", "the process hangs", hung=True)


def test_any_value_is_wrong_where_only_an_exception_is_right(tmp_path: Path) -> None:
    """A mistake without a right value has to be refused."""
    one = hazard("right", right=None)
    assert classify(one, answer(tmp_path, one)).outcome == "silent"


@pytest.mark.parametrize("name", ["other", "killed", "missing"])
def test_what_says_nothing_about_the_mistake_is_no_outcome(tmp_path: Path, name: str) -> None:
    """An exception that the catalogue does not name, a kill from outside, and a missing function fail the run."""
    one = hazard(name)
    told = answer(tmp_path, one)
    with pytest.raises(HazardError):
        classify(one, told)


def test_a_failed_import_is_an_outcome() -> None:
    """An import may refuse what a build accepted."""
    told = Answer([{"event": "import", "type": "ImportError", "error": "undefined symbol"}], 0)
    assert classify(hazard("any"), told) == Finding("import", "ImportError: undefined symbol")


def test_the_worst_of_several_processes_counts() -> None:
    """The sentence says how many had it."""
    found = worst([Finding("harmless", "fine"), Finding("crash", "dies"), Finding("silent", "gives 5")])
    assert found == Finding("crash", "dies (1 of 3 processes; else silent, harmless)")


def test_impossible_needs_an_attempt_without_harm() -> None:
    """A reason that the run contradicts fails the run."""
    assert proven(hazard("any"), "no pointers", None) == Finding("impossible", "no pointers")
    assert proven(hazard("any"), "no pointers", Finding("harmless", "42")).outcome == "impossible"
    with pytest.raises(HazardError, match="said to be impossible"):
        proven(hazard("any"), "no pointers", Finding("silent", "gives 5"))


def test_an_attempt_may_be_refused_by_any_exception(tmp_path: Path) -> None:
    """What the interpreter does not have is not there by any name."""
    one = hazard("other")
    assert classify(one, answer(tmp_path, one), refused=True).outcome == "raised"

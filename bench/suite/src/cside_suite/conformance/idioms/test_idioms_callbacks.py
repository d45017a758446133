# SPDX-License-Identifier: Apache-2.0
"""Callbacks from C: values, exceptions, nested calls, and threads that Python did not create."""

import sys
import threading
import traceback
import weakref
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given

from cside_suite.conformance.collect import collect
from cside_suite.conformance.integers import INT32, signed
from cside_suite.conformance.outcome import failure, outcome
from cside_suite.contract.idioms import Idioms
from cside_suite.subjects.bindings import Implementation

pytestmark = pytest.mark.crash_prone

Run = Callable[[Any, Any], int]


@pytest.fixture(params=["each_call", "thread_call", "Counter.each"])
def run(request: pytest.FixtureRequest, implementation: Implementation) -> Run:
    """Each function that runs a callback a number of times, on this thread or on a foreign one."""
    if request.param == "thread_call" and "callbacks-from-foreign-threads" not in implementation.features:
        pytest.skip(implementation.gaps["callbacks-from-foreign-threads"])
    idioms: Any = implementation.idioms
    if request.param == "Counter.each":
        return lambda times, callback: cast(int, idioms.Counter(0).each(times, callback))
    return cast(Run, getattr(idioms, request.param))


@pytest.mark.needs("callbacks")
def test_each_call_passes_positions_and_sums(idioms: Idioms) -> None:
    """The callback gets the positions from 0 on in order, and the results are summed in 64 bits."""
    seen: list[int] = []

    def note(value: int) -> int:
        seen.append(value)
        return 2**31 - 1

    assert idioms.each_call(5, note) == 5 * (2**31 - 1)
    assert seen == [0, 1, 2, 3, 4]
    assert [type(value) for value in seen] == [int] * 5
    assert idioms.each_call(1000, lambda value: -value) == -sum(range(1000))


@pytest.mark.needs("callbacks")
@pytest.mark.needs("callbacks-from-foreign-threads")
def test_thread_call_does_the_same_elsewhere(idioms: Idioms) -> None:
    """``thread_call`` runs the callback on a thread of the library, on which Python works as on any thread."""
    here = threading.get_ident()
    seen: list[tuple[int, bool, str]] = []

    def note(value: int) -> int:
        seen.append((value, threading.get_ident() != here, threading.current_thread().name))
        return value

    assert idioms.thread_call(4, note) == 6
    assert [(value, elsewhere) for value, elsewhere, _ in seen] == [(value, True) for value in range(4)]
    for _ in range(100):
        assert idioms.thread_call(1, lambda value: len(repr(threading.local()))) > 0


@pytest.mark.needs("callbacks")
def test_no_calls_at_all(run: Run) -> None:
    """If ``times`` is 0, the callback is not called and the sum is 0."""
    seen: list[int] = []
    assert run(0, seen.append) == 0
    assert seen == []


@pytest.mark.needs("callbacks")
def test_what_is_not_callable_is_refused(run: Run) -> None:
    """A callback that is not callable is `TypeError`, also if ``times`` is 0."""
    for times in (0, 1):
        for bad in (None, 5, "callback", object(), [len]):
            assert outcome(run, times, bad) == "TypeError"


@pytest.mark.needs("callbacks")
def test_any_callable_is_a_callback(run: Run) -> None:
    """Functions, builtins, methods, classes and objects with ``__call__`` are callbacks."""

    class Caller:
        def __call__(self, value: int) -> int:
            return 4

        def method(self, value: int) -> int:
            return 5

    assert run(2, Caller()) == 8
    assert run(2, Caller().method) == 10
    assert run(3, abs) >= 0
    assert run(3, bool) >= 0
    assert run(2, int) >= 0


@pytest.mark.needs("callbacks")
def test_results_at_the_limits_are_accepted(run: Run) -> None:
    """A result is an ``int32_t``; its limits, a ``bool`` and an object with ``__index__`` are accepted."""

    class Index:
        def __index__(self) -> int:
            return 7

    for good, want in ((2**31 - 1, 2**31 - 1), (-(2**31), -(2**31)), (True, 1), (Index(), 7)):
        assert run(1, lambda value, good=good: good) == want


@pytest.mark.needs("callbacks")
def test_results_that_do_not_fit_are_refused(run: Run) -> None:
    """A result beyond ``int32_t`` is `OverflowError`, one that is no integer `TypeError`; no further call is made."""
    for bad, want in (
        (2**31, "OverflowError"),
        (-(2**31) - 1, "OverflowError"),
        (-(2**63), "OverflowError"),
        (2**64, "OverflowError"),
        (10**30, "OverflowError"),
        (None, "TypeError"),
        ("1", "TypeError"),
        (1.0, "TypeError"),
        (object(), "TypeError"),
    ):
        seen: list[int] = []

        def answer(value: int, bad: object = bad, seen: list[int] = seen) -> object:
            seen.append(value)
            return bad

        assert (bad, outcome(run, 5, answer)) == (bad, want)
        assert len(seen) == 1


@pytest.mark.needs("callbacks")
@pytest.mark.parametrize("kind", [KeyError, KeyboardInterrupt, SystemExit, GeneratorExit, StopIteration, MemoryError])
def test_what_a_callback_raises_comes_out(run: Run, kind: type[BaseException]) -> None:
    """A callback's exception is raised as the same object, with its full traceback, and no further call is made."""
    raised = kind("from the callback")
    seen: list[int] = []

    def fail(value: int) -> int:
        seen.append(value)
        if len(seen) == 3:
            raise raised
        return 0

    caught = failure(run, 10, fail)
    assert caught is raised
    assert len(seen) == 3
    assert traceback.extract_tb(caught.__traceback__)[-1].name == "fail"
    assert caught.__context__ is None and caught.__cause__ is None
    assert run(2, lambda value: 1) == 2


@pytest.mark.needs("callbacks")
def test_a_callback_with_other_arguments_is_a_type_error(run: Run) -> None:
    """Calling a callback that does not take one argument is `TypeError`."""
    assert outcome(run, 1, lambda: 0) == "TypeError"
    assert outcome(run, 1, lambda a, b: 0) == "TypeError"


@pytest.mark.needs("callbacks")
def test_what_the_conversion_of_a_result_raises_comes_out(run: Run) -> None:
    """An exception of a result's ``__index__`` is raised as the same object."""

    class Index:
        def __index__(self) -> int:
            raise raised

    raised = KeyError("from __index__")
    assert failure(run, 3, lambda value: Index()) is raised


@pytest.mark.needs("callbacks")
def test_callbacks_may_call_back(run: Run) -> None:
    """A callback may call functions that run callbacks, several levels deep."""

    def nested(depth: int) -> int:
        return run(2, lambda value: nested(depth - 1)) if depth else 1

    assert nested(6) == 2**6


@pytest.mark.needs("callbacks")
def test_an_inner_failure_stays_inside(run: Run) -> None:
    """An exception that is caught within a callback does not affect the outer call."""

    def inner(value: int) -> int:
        raise KeyError(value)

    def outer(value: int) -> int:
        try:
            run(1, inner)
        except KeyError:
            return 1
        return 1000

    assert run(3, outer) == 3


@pytest.mark.needs("callbacks")
def test_an_inner_failure_passes_through(run: Run) -> None:
    """An exception that is not caught is raised by every nested call, the same object."""
    raised = KeyError("deep")

    def deep(depth: int) -> int:
        if depth == 0:
            raise raised
        return run(1, lambda value: deep(depth - 1))

    assert failure(deep, 5) is raised


@pytest.mark.needs("callbacks")
def test_deep_recursion_works(idioms: Idioms) -> None:
    """Callbacks may be nested 40 levels deep on every interpreter."""

    def down(value: int) -> int:
        depth.append(value)
        return idioms.each_call(1, down) + 1 if len(depth) < 40 else 1

    depth: list[int] = []
    assert idioms.each_call(1, down) == 40


@pytest.mark.needs("callbacks")
@pytest.mark.skipif(
    sys.implementation.name == "pypy",
    reason="PyPy's C API ends the process if one of its functions that cannot fail reaches the end of the stack",
)
def test_endless_recursion_ends(idioms: Idioms) -> None:
    """Endless recursion through C is `RecursionError`, not a crash."""

    def again(value: int) -> int:
        return idioms.each_call(1, again)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        assert outcome(again, 0) == "RecursionError"
    finally:
        sys.setrecursionlimit(limit)
    assert idioms.each_call(3, lambda value: 1) == 3


@pytest.mark.needs("callbacks")
def test_too_many_times_are_refused(run: Run, idioms: Idioms) -> None:
    """``times`` above ``INT32_MAX`` is `ValueError`, beyond 32 bits `OverflowError`, and no call is made."""
    seen: list[int] = []
    for times in (2**31, 2**32 - 1):
        assert outcome(run, times, seen.append) == "ValueError"
    for times in (-1, 2**32):
        assert outcome(run, times, seen.append) == "OverflowError"
    assert seen == []


@pytest.mark.needs("callbacks")
def test_nothing_is_kept_of_a_callback(run: Run) -> None:
    """After the call the callback and an exception that it raised can be freed."""

    class Caller:
        def __call__(self, value: int) -> int:
            if value == 1 or self.fails:
                raise KeyError(value)
            return 0

        fails = False

    for fails in (False, True):
        caller = Caller()
        caller.fails = fails
        gone = weakref.ref(caller)
        outcome(run, 1, caller)
        del caller
        for _ in range(4):
            if gone() is not None:
                collect()
        assert gone() is None


@pytest.mark.needs("callbacks")
def test_many_threads_call_at_once(run: Run) -> None:
    """Several Python threads may run callbacks at once, each with its own results and exceptions."""
    wrong: list[object] = []

    def work(number: int) -> None:
        raised = KeyError(number)

        def fail(value: int) -> int:
            raise raised

        for _ in range(30):
            if run(10, lambda value: number) != 10 * number:
                wrong.append(number)
            if failure(run, 10, fail) is not raised:
                wrong.append(raised)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.needs("callbacks")
@pytest.mark.needs("callbacks-from-foreign-threads")
def test_other_threads_run_while_a_foreign_thread_works(idioms: Idioms) -> None:
    """``thread_call`` releases the GIL, so that a callback may wait for another Python thread."""
    asked, answered = threading.Event(), threading.Event()

    def answer() -> None:
        assert asked.wait(60)
        answered.set()

    other = threading.Thread(target=answer)
    other.start()

    def ask(value: int) -> int:
        asked.set()
        return int(answered.wait(60))

    assert idioms.thread_call(1, ask) == 1
    other.join()


@given(a=INT32, b=INT32)
def test_ops_wrap_at_32_bits(idioms: Idioms, a: int, b: int) -> None:
    """The functions of the library's table add and multiply modulo 2**32."""
    assert idioms.ops_add(a, b) == signed(a + b, 32)
    assert idioms.ops_multiply(a, b) == signed(a * b, 32)

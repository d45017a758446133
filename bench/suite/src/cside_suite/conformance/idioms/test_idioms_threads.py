# SPDX-License-Identifier: Apache-2.0
"""Calls that hold or release the GIL, state of the process, and state of a thread."""

import threading
from typing import Any

import pytest

from cside_suite.conformance.gil import holds, needs_a_gil, releases
from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import failure, outcome, status
from cside_suite.contract.idioms import Idioms

STEPS = 100_000_000
"""Steps of ``spin`` that take about a tenth of a second."""

WRONG_STATE = (-106, "CS_E_STATE")


def test_spin_computes_what_the_library_does(idioms: Any, native: Native, request: pytest.FixtureRequest) -> None:
    """The result of a spin is the library's, with the GIL held or released; without the feature it is refused."""
    features = request.getfixturevalue("implementation").features
    for name, feature in (("spin_held", "gil-held"), ("spin_released", "gil-released")):
        for steps in (0, 1, 1000):
            if feature in features:
                assert getattr(idioms, name)(steps) == native.spin(steps)
            else:
                with pytest.raises(NotImplementedError):
                    getattr(idioms, name)(steps)


@pytest.mark.alone
@needs_a_gil
@pytest.mark.needs("gil-released")
def test_spin_released_lets_others_run(idioms: Idioms) -> None:
    """Other threads run during ``spin_released``."""
    assert releases(lambda: idioms.spin_released(STEPS))


@pytest.mark.alone
@needs_a_gil
@pytest.mark.needs("gil-held")
def test_spin_held_lets_nobody_run(idioms: Idioms) -> None:
    """No other thread runs during ``spin_held``."""
    assert holds(lambda: idioms.spin_held(STEPS))


@pytest.mark.crash_prone
@pytest.mark.thread_unsafe(reason="the state is that of the process")
def test_state_counts_from_its_seed(idioms: Idioms) -> None:
    """The generator starts at its seed, wraps around at 64 bits, and can be started again."""
    assert outcome(idioms.state_init, 2**63 - 2) == "returned None"
    assert [idioms.state_next() for _ in range(3)] == [2**63 - 2, 2**63 - 1, -(2**63)]
    assert outcome(idioms.state_fini) == "returned None"
    idioms.state_init(-5)
    assert [idioms.state_next() for _ in range(2)] == [-5, -4]
    idioms.state_fini()


@pytest.mark.crash_prone
@pytest.mark.thread_unsafe(reason="the state is that of the process")
def test_state_used_in_the_wrong_order_is_refused(idioms: Idioms) -> None:
    """Starting the generator twice, or using or stopping it when it does not run, is ``CS_E_STATE``."""
    assert status(idioms, failure(idioms.state_next)) == WRONG_STATE
    assert status(idioms, failure(idioms.state_fini)) == WRONG_STATE
    idioms.state_init(1)
    assert status(idioms, failure(idioms.state_init, 2)) == WRONG_STATE
    assert idioms.state_next() == 1
    idioms.state_fini()
    assert status(idioms, failure(idioms.state_next)) == WRONG_STATE
    assert status(idioms, failure(idioms.state_fini)) == WRONG_STATE


@pytest.mark.crash_prone
@pytest.mark.thread_unsafe(reason="the state is that of the process")
def test_state_belongs_to_the_process(idioms: Idioms) -> None:
    """All threads use the same generator."""
    idioms.state_init(10)
    got: list[int] = []
    thread = threading.Thread(target=lambda: got.append(idioms.state_next()))
    assert idioms.state_next() == 10
    thread.start()
    thread.join()
    assert got == [11]
    assert idioms.state_next() == 12
    idioms.state_fini()


@pytest.mark.crash_prone
def test_tls_belongs_to_a_thread(idioms: Idioms) -> None:
    """Each thread has a number of its own, which is 0 at first."""
    got: list[int] = []

    def elsewhere() -> None:
        got.append(idioms.tls_get())
        idioms.tls_set(-(2**63))
        got.append(idioms.tls_get())

    idioms.tls_set(2**63 - 1)
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert got == [0, -(2**63)]
    assert idioms.tls_get() == 2**63 - 1
    assert outcome(idioms.tls_set, 0) == "returned None"
    assert idioms.tls_get() == 0


@pytest.mark.crash_prone
@pytest.mark.needs("callbacks-from-foreign-threads")
def test_a_foreign_thread_has_a_tls_of_its_own(idioms: Idioms) -> None:
    """A callback on the library's thread reads that thread's number, not the caller's."""
    idioms.tls_set(5)
    seen: list[int] = []

    def look(value: int) -> int:
        seen.append(idioms.tls_get())
        idioms.tls_set(7)
        return 0

    idioms.thread_call(2, look)
    assert seen == [0, 7]
    assert idioms.tls_get() == 5

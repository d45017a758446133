# SPDX-License-Identifier: Apache-2.0
"""State of the process and of a thread, and the library's own trace as bindings show it."""

import threading

import pytest

from cside_suite.conformance.outcome import failure
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone


def is_wrong_state(idioms: Idioms, error: object) -> bool:
    """Whether it is `StatusError` ``CS_E_STATE``."""
    said = getattr(error, "status", None), getattr(error, "name", None)
    return type(error) is idioms.StatusError and said == (-106, "CS_E_STATE")


def test_state_counts_from_its_seed(idioms: Idioms) -> None:
    """The generator starts at the seed, wraps at 64 bits, and can be started again."""
    assert idioms.state_init(2**63 - 2) is None  # type: ignore[func-returns-value]
    assert [idioms.state_next() for _ in range(3)] == [2**63 - 2, 2**63 - 1, -(2**63)]
    assert idioms.state_fini() is None  # type: ignore[func-returns-value]
    idioms.state_init(-5)
    assert [idioms.state_next() for _ in range(2)] == [-5, -4]
    idioms.state_fini()


def test_state_in_the_wrong_order(idioms: Idioms) -> None:
    """Starting twice, or using and stopping what does not run, is ``CS_E_STATE``."""
    assert is_wrong_state(idioms, failure(idioms.state_next))
    assert is_wrong_state(idioms, failure(idioms.state_fini))
    idioms.state_init(1)
    assert is_wrong_state(idioms, failure(idioms.state_init, 2))
    assert idioms.state_next() == 1
    idioms.state_fini()
    assert is_wrong_state(idioms, failure(idioms.state_next))
    assert is_wrong_state(idioms, failure(idioms.state_fini))


def test_state_is_the_process_own(idioms: Idioms) -> None:
    """Another thread goes on where this one stopped."""
    idioms.state_init(10)
    got: list[int] = []
    thread = threading.Thread(target=lambda: got.append(idioms.state_next()))
    assert idioms.state_next() == 10
    thread.start()
    thread.join()
    assert got == [11]
    assert idioms.state_next() == 12
    idioms.state_fini()


def test_tls_belongs_to_a_thread(idioms: Idioms) -> None:
    """Each thread has a number of its own, 0 at first."""
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
    assert idioms.tls_set(0) is None  # type: ignore[func-returns-value]
    assert idioms.tls_get() == 0


@pytest.mark.needs("callbacks-from-foreign-threads")
def test_tls_of_a_foreign_thread(idioms: Idioms) -> None:
    """A callback on the library's thread sees that thread's number, not the caller's."""
    idioms.tls_set(5)
    seen: list[int] = []

    def look(value: int) -> int:
        seen.append(idioms.tls_get())
        idioms.tls_set(7)
        return 0

    idioms.thread_call(2, look)
    assert seen == [0, 7]
    assert idioms.tls_get() == 5

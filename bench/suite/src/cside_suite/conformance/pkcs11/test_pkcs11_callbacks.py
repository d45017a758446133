# SPDX-License-Identifier: Apache-2.0
"""Callbacks of PKCS #11 modules: notifications and the application's locks."""

import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from typing import Any, Final

import pytest

from cside_suite.conformance import isolation
from cside_suite.conformance.outcome import failure, outcome
from cside_suite.conformance.pkcs11 import pkcs11_probe
from cside_suite.conformance.pkcs11.pkcs11_modules import available
from cside_suite.conformance.pkcs11.pkcs11_probe import notes, script
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.pkcs11_modules import MODULES

pytestmark = pytest.mark.needs("callbacks")


@pytest.fixture
def probe(implementation: Implementation) -> Iterator[Any]:
    """A module that notes its arguments; it is finalised after the test."""
    module = pkcs11_probe.opened(implementation)
    yield module
    script()
    module.C_Finalize()


def rvs(name: str) -> list[dict[str, Any]]:
    """Return the notes of one function."""
    return [note for note in notes() if note["function"] == name]


class Locks:
    """Four callables that record how they are called."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, object]] = []
        self.mutex = object()

    def create(self) -> object:
        """Be called as ``CreateMutex``."""
        self.seen.append(("create", None))
        return self.mutex

    def destroy(self, mutex: object) -> None:
        """Be called as ``DestroyMutex``."""
        self.seen.append(("destroy", mutex))

    def lock(self, mutex: object) -> None:
        """Be called as ``LockMutex``."""
        self.seen.append(("lock", mutex))

    def unlock(self, mutex: object) -> None:
        """Be called as ``UnlockMutex``."""
        self.seen.append(("unlock", mutex))


def test_notifications_arrive(probe: Any) -> None:
    """A notification gets the session and the event, and None stands for success."""
    seen: list[tuple[int, int]] = []
    assert probe.C_OpenSession(1, 4, lambda session, event: seen.append((session, event))) == 77
    assert seen == [(77, 0)]
    assert rvs("Notify") == [{"function": "Notify", "rv": 0}]


def test_what_a_notification_returns_reaches_the_module(probe: Any) -> None:
    """A return value of a notification reaches the module, whose own return value is then raised."""
    error: Any = failure(probe.C_OpenSession, 1, 4, lambda session, event: 1)
    assert (error.name, error.function) == ("CKR_CANCEL", "C_OpenSession")
    assert rvs("Notify") == [{"function": "Notify", "rv": 1}]


def test_an_exception_of_a_notification_comes_out(implementation: Implementation, probe: Any) -> None:
    """An exception is raised as the same object; the module gets a general error, or the value of a PKCS11Error."""
    mine = KeyError("mine")

    def fail(session: int, event: int) -> int:
        raise mine

    assert failure(probe.C_OpenSession, 1, 4, fail) is mine
    assert rvs("Notify") == [{"function": "Notify", "rv": 5}]
    refusal = implementation.pkcs11.PKCS11Error(1, "Notify")

    def refuse(session: int, event: int) -> int:
        raise refusal

    script()
    assert failure(probe.C_OpenSession, 1, 4, refuse) is refusal
    assert rvs("Notify") == [{"function": "Notify", "rv": 1}]


def test_a_wrong_answer_of_a_notification_is_an_error(probe: Any) -> None:
    """A result that is no return value is `TypeError` or `OverflowError`."""
    assert outcome(probe.C_OpenSession, 1, 4, lambda session, event: "x") == "TypeError"
    assert outcome(probe.C_OpenSession, 1, 4, lambda session, event: -1) == "OverflowError"
    assert outcome(probe.C_OpenSession, 1, 4, 5) == "TypeError"
    assert [note["rv"] for note in rvs("Notify")] == [5, 5]


def test_a_notification_may_call_the_module(probe: Any) -> None:
    """A notification may call functions of the module."""
    seen: list[Any] = []

    def notify(session: int, event: int) -> None:
        seen.append(probe.C_GetInfo().flags)
        assert outcome(probe.C_CloseSession, -1) == "OverflowError"

    assert probe.C_OpenSession(1, 4, notify) == 77
    assert seen == [503]


@pytest.mark.needs("callbacks-from-foreign-threads")
def test_a_foreign_thread_may_notify(probe: Any) -> None:
    """A thread that Python did not create may call a notification."""
    seen: list[tuple[int, bool]] = []
    script(thread=True)
    probe.C_OpenSession(
        1, 4, lambda session, event: seen.append((event, threading.current_thread() is threading.main_thread()))
    )
    assert seen == [(0, False)]


@pytest.mark.needs("callbacks-from-foreign-threads")
def test_an_exception_on_a_foreign_thread_is_unraisable(probe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception on a thread without a call goes to ``sys.unraisablehook``."""
    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: seen.append(args.exc_value))
    mine = KeyError("mine")

    def fail(session: int, event: int) -> int:
        raise mine

    script(thread=True)
    error: Any = failure(probe.C_OpenSession, 1, 4, fail)
    assert (error.name, seen) == ("CKR_GENERAL_ERROR", [mine])


def test_a_notification_lives_as_long_as_its_session(probe: Any) -> None:
    """A notification is kept while its session is open and released when the session is closed."""

    class Notify:
        seen = 0

        def __call__(self, session: int, event: int) -> None:
            type(self).seen += 1

    for close in (lambda: probe.C_CloseSession(77), lambda: probe.C_CloseAllSessions(1), probe.C_Finalize):
        script(keep=True)
        notify = Notify()
        gone = weakref.ref(notify)
        probe.C_OpenSession(1, 4, notify)
        del notify
        gc.collect()
        assert gone() is not None
        close()
        for _ in range(5):
            gc.collect()
        assert gone() is None
    assert Notify.seen == 1  # only C_CloseSession of the probe notifies


def test_a_failed_open_keeps_nothing(probe: Any) -> None:
    """If ``C_OpenSession`` fails, the notification is released."""

    def notify(session: int, event: int) -> None:
        """Do nothing; this is never called."""

    gone = weakref.ref(notify)
    script(rv=5)
    outcome(probe.C_OpenSession, 1, 4, notify)
    del notify
    for _ in range(5):
        gc.collect()
    assert gone() is None


def test_locks_are_used_by_the_module(implementation: Implementation, probe: Any) -> None:
    """The other three callables get the object that ``CreateMutex`` returned."""
    locks = Locks()
    args = implementation.pkcs11.CK_C_INITIALIZE_ARGS(locks.create, locks.destroy, locks.lock, locks.unlock, 2)  # type: ignore[attr-defined]
    probe.C_Initialize(args)
    assert locks.seen == [("create", None), ("lock", locks.mutex), ("unlock", locks.mutex), ("destroy", locks.mutex)]
    assert locks.seen[1][1] is locks.mutex
    (told,) = rvs("C_Initialize")
    assert (told["CreateMutex"], told["flags"], told["pReserved"]) == (True, 2, None)
    assert rvs("mutexes") == [{"function": "mutexes", "create": 0, "lock": 0, "unlock": 0, "destroy": 0}]


def test_initialising_without_locks_passes_the_rest(implementation: Implementation, probe: Any) -> None:
    """No arguments are NULL; flags and the reserved pointer are passed unchanged."""
    kind: Any = implementation.pkcs11.CK_C_INITIALIZE_ARGS  # type: ignore[attr-defined]
    probe.C_Initialize()
    probe.C_Initialize(None)
    probe.C_Initialize(kind(flags=3))
    probe.C_Initialize(kind(pReserved=b"options\0"))
    told = rvs("C_Initialize")
    assert [note["pInitArgs"] for note in told] == [None, None, True, True]
    assert (told[2]["CreateMutex"], told[2]["flags"], told[2]["pReserved"]) == (None, 3, None)
    assert told[3]["pReserved"] == b"options".hex()


def test_some_of_the_locks_are_refused(implementation: Implementation, probe: Any) -> None:
    """If only some of the four callables are given, the error is the standard's, without a native call."""
    pkcs11: Any = implementation.pkcs11
    locks = Locks()
    error: Any = failure(probe.C_Initialize, pkcs11.CK_C_INITIALIZE_ARGS(locks.create, None, locks.lock, locks.unlock))
    assert type(error) is pkcs11.PKCS11Error
    assert (error.name, error.function) == ("CKR_ARGUMENTS_BAD", "C_Initialize")
    assert outcome(probe.C_Initialize, pkcs11.CK_C_INITIALIZE_ARGS(1, 2, 3, 4)) == "TypeError"
    assert outcome(probe.C_Initialize, 5) == "TypeError"
    assert outcome(probe.C_Initialize, pkcs11.CK_C_INITIALIZE_ARGS(flags=-1)) == "OverflowError"
    assert outcome(probe.C_Initialize, pkcs11.CK_C_INITIALIZE_ARGS(pReserved="x")) == "TypeError"
    assert notes() == []


@pytest.mark.parametrize("which", ["create", "lock", "unlock", "destroy"])
def test_an_exception_of_a_lock_comes_out(implementation: Implementation, probe: Any, which: str) -> None:
    """A lock's exception is raised as the same object, and the module gets a general error from that lock."""
    locks = Locks()
    mine = KeyError("mine")

    def fail(*mutex: object) -> None:
        raise mine

    setattr(locks, which, fail)
    args = implementation.pkcs11.CK_C_INITIALIZE_ARGS(locks.create, locks.destroy, locks.lock, locks.unlock)  # type: ignore[attr-defined]
    assert failure(probe.C_Initialize, args) is mine
    (told,) = rvs("mutexes")
    assert told[which] == 5


def test_a_failed_initialisation_keeps_no_locks(implementation: Implementation, probe: Any) -> None:
    """If ``C_Initialize`` fails, the locks are released."""
    locks = Locks()
    gone = weakref.ref(locks)
    args = implementation.pkcs11.CK_C_INITIALIZE_ARGS(locks.create, locks.destroy, locks.lock, locks.unlock)  # type: ignore[attr-defined]
    script(rv=0x191)
    assert outcome(probe.C_Initialize, args) == "PKCS11Error"
    del locks, args
    for _ in range(5):
        gc.collect()
    assert gone() is None


def test_locks_are_released_when_the_module_is_finalised(implementation: Implementation, probe: Any) -> None:
    """Locks are kept until the module is finalised, and not longer."""
    locks = Locks()
    gone = weakref.ref(locks)
    args = implementation.pkcs11.CK_C_INITIALIZE_ARGS(locks.create, locks.destroy, locks.lock, locks.unlock)  # type: ignore[attr-defined]
    probe.C_Initialize(args)
    del locks, args
    gc.collect()
    assert gone() is not None
    probe.C_Finalize()
    for _ in range(5):
        gc.collect()
    assert gone() is None


LATE_NOTIFICATIONS: Final = """
import gc, importlib, sys
from cside_suite.conformance import _late

pkcs11 = importlib.import_module(sys.argv[1] + ".pkcs11")
module = pkcs11.load(_late.__file__)
closings = {
    "C_CloseSession": module.C_CloseSession,
    "C_CloseAllSessions": lambda session: module.C_CloseAllSessions(1),
    "C_Finalize": lambda session: module.C_Finalize(),
}
for name, close in closings.items():
    seen = []
    module.C_Initialize()
    close(module.C_OpenSession(1, 4, lambda session, event: seen.append("a closed session")))
    gc.collect()
    module.C_Initialize()
    # These may take the memory that the binding had for the closed session.
    kept = [module.C_OpenSession(1, 4, lambda session, event: seen.append("another session")) for _ in range(3)]
    assert len(_late.settled()) == 1, name
    assert seen == [], (name, seen)
    module.C_CloseAllSessions(1)
    assert len(_late.settled()) == len(kept), name
    assert seen == [], (name, seen)
    module.C_Finalize()
"""


@pytest.mark.needs("callbacks-from-foreign-threads")
def test_a_notification_after_the_end_of_its_session_reaches_nobody(implementation: Implementation) -> None:
    """A module that notifies after a session is closed does no harm, and no callable is called."""
    isolation.run_fresh(implementation, LATE_NOTIFICATIONS)


LATE_LOCKS: Final = """
import gc, importlib, sys
from cside_suite.conformance import _late

pkcs11 = importlib.import_module(sys.argv[1] + ".pkcs11")
module = pkcs11.load(_late.__file__)
sys.unraisablehook = lambda unraisable: None  # a binding may report that there is nothing to make a mutex with
seen = []


class Locks:
    def create(self):
        seen.append("create")
        return object()

    def use(self, mutex):
        seen.append("use")


def initialise():
    locks = Locks()
    module.C_Initialize(pkcs11.CK_C_INITIALIZE_ARGS(locks.create, locks.use, locks.use, locks.use))


for _ in range(4):
    initialise()
    assert seen == ["create"], seen
    seen.clear()
    module.C_Finalize()
    gc.collect()
    initialise()  # this may take the memory of the first locks
    assert seen == ["create"], seen
    seen.clear()
    returned = _late.settled()
    assert len(returned) == 4 and all(returned), returned  # none of them is CKR_OK
    assert seen == [], seen
    module.C_Finalize()
    _late.settled()
    assert seen == [], seen
"""


@pytest.mark.needs("callbacks-from-foreign-threads")
def test_locks_after_the_end_of_a_module_reach_nobody(implementation: Implementation) -> None:
    """A module that uses locks after ``C_Finalize`` does no harm, and no callable is called."""
    isolation.run_fresh(implementation, LATE_LOCKS)


LOCKS_AT_EXIT: Final = """
import importlib, sys, threading

pkcs11 = importlib.import_module(sys.argv[1] + ".pkcs11")
module = pkcs11.load(sys.argv[2])
locks = pkcs11.CK_C_INITIALIZE_ARGS(
    threading.Lock, lambda mutex: None, lambda mutex: mutex.acquire(), lambda mutex: mutex.release()
)
module.C_Initialize(locks)
module.C_GetInfo()
print("done", flush=True)
"""


@pytest.mark.parametrize("name", MODULES)
def test_a_process_ends_well_without_c_finalize(implementation: Implementation, name: str) -> None:
    """A module may destroy the application's mutexes from its destructors, or free their memory as SoftHSM2 does."""
    done = isolation.run_fresh(implementation, LOCKS_AT_EXIT, str(available(name)))
    assert done.stdout.splitlines() == ["done"]

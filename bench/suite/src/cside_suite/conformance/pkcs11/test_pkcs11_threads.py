# SPDX-License-Identifier: Apache-2.0
"""Several threads can use one module and one session, and other threads run during a call."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from cside_suite.conformance.gil import needs_a_gil, releases
from cside_suite.conformance.pkcs11.pkcs11_modules import available
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.pkcs11_modules import CKF_SERIAL_SESSION, Station, logged_in


@pytest.fixture
def station(implementation: Implementation) -> Iterator[Station]:
    """The software token, with the user logged in."""
    made = logged_in(implementation.pkcs11.load(available("token")))
    yield made
    with suppress(implementation.pkcs11.PKCS11Error):
        made.module.C_Finalize()


def together(works: list[Callable[[], None]]) -> list[BaseException]:
    """Run each function in a thread of its own; return the exceptions that they raised."""
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # an exception that leaves a thread is only printed
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_threads_with_sessions_of_their_own_are_independent(implementation: Implementation, station: Station) -> None:
    """Threads that use a session each get right results."""
    p11: Any = implementation.pkcs11

    def digest(seed: int) -> Callable[[], None]:
        def work() -> None:
            session = station.module.C_OpenSession(station.slot, CKF_SERIAL_SESSION)
            for index in range(100):
                data = bytes([seed]) * (index * 37)
                station.module.C_DigestInit(session, p11.CKM_SHA256)
                assert station.module.C_Digest(session, data) == hashlib.sha256(data).digest()
            station.module.C_CloseSession(session)

        return work

    assert together([digest(seed) for seed in range(4)]) == []


@pytest.mark.crash_prone
def test_two_threads_in_one_session_get_return_values(implementation: Implementation, station: Station) -> None:
    """Two threads that use one session get the return values of the standard, and nothing crashes."""
    p11: Any = implementation.pkcs11
    station = logged_in(station.module)  # again, since this may be a forked child, in which no module is initialised
    seen: set[str] = set()

    def work() -> None:
        for _ in range(300):
            calls: list[Callable[[], object]] = [
                lambda: station.module.C_DigestInit(station.session, p11.CKM_SHA256),
                lambda: station.module.C_DigestUpdate(station.session, b"x" * 1000),
                lambda: station.module.C_DigestFinal(station.session),
                lambda: station.module.C_FindObjectsInit(station.session, [(p11.CKA_LABEL, "x")]),
                lambda: station.module.C_FindObjects(station.session, 10),
                lambda: station.module.C_FindObjectsFinal(station.session),
            ]
            for call in calls:
                try:
                    call()
                except p11.PKCS11Error as error:
                    seen.add(error.name)

    assert together([work, work]) == []
    assert seen <= {"CKR_OPERATION_ACTIVE", "CKR_OPERATION_NOT_INITIALIZED"}


@pytest.mark.crash_prone
def test_a_module_can_be_finalised_during_calls(implementation: Implementation, station: Station) -> None:
    """If one thread finalises the module, the calls of others fail by a return value."""
    p11: Any = implementation.pkcs11
    station = logged_in(station.module)  # as above
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            with suppress(p11.PKCS11Error):
                station.module.C_GenerateRandom(station.session, 1000)

    def end() -> None:
        for _ in range(5):
            with suppress(p11.PKCS11Error):
                station.module.C_Finalize()
            with suppress(p11.PKCS11Error):
                station.module.C_Initialize()
        stop.set()

    assert together([work, work, end]) == []


@pytest.mark.needs("gil-released")
@needs_a_gil
def test_other_threads_run_during_a_call(implementation: Implementation, station: Station) -> None:
    """Other threads run during a call of the module."""
    p11: Any = implementation.pkcs11
    data = bytes(32 * 2**20)

    def digest() -> None:
        station.module.C_DigestInit(station.session, p11.CKM_SHA512)
        station.module.C_Digest(station.session, data)

    assert releases(digest)


def test_waiting_ends_when_the_module_is_finalised(implementation: Implementation, station: Station) -> None:
    """A thread that waits for a slot event does not stop others, and returns when one of them finalises the module."""
    errors: list[Any] = []
    started = threading.Event()

    def wait() -> None:
        started.set()
        try:
            station.module.C_WaitForSlotEvent(0)
        except implementation.pkcs11.PKCS11Error as error:
            errors.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    started.wait()
    thread.join(0.2)
    assert thread.is_alive() or errors
    station.module.C_Finalize()
    thread.join(10)
    assert not thread.is_alive()
    assert errors[0].name == "CKR_CRYPTOKI_NOT_INITIALIZED"

# SPDX-License-Identifier: Apache-2.0
"""Error codes become exceptions: statuses as the contract says, ``errno`` as in Python itself."""

import errno
import inspect
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

import pytest

from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import failure, outcome
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone

OWN: dict[int, type[Exception]] = {-4: MemoryError, -100: ValueError, -103: ValueError, -102: LookupError}
"""Statuses that become one of Python's own exceptions."""

STATUSES = [*range(-6, 0), *range(-107, -99)]
UNKNOWN = [-7, -99, -108, -12345, -(2**31)]


@pytest.mark.parametrize("status", [0, 1, 2, 3, 2**31 - 1])
def test_successes_return_none(idioms: Idioms, status: int) -> None:
    """Zero and positive statuses are successes."""
    assert outcome(idioms.status_raise, status) == "returned None"


@pytest.mark.parametrize("status", STATUSES + UNKNOWN)
def test_a_failure_raises_its_exception(idioms: Idioms, native: Native, status: int) -> None:
    """Each failure raises the exception that the contract names, with the library's message as its text."""
    error = failure(idioms.status_raise, status)
    assert type(error) is OWN.get(status, idioms.StatusError)
    assert str(error) == ("" if status == -4 else native.status_message(status))


@pytest.mark.parametrize("status", [status for status in STATUSES + UNKNOWN if status not in OWN])
def test_a_status_error_says_which(idioms: Idioms, native: Native, status: int) -> None:
    """``StatusError`` has the number and the name of the status."""
    error: Any = failure(idioms.status_raise, status)
    assert error.status == status
    assert type(error.status) is int
    assert error.name == native.status_name(status)


def test_status_error_can_be_handled_like_any_exception(idioms: Idioms) -> None:
    """``StatusError`` is an `Exception`, its ``repr`` shows its text, and each failure raises a new object."""
    first, second = failure(idioms.status_raise, -106), failure(idioms.status_raise, -106)
    assert isinstance(first, Exception) and first is not second
    assert str(first) in repr(first)


def test_status_error_survives_odd_use(idioms: Any) -> None:
    """Calling the class ``StatusError``, or pickling an instance, works or raises an exception; it never crashes."""

    def describe(arguments: tuple[object, ...]) -> object:
        made = idioms.StatusError(*arguments)
        return str(made), repr(made), made.args, getattr(made, "status", None), getattr(made, "name", None)

    for arguments in ((), (1,), ("text",), (1, 2, 3, 4), (None,)):
        assert outcome(describe, arguments) != "SystemError"
    assert outcome(lambda: pickle.loads(pickle.dumps(failure(idioms.status_raise, -106)))) != "SystemError"


@pytest.mark.parametrize(
    "number",
    [
        errno.ENOENT,
        errno.EACCES,
        errno.EEXIST,
        errno.EINTR,
        errno.EAGAIN,
        errno.EPIPE,
        errno.EPERM,
        errno.ETIMEDOUT,
        errno.ECHILD,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.ECONNREFUSED,
        errno.EINVAL,
        errno.ENOMEM,
        9999,
        -5,
        2**31 - 1,
    ],
)
def test_errno_becomes_the_os_error(idioms: Idioms, number: int) -> None:
    """``errno`` becomes Python's subclass of `OSError` for it, with number and text; also unknown numbers."""
    want = OSError(number, os.strerror(number))
    error: Any = failure(idioms.errno_raise, number)
    assert type(error) is type(want)
    assert (error.errno, error.strerror, error.filename) == (want.errno, want.strerror, None)
    assert str(error) == str(want)


def test_no_errno_is_no_error(idioms: Idioms) -> None:
    """The number 0 returns None, also directly after a failure."""
    failure(idioms.errno_raise, errno.ENOENT)
    assert outcome(idioms.errno_raise, 0) == "returned None"


def test_memory_error_has_no_text(idioms: Idioms) -> None:
    """``CS_E_MEMORY`` becomes a `MemoryError` without arguments."""
    assert failure(idioms.status_raise, -4).args == ()


def test_a_status_means_the_same_in_every_function(idioms: Idioms, native: Native) -> None:
    """Every function raises for a status the same type with the same text as ``status_raise``."""
    for call, status in (
        (lambda: idioms.blob_get(2**32 - 1), -102),
        (lambda: idioms.attrs_get([4097]), -102),
        (lambda: idioms.trace_read(10**6), -102),
        (lambda: idioms.runs_expand(b"x"), -3),
        (lambda: idioms.flags_toggle(8, 0), -100),
        (lambda: idioms.state_next(), -106),
        (lambda: idioms.config_read(0, 0, 0, 1), -6),
    ):
        error = failure(call)
        assert type(error) is OWN.get(status, idioms.StatusError)
        assert str(error) == native.status_message(status)


def failing_calls(idioms: Idioms) -> list[tuple[Callable[..., object], tuple[object, ...]]]:
    """Return a call for each way in which a status or ``errno`` becomes an exception."""
    return [
        (idioms.status_raise, (-106,)),
        (idioms.status_raise, (-4,)),
        (idioms.status_raise, (-100,)),
        (idioms.status_raise, (-102,)),
        (idioms.errno_raise, (errno.ENOENT,)),
        (idioms.blob_get, (2**32 - 1,)),
        (idioms.attrs_get, ([4097],)),
        (idioms.trace_read, (10**6,)),
        (idioms.runs_expand, (b"x",)),
        (idioms.flags_toggle, (8, 0)),
        (idioms.state_next, ()),
        (idioms.config_read, (0, 0, 0, 1)),
    ]


def test_an_exception_that_cannot_be_made_is_no_success(idioms: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If making the ``StatusError`` raises, the call raises that or another exception; it never returns."""

    def refuse(self: object, *arguments: object, **keywords: object) -> None:
        raise KeyError("no StatusError today")

    try:
        monkeypatch.setattr(idioms.StatusError, "__init__", refuse)
    except TypeError as reason:
        pytest.skip(f"the class cannot be changed: {reason}")
    returned = [
        (function.__name__, got)
        for function, arguments in failing_calls(idioms)
        if (got := outcome(function, *arguments)).startswith("returned")
    ]
    assert returned == []


@pytest.mark.skipif(
    sys.implementation.name == "pypy",
    reason="PyPy's limit is the size of its stack, near whose end an exception out of any C extension is fatal",
)
def test_a_failure_at_the_recursion_limit_is_no_success(idioms: Idioms) -> None:
    """However few further calls the interpreter allows, a failure raises something; it never returns."""
    returned: list[tuple[str, int]] = []
    here, limit = len(inspect.stack(0)), sys.getrecursionlimit()
    for function, arguments in failing_calls(idioms):
        for room in range(30):
            try:
                sys.setrecursionlimit(here + room)
                function(*arguments)
                returned.append((function.__name__, room))
            except BaseException:  # what setrecursionlimit() raises, the RecursionError of the call, or its own error
                continue
            finally:
                sys.setrecursionlimit(limit)
    assert returned == []

# SPDX-License-Identifier: Apache-2.0
"""The outcome of a call as text, so that one test can report all wrong outcomes of many calls, not only the first."""

from collections.abc import Callable

from cside_suite.contract.idioms import Idioms


def outcome(call: Callable[..., object], *arguments: object) -> str:
    """Call and return the name of the exception's exact type, or ``"returned …"``."""
    try:
        return f"returned {call(*arguments)!r}"
    except Exception as error:
        return type(error).__name__


def failure(call: Callable[..., object], *arguments: object) -> BaseException:
    """Call and return the exception that is raised. Raises `AssertionError` if the call returns."""
    try:
        result = call(*arguments)
    except BaseException as error:
        return error
    raise AssertionError(f"returned {result!r} instead of raising")


def told(call: Callable[..., object], *arguments: object) -> tuple[str, str]:
    """Call and return the name of the exception's exact type and its text."""
    error = failure(call, *arguments)
    return type(error).__name__, str(error)


def status(idioms: Idioms, error: BaseException) -> tuple[object, object] | str:
    """Return the status and its name of a `StatusError`; of any other error, the name of its exact type."""
    if type(error) is idioms.StatusError:
        return getattr(error, "status", None), getattr(error, "name", None)
    return type(error).__name__

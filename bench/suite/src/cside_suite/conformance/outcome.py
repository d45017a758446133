# SPDX-License-Identifier: Apache-2.0
"""What a call came to, as text: lets one test say all that is wrong with many calls, not just the first."""

from collections.abc import Callable


def outcome(call: Callable[..., object], *arguments: object) -> str:
    """Name of the exception's exact type, or ``"returned …"``."""
    try:
        return f"returned {call(*arguments)!r}"
    except Exception as error:
        return type(error).__name__


def failure(call: Callable[..., object], *arguments: object) -> BaseException:
    """The exception that the call raises; `AssertionError` if it returns."""
    try:
        result = call(*arguments)
    except BaseException as error:
        return error
    raise AssertionError(f"returned {result!r} instead of raising")


def told(call: Callable[..., object], *arguments: object) -> tuple[str, str]:
    """Name of the exception's exact type, and its text."""
    error = failure(call, *arguments)
    return type(error).__name__, str(error)

# SPDX-License-Identifier: Apache-2.0
"""The suite's command-line options, as a pytest plugin.

``pytest --pyargs`` reads a package's ``conftest.py`` too late for options. Therefore the distribution registers this
module as a plugin (entry-point group ``pytest11``); ``-p cside_suite.subjects.pytest_options`` does the same by hand.
"""

import contextlib

import pytest

from cside_suite.subjects.bindings import BindingError, Implementation, discover


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options ``--binding`` and ``--big``."""
    group = parser.getgroup("cside")
    with contextlib.suppress(ValueError):  # another plugin of this distribution has added it, with the same meaning
        group.addoption(
            "--binding",
            action="append",
            default=[],
            metavar="NAME",
            help="run the tests on this binding and its variants only, or on this variant only (may be repeated)",
        )
    with contextlib.suppress(ValueError):
        group.addoption(
            "--big",
            action="store_true",
            help="also run the tests with more than 2 GiB of data (they take minutes and 12 GiB of memory)",
        )


def pytest_configure(config: pytest.Config) -> None:
    """End the run with an error at once if a ``--binding`` is not installed."""
    if config.getoption("--binding", default=[]):
        selected(config)


_cache: dict[tuple[str, ...], list[Implementation]] = {}


def selected(config: pytest.Config) -> list[Implementation]:
    """Return the implementations under test.

    Raises `pytest.UsageError` if there is none: a run without tests must not look like a success.
    """
    wanted = tuple(config.getoption("--binding", default=[]) or [])
    if wanted not in _cache:
        try:
            _cache[wanted] = discover(wanted, partial=True)
        except BindingError as error:
            raise pytest.UsageError(str(error)) from error
    if not _cache[wanted]:
        raise pytest.UsageError("no binding is installed in this interpreter: there is nothing to test")
    return _cache[wanted]

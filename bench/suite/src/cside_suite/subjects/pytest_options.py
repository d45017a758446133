# SPDX-License-Identifier: Apache-2.0
"""The suite's command-line options, as a pytest plugin.

``pytest --pyargs`` reads a package's ``conftest.py`` too late for options, so that they stand here: the distribution
registers this module as a plugin (entry-point group ``pytest11``), and ``-p cside_suite.subjects.pytest_options`` does the
same by hand.
"""

import contextlib

import pytest

from cside_suite.subjects.bindings import BindingError, Implementation, discover


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--binding`` and ``--big``."""
    group = parser.getgroup("cside")
    with contextlib.suppress(ValueError):  # another plugin of this distribution has it already, with the same meaning
        group.addoption(
            "--binding",
            action="append",
            default=[],
            metavar="NAME",
            help="only this binding, with its variants, or only this variant; repeatable",
        )
    with contextlib.suppress(ValueError):
        group.addoption("--big", action="store_true", help="also compress more than 2 GiB (minutes, 12 GiB of memory)")


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a ``--binding`` that is not there before anything else happens."""
    if config.getoption("--binding", default=[]):
        selected(config)


_cache: dict[tuple[str, ...], list[Implementation]] = {}


def selected(config: pytest.Config) -> list[Implementation]:
    """The implementations under test. None at all ends the run as an error, never as an empty pass."""
    wanted = tuple(config.getoption("--binding", default=[]) or [])
    if wanted not in _cache:
        try:
            _cache[wanted] = discover(wanted, partial=True)
        except BindingError as error:
            raise pytest.UsageError(str(error)) from error
    if not _cache[wanted]:
        raise pytest.UsageError("no binding is installed in this interpreter: there is nothing to test")
    return _cache[wanted]

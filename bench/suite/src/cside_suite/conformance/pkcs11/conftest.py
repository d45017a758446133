# SPDX-License-Identifier: Apache-2.0
"""What tests of bindings with real PKCS #11 modules share."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from cside_suite.conformance import partial
from cside_suite.conformance.pkcs11.pkcs11_modules import available
from cside_suite.subjects import pytest_options
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.pkcs11_modules import MODULES, Station, logged_in


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip each test of this folder for a binding without the noun, before any fixture asks for its module."""
    name = item.callspec.params.get("implementation") if hasattr(item, "callspec") else None
    for chosen in pytest_options.selected(item.config):
        if chosen.name == name:
            partial.noun(chosen, "pkcs11")


@pytest.fixture(params=MODULES)
def station(request: pytest.FixtureRequest, implementation: Implementation) -> Iterator[Station]:
    """A module with a token and a session in which the user is logged in; it is finalised after the test."""
    made = logged_in(implementation.pkcs11.load(available(request.param)))
    yield made
    with suppress(implementation.pkcs11.PKCS11Error):
        made.module.C_Finalize()


@pytest.fixture
def p11(implementation: Implementation) -> Any:
    """The binding's module ``pkcs11``."""
    return implementation.pkcs11

# SPDX-License-Identifier: Apache-2.0
"""The software token, through one binding, is held to published test vectors, and to SoftHSM2."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import vector_files
from cside_suite.subjects.bindings import discover
from cside_suite.subjects.pkcs11_modules import Station, Unavailable, locate, logged_in

BINDING = discover()[0]
"""The first of the bindings: the others are proven to do the same by the conformance suite."""


def unavailable(reason: str) -> None:
    """Skip for want of something; where CI promised it, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"CI promises it: {reason}")
    pytest.skip(reason)


@pytest.fixture
def p11() -> Any:
    """The binding's module ``pkcs11``."""
    return BINDING.pkcs11


@pytest.fixture
def opened_module() -> Iterator[Callable[[str], Station]]:
    """A function that opens a module by its name, with a session of a user who is logged in."""
    stations = []

    def open_one(name: str) -> Station:
        try:
            stations.append(logged_in(BINDING.pkcs11.load(str(locate(name)))))
        except Unavailable as error:
            unavailable(str(error))
        return stations[-1]

    yield open_one
    for station in stations:
        with suppress(BINDING.pkcs11.PKCS11Error):
            station.module.C_Finalize()


@pytest.fixture
def token(opened_module: Callable[[str], Station]) -> Station:
    """The software token."""
    return opened_module("token")


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder of the vectors."""
    found = vector_files.folder()
    if found is None:
        unavailable("cryptography-vectors is not installed: it is the extra `vectors`, which nox installs where it can")
    assert found is not None
    return found

# SPDX-License-Identifier: Apache-2.0
"""Subjects that have a part of the contract, in tests that are written for all: what is missing skips the test."""

from typing import Any

import pytest

from cside_suite.subjects.bindings import Implementation

ABOUT_WHOLE_BINDINGS = frozenset(
    {
        "test_codec_faults",
        "test_contract",
        "test_idioms_trace",
        "test_interpreters",
        "test_leaks",
        "test_stdlib",
    }
)
"""Modules whose tests are about whole bindings."""


def concerns(metafunc: pytest.Metafunc) -> bool:
    """Return whether a test uses a noun of which a partial variant has a part."""
    module = metafunc.module.__name__.rpartition(".")[2]
    crash_prone = metafunc.definition.get_closest_marker("crash_prone") is not None  # a child process cannot skip
    asks = {"idioms", "codec"} & set(metafunc.fixturenames)
    return bool(asks) and not crash_prone and module not in ABOUT_WHOLE_BINDINGS and "pkcs11" not in module


class Offered:
    """The module of a partial variant; asking for a name that it does not offer skips the test."""

    def __init__(self, implementation: Implementation, noun: str) -> None:
        self._implementation = implementation
        self._noun = noun
        self._offers = implementation.offers(noun) or frozenset()

    def __getattr__(self, name: str) -> Any:
        """Return the variant's function, or skip the test."""
        if name in self._offers or name == "StatusError":
            return getattr(self._implementation.noun(self._noun), name)
        pytest.skip(f"{self._implementation.name} is partial and has no {self._noun}.{name}")


def noun(implementation: Implementation, name: str) -> Any:
    """Return a module of an implementation; for a partial variant, an :class:`Offered` in its place.

    A noun that the implementation declares missing skips the test, with the reason that it declares.
    """
    if (reason := implementation.lacks(name)) is not None:
        pytest.skip(f"{implementation.name} has no {name}: {reason}")
    if not implementation.partial:
        return implementation.noun(name)
    if implementation.unavailable is not None:
        pytest.skip(f"{implementation.name} is not available: {implementation.unavailable}")
    implementation.noun(name)  # imported now, so that the import is no part of a test
    return Offered(implementation, name)

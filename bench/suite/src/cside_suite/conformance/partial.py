# SPDX-License-Identifier: Apache-2.0
"""A partial variant in the place of a whole binding: what it does not offer skips the test that asks for it."""

from typing import Any

import pytest

from cside_suite.subjects.bindings import Implementation

ABOUT_WHOLE_BINDINGS = frozenset(
    {
        "test_codec_faults",
        "test_contract",
        "test_idioms_threads",
        "test_idioms_trace",
        "test_interpreters",
        "test_leaks",
        "test_stdlib",
    }
)
"""Modules whose tests look at a binding as a whole."""


def concerns(metafunc: pytest.Metafunc) -> bool:
    """Whether a test asks for a noun of which a partial variant has a part."""
    module = metafunc.module.__name__.rpartition(".")[2]
    crash_prone = metafunc.definition.get_closest_marker("crash_prone") is not None  # a child process cannot skip
    asks = {"idioms", "codec"} & set(metafunc.fixturenames)
    return bool(asks) and not crash_prone and module not in ABOUT_WHOLE_BINDINGS and "pkcs11" not in module


class Offered:
    """A noun of a partial variant."""

    def __init__(self, implementation: Implementation, noun: str) -> None:
        self._implementation = implementation
        self._noun = noun
        self._offers = implementation.offers(noun) or frozenset()

    def __getattr__(self, name: str) -> Any:
        """The variant's own; a name that it does not offer skips the test."""
        if name in self._offers or name == "StatusError":
            return getattr(self._implementation.noun(self._noun), name)
        pytest.skip(f"{self._implementation.name} is partial and has no {self._noun}.{name}")


def noun(implementation: Implementation, name: str) -> Any:
    """The module, or what stands for it."""
    if not implementation.partial:
        return implementation.noun(name)
    if implementation.unavailable is not None:
        pytest.skip(f"{implementation.name} is not available: {implementation.unavailable}")
    implementation.noun(name)  # imported here, and not within what a test does
    return Offered(implementation, name)

# SPDX-License-Identifier: Apache-2.0
"""The copy of an installed binding: a control that is measured beside its original."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from cside_suite.subjects.bindings import Implementation


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a binding: its modules, loaded a second time, under a name of their own."""

    original: Implementation
    """The binding that was copied."""
    name: str
    """The name of the copy as a subject."""
    modules: Mapping[str, ModuleType]
    """The copy's modules by noun."""

    @property
    def features(self) -> frozenset[str]:
        """The features that the original declares."""
        return self.original.features

    @property
    def gaps(self) -> Mapping[str, str]:
        """The gaps that the original declares, each with its reason."""
        return self.original.gaps

    def noun(self, name: str) -> ModuleType:
        """Return one of the copy's modules; an empty name is the package."""
        return self.modules[name]

    @property
    def idioms(self) -> Any:
        """The copy's module ``idioms``."""
        return self.modules["idioms"]

    @property
    def codec(self) -> Any:
        """The copy's module ``codec``."""
        return self.modules["codec"]

    @property
    def pkcs11(self) -> Any:
        """The copy's module ``pkcs11``."""
        return self.modules["pkcs11"]

    def renamed(self, name: str) -> "Copy":
        """Return a copy that shares these modules under another name."""
        return Copy(self.original, name, self.modules)

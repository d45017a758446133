# SPDX-License-Identifier: Apache-2.0
"""A copy of an installed binding, made as a control."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from cside_suite.subjects.bindings import Implementation


@dataclass(frozen=True, slots=True)
class Copy:
    """The modules of the reference binding, loaded again."""

    original: Implementation
    name: str
    modules: Mapping[str, ModuleType]

    @property
    def features(self) -> frozenset[str]:
        """The original's."""
        return self.original.features

    @property
    def gaps(self) -> Mapping[str, str]:
        """The original's."""
        return self.original.gaps

    @property
    def idioms(self) -> Any:
        """The copy's module."""
        return self.modules["idioms"]

    @property
    def codec(self) -> Any:
        """The copy's module."""
        return self.modules["codec"]

    @property
    def pkcs11(self) -> Any:
        """The copy's module."""
        return self.modules["pkcs11"]

    def renamed(self, name: str) -> "Copy":
        """The same modules under another name."""
        return Copy(self.original, name, self.modules)

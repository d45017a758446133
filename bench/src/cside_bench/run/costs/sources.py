# SPDX-License-Identifier: Apache-2.0
"""The source files of one binding, as the manifest lists them."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self


class CostError(Exception):
    """A cost could not be measured. The first line of the text says why and is shown in the report."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The source files of one binding."""

    binding: str
    distribution: str
    folder: Path
    """The binding's folder in the checkout."""
    digest: str
    """SHA-256 over the names and contents of the files."""
    files: tuple[str, ...]
    """Paths within the folder, without what a build leaves there."""
    generated: frozenset[str]
    """Those of the files that a program wrote."""

    @classmethod
    def of(cls, binding: str, described: Mapping[str, Any]) -> Self:
        """Read an entry of the manifest's ``sources``."""
        return cls(
            binding,
            str(described["distribution"]),
            Path(described["folder"]),
            str(described["digest"]),
            tuple(described["files"]),
            frozenset(described["generated"]),
        )

    def copy_to(self, target: Path) -> None:
        """Copy the files into the folder ``target``, which is emptied first."""
        shutil.rmtree(target, ignore_errors=True)
        for name in self.files:
            place = target / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.folder / name, place)

# SPDX-License-Identifier: Apache-2.0
"""How subjects are named and ordered wherever they are shown."""

from collections.abc import Mapping
from typing import Any, Final

TWIN: Final = "twin"


RELINKED: Final = "relinked"


DELAYED: Final = "delayed"


NAMES: Final = (TWIN, RELINKED, DELAYED)


AA: Final = ("twin", "relinked")
"""Subjects that are the reference binding's own code."""
DELAYED: Final = "delayed"
"""The twin with 5 % more calls than are counted."""
CONTROLS: Final = (*AA, DELAYED)
REFERENCES: Final = (
    "floor.direct",
    "floor.shim",
    "floor.pointer",
    "floor.ffi",
    "stdlib",
    "PyKCS11",
    "python-pkcs11",
    "empty-function",
    "empty-builtin",
    *CONTROLS,
)
"""What bindings are compared with besides each other, in the order of tables."""


def subject_of(cell: Mapping[str, Any]) -> str:
    """``cffi.abi`` for binding ``cffi``, variant ``abi``."""
    return f"{cell['binding']}.{cell['variant']}" if cell["variant"] else str(cell["binding"])


def natural(text: str) -> list[tuple[int, str]]:
    """Sort key that orders numbers in names by value."""
    parts, digits = [], ""
    for char in text + " ":
        if char.isdigit():
            digits += char
            continue
        if digits:
            parts.append((int(digits), ""))
            digits = ""
        parts.append((-1, char))
    return parts

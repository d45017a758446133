# SPDX-License-Identifier: Apache-2.0
"""How subjects are named and ordered wherever they are shown."""

from collections.abc import Mapping
from typing import Any, Final

TWIN: Final = "twin"
"""A byte-identical copy of the reference binding."""
RELINKED: Final = "relinked"
"""The reference binding, linked in another order."""
DELAYED: Final = "delayed"
"""The twin, slowed down by :data:`DELAY`."""
DELAY: Final = 0.05
"""How much longer the calls of :data:`DELAYED` take: it makes so many more calls than are counted."""
DELAY_TOLERANCE: Final = 0.01
"""The delay is calibrated per process to about this: what is measured of it has to lie between 1.04 and 1.06."""
AA: Final = (TWIN, RELINKED)
"""Subjects that are the reference binding's own code."""
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

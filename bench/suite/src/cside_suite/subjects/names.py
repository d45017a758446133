# SPDX-License-Identifier: Apache-2.0
"""Names of the subjects that are not bindings, and how names are composed and ordered in tables and figures."""

from collections.abc import Mapping
from typing import Any, Final

TWIN: Final = "twin"
"""A byte-identical copy of the reference binding; ``twin.cffi`` is that of the binding ``cffi`` (:func:`twin_of`)."""

SINGLE: Final = "cannot be loaded a second time: "
"""How the reason begins for which a binding has no twin that declares the gap ``second-copy``; the rest is its own."""

RELINKED: Final = "relinked"
"""The reference binding in another layout than the one that it has in the same process."""

DELAYED: Final = "delayed"
"""The twin, slowed down by :data:`DELAY`."""

DELAY: Final = 0.05
"""The share by which the calls of :data:`DELAYED` take longer: it makes so many more calls than are counted."""

DELAY_TOLERANCE: Final = 0.01
"""The error of the delay, which each process calibrates: the measured ratio must lie between 1.04 and 1.06."""

AA: Final = (TWIN, RELINKED)
"""Controls that run the reference binding's own code, so that the true ratio is 1."""

CONTROLS: Final = (*AA, DELAYED)
"""The controls of the reference: subjects whose true ratio to it is known. Those of other bindings are their twins."""

HOST: Final = "host"
"""The reference binding in the process that measures references and loops in C alone: it gives these their arguments,
and is not timed.
"""

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
"""Subjects other than bindings, with which the bindings are compared, in the order of tables."""


def twin_of(name: str) -> str:
    """Return the name of the twin of a binding other than the reference."""
    return f"{TWIN}.{name}"


def twinned(subject: str) -> str | None:
    """Return the binding of which a subject is the twin; None for other subjects, and for the reference's twin."""
    return subject.removeprefix(f"{TWIN}.") if subject.startswith(f"{TWIN}.") else None


def original_of(subject: str, reference: str) -> str:
    """Return the binding whose code a control or the host runs; any other subject itself."""
    return reference if subject in (*CONTROLS, HOST) else twinned(subject) or subject


def is_control(subject: str) -> bool:
    """Whether the true ratio of a subject is known: to the reference, or to the binding of which it is the twin."""
    return subject in CONTROLS or twinned(subject) is not None


def subject_of(cell: Mapping[str, Any]) -> str:
    """Return the subject of a cell: ``cffi.abi`` for the binding ``cffi`` and the variant ``abi``."""
    return f"{cell['binding']}.{cell['variant']}" if cell["variant"] else str(cell["binding"])


def natural(text: str) -> list[tuple[int, str]]:
    """Return a sort key that orders the numbers in a name by their value."""
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

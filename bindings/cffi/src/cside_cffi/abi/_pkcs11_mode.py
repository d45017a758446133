# SPDX-License-Identifier: Apache-2.0
"""How ABI mode calls the functions of a PKCS #11 module: by the pointers of the list, each looked up once."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def function(functions: Any, name: str) -> Callable[..., int]:
    """A function of the list ``functions``."""
    pointer: Callable[..., int] = getattr(functions, name)
    return pointer

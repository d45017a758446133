# SPDX-License-Identifier: Apache-2.0
"""How API mode calls the functions of a PKCS #11 module: by C functions that take the list first."""

from __future__ import annotations

from types import MethodType

from ._core import lib

TYPE_CHECKING = False  # what type checkers take for true; importing typing takes longer than all else here

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def function(functions: Any, name: str) -> Callable[..., int]:
    """A function of the list ``functions``. As a method bound to the list it costs no more than with the list as an
    argument, and looks to callers like ABI mode's.
    """
    return MethodType(getattr(lib, "shim_" + name), functions)

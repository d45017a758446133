# SPDX-License-Identifier: Apache-2.0
"""Conversion of mechanisms and of their parameters."""

from __future__ import annotations

from _operator import index

from cside_ctypes._native import addressed
from cside_ctypes._pkcs11_arguments import Direct, byte_string, immediate, let_go, number, pointed, writable
from cside_ctypes._pkcs11_layout import packer
from cside_ctypes._pkcs11_parameters import PACKERS
from cside_ctypes._pkcs11_structs import CK_MECHANISM
from cside_ctypes._pkcs11_templates import ulong_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["mechanism", "parameter"]

_pack = packer(CK_MECHANISM)


def _packer_of(value: Any) -> Any:
    """The function that packs a named tuple or an instance of a subclass of one; None for any other value."""
    found = PACKERS.get(type(value))
    if found is None and isinstance(value, tuple):
        found = next((PACKERS[base] for base in type(value).__mro__ if base in PACKERS), None)
    return found


def mechanism(value: Any, /) -> tuple[Any, Any]:
    """Convert to a ``CK_MECHANISM``: the argument, and a hold."""
    if isinstance(value, int):
        return immediate(_pack(number(value), 0, 0))
    if value is None:
        return None, None
    if not isinstance(value, tuple):
        return immediate(_pack(number(value), 0, 0))
    if len(value) != 2:
        raise TypeError(f"a mechanism is an integer or a pair (type, parameter), not {len(value)} things")
    kind, given = value
    kind = number(kind)
    if type(given) is Direct:
        address, nbytes, hold = addressed(given)
        return _pack(kind, address, nbytes), hold
    holds: list[Any] = []
    try:
        raw = _parameter_bytes(given, holds)
        address, nbytes = pointed(given if raw is None else raw, holds)
        c, hold = immediate(_pack(kind, address, nbytes))
    except BaseException:
        let_go(holds)
        raise
    if hold is not None:
        holds.append(hold)
    return c, holds


def _parameter_bytes(value: Any, holds: list[Any], /) -> bytes | None:
    """The bytes of a parameter that is a named tuple or an integer; None if it is None or a buffer itself."""
    if value is None:
        return None
    pack = _packer_of(value)
    if pack is not None:
        made: bytes = pack(value, holds)
        return made
    if isinstance(value, int):
        return ulong_bytes(index(value))
    if hasattr(type(value), "__index__"):
        try:
            memoryview(value).release()
        except TypeError:
            return ulong_bytes(index(value))
    return None


def parameter(value: Any, /) -> tuple[Any, int, Any]:
    """Convert the parameter of a message function, which the module may write to: the argument, length and hold."""
    if value is None:
        return None, 0, None
    holds: list[Any] = []
    try:
        raw = _parameter_bytes(value, holds)
        if raw is None:
            c, nbytes, hold = writable(value)
        else:
            c, nbytes, hold = byte_string(raw)
    except BaseException:
        let_go(holds)
        raise
    if hold is not None:
        holds.append(hold)
    return c, nbytes, holds

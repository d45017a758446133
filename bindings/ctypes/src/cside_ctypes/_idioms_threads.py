# SPDX-License-Identifier: Apache-2.0
"""Calls that hold or release the GIL, state of the process, and state of each thread."""

from ctypes import POINTER, c_int32, c_int64, c_uint64

from cside_ctypes._idioms_errors import raise_status
from cside_ctypes._native import CHOOSES_GIL, held, int64, released, uint64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["spin_held", "spin_released", "state_fini", "state_init", "state_next", "tls_get", "tls_set"]

_spin_held = held("cs_spin", c_uint64, c_uint64)
_spin_released = released("cs_spin", c_uint64, c_uint64)
_state_init = held("cs_state_init", c_int32, c_int64)
_state_next = held("cs_state_next", c_int32, POINTER(c_int64))
_state_fini = held("cs_state_fini", c_int32)
_tls_set = held("cs_tls_set", None, c_int64)
_tls_get = held("cs_tls_get", c_int64)


def spin_held(iterations: "SupportsIndex", /) -> int:
    """Compute ``iterations`` steps of xorshift64 while the GIL is held; return the final state.

    Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``gil-held``.
    """
    if not CHOOSES_GIL:
        raise NotImplementedError("ctypes on this interpreter always releases the GIL")
    return _spin_held(uint64(iterations))


def spin_released(iterations: "SupportsIndex", /) -> int:
    """Compute ``iterations`` steps of xorshift64 with the GIL released; return the final state.

    Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``gil-released``.
    """
    return _spin_released(uint64(iterations))


def state_init(seed: "SupportsIndex", /) -> None:
    """Start the number generator of the process at ``seed``.

    Raises `StatusError` ``CS_E_STATE`` if it is already running; `OverflowError` if ``seed``
    does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
    """
    status = _state_init(int64(seed))
    if status < 0:
        raise_status(status)


def state_next() -> int:
    """Return the next number of the generator: its seed, seed + 1, ..., modulo 2**64.

    Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
    """
    out = c_int64()
    status = _state_next(out)
    if status < 0:
        raise_status(status)
    return out.value


def state_fini() -> None:
    """Stop the number generator of the process, which may be started again.

    Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
    """
    status = _state_fini()
    if status < 0:
        raise_status(status)


def tls_set(value: "SupportsIndex", /) -> None:
    """Set the number that the library keeps for the calling thread.

    Raises `OverflowError` if ``value`` does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    _tls_set(int64(value))


def tls_get() -> int:
    """Return the number that the library keeps for the calling thread; 0 in a new thread."""
    return _tls_get()

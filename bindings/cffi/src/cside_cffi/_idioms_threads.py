# SPDX-License-Identifier: Apache-2.0
"""Threads: a long call and the GIL, process-wide state that is initialised and ended, thread-local state."""

from _operator import index

from ._core import ffi, lib
from ._idioms_errors import failure

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

_new = ffi.new

# Out-parameters that no call is using; the first call makes the first one.
_i64s: "list[Any]" = []

_spin: "Callable[[int], int]" = lib.cs_spin
_state_init: "Callable[[int], int]" = lib.cs_state_init
_state_next: "Callable[[Any], int]" = lib.cs_state_next
_state_fini: "Callable[[], int]" = lib.cs_state_fini
_tls_set: "Callable[[int], None]" = lib.cs_tls_set

# This needs no wrapper: the public name is cffi's function object itself, whose docstring is the C declaration.
tls_get: "Callable[[], int]" = lib.cs_tls_get


def spin_held(iterations: "SupportsIndex", /) -> int:
    """Compute ``iterations`` steps of xorshift64 while the GIL is held; return the final state.

    Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``gil-held``.
    """
    raise NotImplementedError("cffi releases the GIL around every call")


def spin_released(iterations: "SupportsIndex", /) -> int:
    """Compute ``iterations`` steps of xorshift64 with the GIL released; return the final state.

    Raises `OverflowError` if ``iterations`` does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``; `NotImplementedError` without the feature ``gil-released``.
    """
    return _spin(index(iterations))


def state_init(seed: "SupportsIndex", /) -> None:
    """Start the number generator of the process at ``seed``.

    Raises `StatusError` ``CS_E_STATE`` if it is already running; `OverflowError` if ``seed``
    does not fit ``int64_t``; `TypeError` if it has no ``__index__``.
    """
    status = _state_init(index(seed))
    if status:
        raise failure(status)


def state_next() -> int:
    """Return the next number of the generator: its seed, seed + 1, ..., modulo 2**64.

    Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
    """
    try:
        out = _i64s.pop()
    except IndexError:
        out = _new("int64_t *")
    status = _state_next(out)
    value: int = out[0]
    _i64s.append(out)
    if status:
        raise failure(status)
    return value


def state_fini() -> None:
    """Stop the number generator of the process, which may be started again.

    Raises `StatusError` ``CS_E_STATE`` if the generator is not running.
    """
    status = _state_fini()
    if status:
        raise failure(status)


def tls_set(value: "SupportsIndex", /) -> None:
    """Set the number that the library keeps for the calling thread.

    Raises `OverflowError` if ``value`` does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    _tls_set(index(value))

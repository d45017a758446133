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

# This needs no wrapper: the public name is cffi's function object itself.
tls_get: "Callable[[], int]" = lib.cs_tls_get


def spin_held(iterations: "SupportsIndex", /) -> int:
    """Raise `NotImplementedError`: cffi cannot hold the GIL during a call."""
    raise NotImplementedError("cffi releases the GIL around every call")


def spin_released(iterations: "SupportsIndex", /) -> int:
    """``cs_spin`` with the GIL released, as cffi releases it around every call."""
    return _spin(index(iterations))


def state_init(seed: "SupportsIndex", /) -> None:
    """Start the process-wide generator."""
    status = _state_init(index(seed))
    if status:
        raise failure(status)


def state_next() -> int:
    """The generator's next number."""
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
    """Stop the generator."""
    status = _state_fini()
    if status:
        raise failure(status)


def tls_set(value: "SupportsIndex", /) -> None:
    """Set the calling thread's number."""
    _tls_set(index(value))

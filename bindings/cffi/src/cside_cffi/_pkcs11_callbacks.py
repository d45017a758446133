# SPDX-License-Identifier: Apache-2.0
"""What all callbacks of a PKCS #11 module have in common: their numbers, their exceptions, their return values.

C gets a number for each set of locks, each ``Notify`` and each mutex. No number is used twice, so that a call which C
makes with the number of something that has ended finds nothing, and does no other harm.

An exception cannot pass through C. It waits in `raised`, by the frame of the Python function whose call of C led to the
callback. That is the frame right below the callback's, since there is no other Python code between them. Each of these
functions looks into `raised` when C returns.
"""

from __future__ import annotations

from itertools import count
from operator import index
from sys import _getframe

from cside_cffi._pkcs11_errors import PKCS11Error

from ._idioms_callbacks import c_function
from ._pkcs11_memory import BITS, too_big

TYPE_CHECKING = False  # type checkers read it as True; importing typing at run time would be slow

if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Final, NoReturn

_OK: Final = 0
GENERAL_ERROR: Final = 0x5
"""``CKRGENERAL_ERROR``: what C receives after an exception other than a `PKCS11Error`."""

raised: Final[dict[FrameType, BaseException]] = {}
"""The exceptions of callbacks, by the frame of the function that called C."""

callers: Final[list[dict[str, Any]]] = []
"""The ``globals()`` of every module whose functions call C and look into `raised` afterwards."""

numbers: Final = count(1)
"""Numbers for C, each used once."""


def check(rv: int, function: str, result: list[tuple[int, bytes | None]] | None = None) -> None:
    """Raise what a callback raised during the caller's call of C; or `PKCS11Error`, unless ``rv`` is ``CKR_OK``."""
    if raised:
        error = raised.pop(_getframe(1), None)
        if error is not None:
            _raise(error)
    if rv:
        raise PKCS11Error(rv, function, result)


def _raise(error: BaseException) -> NoReturn:
    try:
        raise error
    finally:
        del error


def _on_report() -> int:
    raise _reported.pop()


_reported: Final[list[BaseException]] = []
_report: Final = c_function("on_report", _on_report, _OK, None)
"""Report an exception to ``sys.unraisablehook``. Python code cannot make that hook's argument, but cffi makes it for
an exception that leaves a callback; so this calls a C function that calls `_on_report`, which raises the exception."""


def keep(error: BaseException, caller: FrameType | None) -> int:
    """Keep an exception for the function that called C, or report it if there is none; return the ``CK_RV`` for C."""
    rv: object = error.rv if isinstance(error, PKCS11Error) else GENERAL_ERROR
    if caller is not None and any(caller.f_globals is known for known in callers) and caller not in raised:
        raised[caller] = error
    else:
        _reported.append(error)
        _report()
    return rv if isinstance(rv, int) and not rv >> BITS else GENERAL_ERROR


def escaped(kind: type[BaseException], error: BaseException, trace: Any) -> int:
    """Keep an exception that the callback could not keep itself, for lack of stack. It is cffi's ``onerror``."""
    return keep(error.with_traceback(trace), trace.tb_frame.f_back)


def answer(result: object) -> int:
    """Return the ``CK_RV`` for the result of a callback; ``None`` is ``CKR_OK``."""
    if result is None:
        return _OK
    rv = index(result)  # type: ignore[arg-type]
    if rv >> BITS:
        raise too_big(rv)
    return rv

# SPDX-License-Identifier: Apache-2.0
"""The PKCS #11 modules of this machine, with an initialised token in each, for the suite and the workloads.

``token`` is the software token beside ``libcside``. ``softhsm2`` is SoftHSM2, looked for where systems install it, or
at the path in the environment variable ``CSIDE_SOFTHSM2``. Its tokens are kept in a temporary folder of this process,
never in the user's own.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cside_native

__all__ = ["LABEL", "MODULES", "SO_PIN", "USER_PIN", "Station", "Unavailable", "locate", "logged_in", "opened"]

MODULES: Final = ("token", "softhsm2")
"""The names of the modules."""

LABEL: Final = "cside"
"""The label of the token that is made in each module."""

SO_PIN: Final = "87654321"
"""The security officer's PIN of that token."""

USER_PIN: Final = "12345678"
"""The user's PIN of that token."""

CKF_TOKEN_INITIALIZED: Final = 0x400
CKF_RW_SESSION: Final = 0x2
CKF_SERIAL_SESSION: Final = 0x4
CKU_SO: Final = 0
CKU_USER: Final = 1

SOFTHSM2_PLACES: Final = (
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib64/softhsm/libsofthsm2.so",
    "/usr/lib64/pkcs11/libsofthsm2.so",
    "/usr/lib/pkcs11/libsofthsm2.so",
    "/usr/local/lib/softhsm/libsofthsm2.so",
    "/opt/homebrew/lib/softhsm/libsofthsm2.so",
)
"""Paths at which systems install SoftHSM2."""


class Unavailable(Exception):
    """A module is not installed on this machine; the text says how to install it."""


def locate(name: str) -> Path:
    """Return the file of a module. Raises `Unavailable` if there is none."""
    if name == "token":
        try:
            return cside_native.token_library()
        except FileNotFoundError as error:
            raise Unavailable(str(error)) from error
    places = [os.environ["CSIDE_SOFTHSM2"]] if "CSIDE_SOFTHSM2" in os.environ else SOFTHSM2_PLACES
    for place in places:
        if Path(place).exists():
            _own_store()
            return Path(place)
    raise Unavailable(f"SoftHSM2 is not installed ({places[0]} is not there): apt-get install softhsm2")


def _own_store() -> None:
    """Let SoftHSM2 keep its tokens in a temporary folder, which is made on the first call in a process."""
    own = f"cside-softhsm2-{os.getpid()}-"
    if own in os.environ.get("SOFTHSM2_CONF", ""):
        return
    folder = Path(tempfile.mkdtemp(prefix=own))
    (folder / "tokens").mkdir()
    config = folder / "softhsm2.conf"
    config.write_text(f"directories.tokendir = {folder / 'tokens'}\nobjectstore.backend = file\nlog.level = ERROR\n")
    os.environ["SOFTHSM2_CONF"] = str(config)
    _leave_nothing(folder, os.getpid())


def _leave_nothing(folder: Path, owner: int) -> None:
    """Remove the folder when the process ends."""
    import atexit

    def remove() -> None:
        if os.getpid() == owner:  # not in a forked child
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)


@dataclass(frozen=True, slots=True)
class Station:
    """An open module, the slot of its initialised token, and a session in which the user is logged in."""

    module: Any
    slot: int
    session: int


def _slots(module: Any) -> Iterator[tuple[int, Any]]:
    for slot in module.C_GetSlotList(True):
        yield slot, module.C_GetTokenInfo(slot)


def _token_slot(module: Any) -> int:
    """Return the slot of our token; without one, initialise the first blank token."""
    found = next((slot for slot, info in _slots(module) if info.label == LABEL), None)
    if found is not None:
        return found
    blank = next(slot for slot, info in _slots(module) if not info.flags & CKF_TOKEN_INITIALIZED)
    module.C_InitToken(blank, SO_PIN, LABEL)
    slot = next(slot for slot, info in _slots(module) if info.label == LABEL)
    session = module.C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION)
    module.C_Login(session, CKU_SO, SO_PIN)
    module.C_InitPIN(session, USER_PIN)
    module.C_CloseSession(session)
    return slot


def opened(module: Any) -> Station:
    """Open a read-write session on our token in an initialised module, and log the user in."""
    slot = _token_slot(module)
    session = module.C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION)
    module.C_Login(session, CKU_USER, USER_PIN)
    return Station(module, slot, session)


def logged_in(module: Any) -> Station:
    """Do the same as :func:`opened` in a module whose state is unknown: finalise and initialise it first."""
    with suppress(Exception):  # it may be initialised, by an earlier user of this process, or not
        module.C_Finalize()
    module.C_Initialize()
    return opened(module)

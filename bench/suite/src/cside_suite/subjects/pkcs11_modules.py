# SPDX-License-Identifier: Apache-2.0
"""PKCS #11 modules that this machine has, and a token made ready in each: for the suite and for the workloads.

``token`` is the software token beside ``libcside``; ``softhsm2`` is found where systems install it, or where the
environment variable ``CSIDE_SOFTHSM2`` says. Its tokens go to a temporary folder of this process, never to the user's
own.
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
LABEL: Final = "cside"
SO_PIN: Final = "87654321"
USER_PIN: Final = "12345678"

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


class Unavailable(Exception):
    """A module is not on this machine; the text says what to do about it."""


def locate(name: str) -> Path:
    """The file of a module. Raises `Unavailable`."""
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
    """Let SoftHSM2 keep its tokens in a folder of this process, made when it is first asked for."""
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
    import atexit

    def remove() -> None:
        if os.getpid() == owner:  # not in a forked child
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)


@dataclass(frozen=True, slots=True)
class Station:
    """A module with an initialised token, and a session in which the user is logged in."""

    module: Any
    slot: int
    session: int


def _slots(module: Any) -> Iterator[tuple[int, Any]]:
    for slot in module.C_GetSlotList(True):
        yield slot, module.C_GetTokenInfo(slot)


def _token_slot(module: Any) -> int:
    """The slot of our token; one is made of the first blank token where there is none yet."""
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
    """In a module that is initialised: our token, and a read-write session with the user logged in."""
    slot = _token_slot(module)
    session = module.C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION)
    module.C_Login(session, CKU_USER, USER_PIN)
    return Station(module, slot, session)


def logged_in(module: Any) -> Station:
    """The same in a module whose state is not known: it starts anew."""
    with suppress(Exception):  # whoever used it last in this process may have left it so, or not
        module.C_Finalize()
    module.C_Initialize()
    return opened(module)

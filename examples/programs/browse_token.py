# SPDX-License-Identifier: Apache-2.0
"""List the slots, tokens and objects of a PKCS #11 module; without --module those of cside's software token.

The software token is for measuring and teaching. It is empty when a program starts, so that a token with a certificate
and a key is made first. Nothing is written to a module that --module names.

Example: python browse_token.py --module /usr/lib/softhsm/libsofthsm2.so --pin 1234
"""

import argparse
import importlib
import os
import sys
from typing import Any

PIN = "12345678"
PRESET = f"example:87654321:{PIN}"
"""Label, PIN of the security officer and PIN of the user, by which the software token makes itself."""
SHOWN = ("CKA_CLASS", "CKA_LABEL", "CKA_ID")


def fill(module: Any, p11: Any, slot: int) -> None:
    """Make two objects, for something to be there."""
    session = module.C_OpenSession(slot, p11.CKF_SERIAL_SESSION | p11.CKF_RW_SESSION)
    module.C_Login(session, p11.CKU_USER, PIN)
    aes = [(p11.CKA_TOKEN, True), (p11.CKA_LABEL, "a key"), (p11.CKA_ID, b"\x01"), (p11.CKA_VALUE_LEN, 32)]
    module.C_GenerateKey(session, p11.CKM_AES_KEY_GEN, [*aes, (p11.CKA_ENCRYPT, True)])
    note = [(p11.CKA_TOKEN, True), (p11.CKA_LABEL, "a note"), (p11.CKA_VALUE, b"hello")]
    module.C_CreateObject(session, [(p11.CKA_CLASS, p11.CKO_DATA), *note])
    module.C_CloseSession(session)


def browse(module: Any, p11: Any, pin: str | None) -> None:
    """Print what there is."""
    info = module.C_GetInfo()
    print(f"{info.libraryDescription}, by {info.manufacturerID}")
    for slot in module.C_GetSlotList(False):
        print(f"slot {slot}: {module.C_GetSlotInfo(slot).slotDescription}")
        if not module.C_GetSlotInfo(slot).flags & p11.CKF_TOKEN_PRESENT:
            continue
        token = module.C_GetTokenInfo(slot)
        if not token.flags & p11.CKF_TOKEN_INITIALIZED:
            print("  a token that is not initialised")
            continue
        print(f"  token {token.label!r}, {len(module.C_GetMechanismList(slot))} mechanisms")
        objects(module, p11, slot, pin)


def objects(module: Any, p11: Any, slot: int, pin: str | None) -> None:
    """Print the objects of a token; private ones only after a login."""
    session = module.C_OpenSession(slot, p11.CKF_SERIAL_SESSION)
    if pin is not None:
        module.C_Login(session, p11.CKU_USER, pin)
    module.C_FindObjectsInit(session, [])
    found = []
    while some := module.C_FindObjects(session, 64):
        found += some
    module.C_FindObjectsFinal(session)
    for handle in found:
        try:
            read = module.C_GetAttributeValue(session, handle, [getattr(p11, name) for name in SHOWN])
        except p11.PKCS11Error as error:  # some kinds of objects lack one of them
            read = error.result
        kind, label, identity = (value for _, value in read)
        name = p11.CKO(int.from_bytes(kind, sys.byteorder)).name
        print(f"  {name:<16} {(label or b'').decode()!r} {(identity or b'').hex()}")
    module.C_CloseSession(session)


def main() -> None:
    """Read the command line, and browse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--module", help="the path of a module")
    parser.add_argument("--pin", help="the user's PIN, to see private objects")
    parser.add_argument("--binding", default="cext", help="cext, cython, swig, cffi or ctypes")
    asked = parser.parse_args()
    p11 = importlib.import_module(f"cside_{asked.binding}.pkcs11")
    if asked.module is None:
        os.environ["CSIDE_TOKEN_PRESET"] = PRESET
    module = p11.load(asked.module)
    module.C_Initialize()
    try:
        if asked.module is None:
            fill(module, p11, module.C_GetSlotList(True)[0])
        browse(module, p11, asked.pin or (None if asked.module else PIN))
    except p11.PKCS11Error as error:
        sys.exit(f"browse_token: {error}")
    finally:
        module.C_Finalize()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Sign a file by ECDSA with a key that never leaves the token, and verify it, and a copy that somebody changed.

It uses cside's software token, which is for measuring and teaching: its keys are gone when the program ends.

Example: python sign_and_verify.py README.md --binding swig
"""

import argparse
import hashlib
import importlib
import os
from pathlib import Path
from typing import Any

PIN = "12345678"
P256 = bytes.fromhex("06082a8648ce3d030107")
"""The curve prime256v1 as an object identifier in DER (RFC 5480, 2.1.1.1)."""


def key_pair(module: Any, p11: Any, session: int) -> tuple[int, int]:
    """Make a key pair; return the handles of the public and the private key."""
    public = [(p11.CKA_TOKEN, False), (p11.CKA_EC_PARAMS, P256), (p11.CKA_VERIFY, True)]
    private = [(p11.CKA_TOKEN, False), (p11.CKA_SIGN, True)]
    made: tuple[int, int] = module.C_GenerateKeyPair(session, p11.CKM_EC_KEY_PAIR_GEN, public, private)
    return made


def holds(module: Any, p11: Any, session: int, public: int, digest: bytes, signature: bytes) -> bool:
    """Whether a signature is that of a digest. Raises `PKCS11Error` for anything but a wrong signature."""
    module.C_VerifyInit(session, p11.CKM_ECDSA, public)
    try:
        module.C_Verify(session, digest, signature)
    except p11.PKCS11Error as error:
        if error.rv != p11.CKR_SIGNATURE_INVALID:
            raise
        return False
    return True


def main() -> None:
    """Read the command line; sign, and verify twice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--binding", default="cext", help="cext, cython, swig, cffi or ctypes")
    asked = parser.parse_args()
    p11 = importlib.import_module(f"cside_{asked.binding}.pkcs11")
    data = asked.file.read_bytes()
    os.environ["CSIDE_TOKEN_PRESET"] = f"example:87654321:{PIN}"
    module = p11.load()
    module.C_Initialize()
    try:
        session = module.C_OpenSession(module.C_GetSlotList(True)[0], p11.CKF_SERIAL_SESSION | p11.CKF_RW_SESSION)
        module.C_Login(session, p11.CKU_USER, PIN)
        public, private = key_pair(module, p11, session)
        module.C_SignInit(session, p11.CKM_ECDSA, private)
        signature = module.C_Sign(session, hashlib.sha256(data).digest())
        print(f"signature: {signature.hex()}")
        for name, content in (("the file", data), ("a changed copy", data + b"!")):
            right = holds(module, p11, session, public, hashlib.sha256(content).digest(), signature)
            print(f"{name}: {'signed' if right else 'NOT signed'} by this key")
        try:
            module.C_GetAttributeValue(session, private, [p11.CKA_VALUE])
        except p11.PKCS11Error as error:
            print(f"the private key stays where it is: {error}")
    finally:
        module.C_Finalize()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The mechanisms of the software token, by what proves their results. Names are those of PKCS #11 without ``CKM_``."""

from typing import Final

HASHES: Final = {
    "MD5": "MD5",
    "SHA_1": "SHA1",
    "SHA224": "SHA224",
    "SHA256": "SHA256",
    "SHA384": "SHA384",
    "SHA512": "SHA512",
    "SHA3_224": "SHA3_224",
    "SHA3_256": "SHA3_256",
    "SHA3_384": "SHA3_384",
    "SHA3_512": "SHA3_512",
}
"""Digests, each with its name in the mechanisms that sign."""

SIZES: Final = {"MD5": 16, "SHA_1": 20} | {
    f"{family}{bits}": bits // 8 for family in ("SHA", "SHA3_") for bits in (224, 256, 384, 512)
}
"""Bytes of each digest."""

MACS: Final = {f"{name}_HMAC{form}" for name in HASHES for form in ("", "_GENERAL")}
CIPHERS: Final = {"AES_ECB", "AES_CBC", "AES_CBC_PAD", "AES_CTR", "AES_GCM"}
WRAPS: Final = {"AES_KEY_WRAP", "AES_KEY_WRAP_PAD", "AES_KEY_WRAP_KWP"}
ECDSA: Final = {"ECDSA"} | {f"ECDSA_{name}" for name in HASHES.values() if name != "MD5"}
AGREEMENTS: Final = {"ECDH1_DERIVE", "ECDH1_COFACTOR_DERIVE"}
JOINS: Final = {
    "CONCATENATE_BASE_AND_KEY",
    "CONCATENATE_BASE_AND_DATA",
    "CONCATENATE_DATA_AND_BASE",
    "XOR_BASE_AND_DATA",
}
RSA_PKCS: Final = {"RSA_PKCS"} | {f"{name}_RSA_PKCS" for name in HASHES.values()}
RSA_PSS: Final = {"RSA_PKCS_PSS"} | {f"{name}_RSA_PKCS_PSS" for name in HASHES.values() if name != "MD5"}
RSA_OTHERS: Final = {"RSA_X_509", "RSA_PKCS_OAEP"}

ANSWERED: Final = (
    {*HASHES, "EDDSA"} | MACS | CIPHERS | WRAPS | ECDSA | AGREEMENTS | JOINS | RSA_PKCS | RSA_PSS | RSA_OTHERS
)
"""All that have answers to compare with. The others generate keys, which are random."""

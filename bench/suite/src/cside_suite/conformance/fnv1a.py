# SPDX-License-Identifier: Apache-2.0
"""The FNV-1a hashes of the library, computed in Python (http://www.isthe.com/chongo/tech/comp/fnv/)."""


def fnv1a_32(data: bytes) -> int:
    """Return the 32-bit FNV-1a hash of ``data``."""
    return _fnv1a(data, 0x811C9DC5, 0x01000193, 32)


def fnv1a_64(data: bytes) -> int:
    """Return the 64-bit FNV-1a hash of ``data``."""
    return _fnv1a(data, 0xCBF29CE484222325, 0x100000001B3, 64)


def _fnv1a(data: bytes, basis: int, prime: int, bits: int) -> int:
    value = basis
    for byte in data:
        value = (value ^ byte) * prime % 2**bits
    return value

# SPDX-License-Identifier: Apache-2.0
"""Keys that are joined of others and of data, which is so little that Python computes the answers."""

from itertools import islice, product
from typing import Any

import pytest
from answered_mechanisms import JOINS
from cside_suite.subjects.pkcs11_modules import Station
from token_keys import secret, value_of


def joined(name: str, base: bytes, other: bytes) -> bytes:
    """Return what a mechanism makes of a key and of data, or of another key."""
    match name:
        case "XOR_BASE_AND_DATA":
            return bytes(one ^ two for one, two in zip(base, other, strict=False))
        case "CONCATENATE_DATA_AND_BASE":
            return other + base
        case _:
            return base + other


@pytest.mark.parametrize("name", sorted(JOINS))
def test_joined(name: str, token: Station, p11: Any) -> None:
    """Whole, and cut at the end."""
    lengths = (1, 16, 33)
    for base_nbytes, other_nbytes in product(lengths, lengths):
        base = bytes(range(base_nbytes))
        other = bytes(islice(range(255, 0, -1), other_nbytes))
        key = secret(p11, token, base, p11.CKK_GENERIC_SECRET, p11.CKA_DERIVE)
        parameter: Any = p11.CK_KEY_DERIVATION_STRING_DATA(other)
        if name == "CONCATENATE_BASE_AND_KEY":
            parameter = secret(p11, token, other, p11.CKK_GENERIC_SECRET, p11.CKA_DERIVE)
        expected = joined(name, base, other)
        for nbytes in {1, len(expected) // 2 + 1, len(expected)}:
            template = [(p11.CKA_SENSITIVE, False), (p11.CKA_EXTRACTABLE, True), (p11.CKA_VALUE_LEN, nbytes)]
            mechanism = (getattr(p11, f"CKM_{name}"), parameter)
            made = token.module.C_DeriveKey(token.session, mechanism, key, template)
            assert value_of(p11, token, made) == expected[:nbytes]

# SPDX-License-Identifier: Apache-2.0
"""Integers of fixed width, for tests."""

from hypothesis import strategies as st

INT32 = st.integers(-(2**31), 2**31 - 1)
INT64 = st.integers(-(2**63), 2**63 - 1)
UINT32 = st.integers(0, 2**32 - 1)


def signed(value: int, bits: int) -> int:
    """Two's complement of so many bits."""
    half: int = 1 << bits - 1
    return (value + half) % (half * 2) - half

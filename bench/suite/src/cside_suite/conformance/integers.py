# SPDX-License-Identifier: Apache-2.0
"""Integers of a fixed width: strategies, and the conversion to a signed number."""

from hypothesis import strategies as st

INT32 = st.integers(-(2**31), 2**31 - 1)
INT64 = st.integers(-(2**63), 2**63 - 1)
UINT32 = st.integers(0, 2**32 - 1)


def signed(value: int, bits: int) -> int:
    """Return the signed number that the low ``bits`` of ``value`` stand for in two's complement."""
    half: int = 1 << bits - 1
    return (value + half) % (half * 2) - half

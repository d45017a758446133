# SPDX-License-Identifier: Apache-2.0
"""The function of ``codec`` that every variant has, imported from the compiled module without a Python wrapper."""

from cside_nanobind.abi3 import unavailable

if unavailable is None:
    from cside_nanobind._abi3 import crc32
else:
    raise ImportError(unavailable)

__all__ = ["crc32"]

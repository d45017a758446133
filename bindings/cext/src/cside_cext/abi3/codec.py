# SPDX-License-Identifier: Apache-2.0
"""The function of ``codec`` that every variant has, imported from the compiled module without a Python wrapper."""

from cside_cext.abi3 import unavailable

if unavailable is None:
    from cside_cext.abi3._core import crc32
else:
    raise ImportError(unavailable)

__all__ = ["crc32"]

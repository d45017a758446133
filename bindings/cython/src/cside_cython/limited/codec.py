# SPDX-License-Identifier: Apache-2.0
"""The function of ``zlib`` that every variant offers. The name is the compiled function itself."""

from cside_cython.limited import unavailable

if unavailable is None:
    from cside_cython.limited._core import crc32
else:
    raise ImportError(unavailable)

__all__ = ["crc32"]

# SPDX-License-Identifier: Apache-2.0
"""The function of ``zlib`` that every variant has: the compiled function itself."""

from cside_cext.varargs._core import crc32

__all__ = ["crc32"]

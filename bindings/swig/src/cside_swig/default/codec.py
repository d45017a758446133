# SPDX-License-Identifier: Apache-2.0
"""The function of the codec that the variant has, as SWIG writes it."""

from cside_swig.default.core import crc32

__all__ = ["crc32"]

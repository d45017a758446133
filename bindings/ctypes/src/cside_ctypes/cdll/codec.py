# SPDX-License-Identifier: Apache-2.0
"""The part of the codec that is measured."""

from cside_ctypes import _checksums
from cside_ctypes.cdll._functions import by_cdll

__all__ = ["crc32"]

crc32 = by_cdll(_checksums.crc32, __name__)

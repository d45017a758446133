# SPDX-License-Identifier: Apache-2.0
"""The function of the codec that this variant has."""

from cside_ctypes import _codec_checksums as _checksums
from cside_ctypes.cdll._functions import by_cdll

__all__ = ["crc32"]

crc32 = by_cdll(_checksums.crc32, __name__)

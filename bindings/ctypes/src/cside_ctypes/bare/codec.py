# SPDX-License-Identifier: Apache-2.0
"""The function of the codec that this variant has."""

from cside_ctypes.bare._codec_checksums import crc32

__all__ = ["crc32"]

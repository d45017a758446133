# SPDX-License-Identifier: Apache-2.0
"""The part of the codec that is measured."""

from cside_ctypes.bare._knobs import crc32

__all__ = ["crc32"]

# SPDX-License-Identifier: Apache-2.0
"""The part of the codec that is measured."""

from cside_swig.fastproxy.core import crc32

__all__ = ["crc32"]

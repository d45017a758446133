# SPDX-License-Identifier: Apache-2.0
"""The function of ``codec`` that every variant has, imported from the compiled module without a Python wrapper."""

from cside_cext.varargs._core import crc32

__all__ = ["crc32"]

# SPDX-License-Identifier: Apache-2.0
"""The module of parsed declarations, which the build generates from ``cdef/``."""

from cside_cffi._core import FFI

ffi: FFI

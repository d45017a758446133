# SPDX-License-Identifier: Apache-2.0
"""The same module as ``cside_cffi.codec``, run in ABI mode: see ``cside_cffi/abi/__init__.py``."""

from cside_cffi.codec import *  # noqa: F403
from cside_cffi.codec import __all__ as __all__
from cside_cffi.codec import _ZlibDecompressor as _ZlibDecompressor

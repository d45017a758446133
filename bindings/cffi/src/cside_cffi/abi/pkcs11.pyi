# SPDX-License-Identifier: Apache-2.0
"""The same module as ``cside_cffi.pkcs11``, run in ABI mode: see ``cside_cffi/abi/__init__.py``."""

from cside_cffi.pkcs11 import *  # noqa: F403

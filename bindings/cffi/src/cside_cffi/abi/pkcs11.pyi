# SPDX-License-Identifier: Apache-2.0
"""The same source as API mode's, see ``cside_cffi/abi/__init__.py``."""

from cside_cffi.pkcs11 import *  # noqa: F403

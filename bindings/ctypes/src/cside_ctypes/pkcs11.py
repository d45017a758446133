# SPDX-License-Identifier: Apache-2.0
"""PKCS #11, the standard's own interface: ``load`` a module, and call its functions by their names."""

from cside_native.pkcs11_constants import *  # noqa: F403 - all of them
from cside_native.pkcs11_types import *  # noqa: F403

from cside_ctypes._pkcs11_errors import PKCS11Error as PKCS11Error
from cside_ctypes._pkcs11_module import Module as Module
from cside_ctypes._pkcs11_module import load as load
from cside_ctypes._pkcs11_module import rv_name as rv_name

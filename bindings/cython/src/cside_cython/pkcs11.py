# SPDX-License-Identifier: Apache-2.0
"""PKCS #11: ``load()`` opens a module, whose functions are methods; constants and structs have the standard's names.

``Module``, ``load`` and ``rv_name`` are the compiled objects themselves.
"""

from cside_native.pkcs11_constants import *  # noqa: F403 - every constant of the standard, and its enumeration
from cside_native.pkcs11_types import *  # noqa: F403

from cside_cython._core import Module as Module
from cside_cython._core import load as load
from cside_cython._core import rv_name as rv_name
from cside_cython._pkcs11_errors import PKCS11Error as PKCS11Error

# SPDX-License-Identifier: Apache-2.0
"""PKCS #11 modules, opened through the shim of libcside. `load`, `rv_name` and `Module` are compiled."""

from cside_native.pkcs11_constants import *  # noqa: F403 - over a thousand names, all of which belong here
from cside_native.pkcs11_types import *  # noqa: F403

from cside_cext._core import Module as Module
from cside_cext._core import load as load
from cside_cext._core import rv_name as rv_name
from cside_cext._pkcs11_errors import PKCS11Error as PKCS11Error

# SPDX-License-Identifier: Apache-2.0
"""PKCS #11: any module, behind the shim of libcside, with the standard's own names. ``cside/pkcs11_shim.h`` says how.

`load` gives a `Module`, whose methods are the standard's functions. All constants are here, each under its own name and
in an `enum.IntEnum` by prefix, and the named tuples that stand for structs.
"""

from cside_native.pkcs11_constants import *  # noqa: F403
from cside_native.pkcs11_types import *  # noqa: F403

from cside_cffi._pkcs11_errors import PKCS11Error as PKCS11Error

from ._pkcs11_module import Module as Module
from ._pkcs11_module import load as load
from ._pkcs11_module import rv_name as rv_name

# SPDX-License-Identifier: Apache-2.0
"""PKCS #11: the wrappers that SWIG writes, and the constants and named tuples of the standard."""

from cside_native.pkcs11_constants import *  # noqa: F403
from cside_native.pkcs11_types import CK_AES_CBC_ENCRYPT_DATA_PARAMS as CK_AES_CBC_ENCRYPT_DATA_PARAMS
from cside_native.pkcs11_types import CK_AES_CTR_PARAMS as CK_AES_CTR_PARAMS
from cside_native.pkcs11_types import CK_ASYNC_DATA as CK_ASYNC_DATA
from cside_native.pkcs11_types import CK_C_INITIALIZE_ARGS as CK_C_INITIALIZE_ARGS
from cside_native.pkcs11_types import CK_CCM_PARAMS as CK_CCM_PARAMS
from cside_native.pkcs11_types import CK_ECDH1_DERIVE_PARAMS as CK_ECDH1_DERIVE_PARAMS
from cside_native.pkcs11_types import CK_EDDSA_PARAMS as CK_EDDSA_PARAMS
from cside_native.pkcs11_types import CK_GCM_MESSAGE_PARAMS as CK_GCM_MESSAGE_PARAMS
from cside_native.pkcs11_types import CK_GCM_PARAMS as CK_GCM_PARAMS
from cside_native.pkcs11_types import CK_HKDF_PARAMS as CK_HKDF_PARAMS
from cside_native.pkcs11_types import CK_INFO as CK_INFO
from cside_native.pkcs11_types import CK_INTERFACE as CK_INTERFACE
from cside_native.pkcs11_types import CK_KEY_DERIVATION_STRING_DATA as CK_KEY_DERIVATION_STRING_DATA
from cside_native.pkcs11_types import CK_MECHANISM_INFO as CK_MECHANISM_INFO
from cside_native.pkcs11_types import CK_RSA_PKCS_OAEP_PARAMS as CK_RSA_PKCS_OAEP_PARAMS
from cside_native.pkcs11_types import CK_RSA_PKCS_PSS_PARAMS as CK_RSA_PKCS_PSS_PARAMS
from cside_native.pkcs11_types import CK_SESSION_INFO as CK_SESSION_INFO
from cside_native.pkcs11_types import CK_SLOT_INFO as CK_SLOT_INFO
from cside_native.pkcs11_types import CK_TOKEN_INFO as CK_TOKEN_INFO
from cside_native.pkcs11_types import CK_VERSION as CK_VERSION

from cside_swig._core import Module as Module
from cside_swig._core import load as load
from cside_swig._core import rv_name as rv_name
from cside_swig._pkcs11_errors import PKCS11Error as PKCS11Error

# SPDX-License-Identifier: Apache-2.0
"""The exception that this binding raises for a return value other than ``CKR_OK``."""

from cside_native import pkcs11_errors


class PKCS11Error(pkcs11_errors.PKCS11Error):
    """A function of PKCS #11 returned a value other than ``CKR_OK``.

    It is a subclass of `Exception`.
    """

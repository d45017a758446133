# SPDX-License-Identifier: Apache-2.0
# PKCS #11, errors: a return value other than CKR_OK becomes an exception.

from cpython.exc cimport PyErr_SetObject

cdef object ERROR = None  # the class PKCS11Error; load_classes() sets it


cdef int refuse(CK_RV rv, const char *function, object result) except -2:
    """Set PKCS11Error, and return -1 for need_ok() to pass on. The comment of fail() says why it is not raised."""
    PyErr_SetObject(ERROR, ERROR(rv, text_or_none(function), result))
    return -1


cdef inline int need_ok(CK_RV rv, const char *function) except -1:
    return 0 if rv == CKR_OK else refuse(rv, function, None)


cdef int refuse_excess(const char *function, CK_ULONG count, const char *unit, CK_ULONG room) except -1:
    raise RuntimeError(
        f"{text_or_none(function)}: the module reports {count} {text_or_none(unit)}, there was room for {room}"
    )

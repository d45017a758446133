# SPDX-License-Identifier: Apache-2.0
"""Declarations of cside/pkcs11_shim.h."""

from libc.stdint cimport uint64_t

from .cside_pkcs11 cimport CK_FLAGS, CK_FUNCTION_LIST_3_2, CK_RV
from .cside_status cimport cs_status


cdef extern from "cside/pkcs11_shim.h" nogil:
    ctypedef struct cs_pkcs11_module:
        pass

    ctypedef struct cs_pkcs11_locks:
        CK_RV (*create)(void *user, void **out_mutex) noexcept nogil
        CK_RV (*destroy)(void *user, void *mutex) noexcept nogil
        CK_RV (*lock)(void *user, void *mutex) noexcept nogil
        CK_RV (*unlock)(void *user, void *mutex) noexcept nogil
        void *user

    cs_status cs_pkcs11_open(const char *path, cs_pkcs11_module **out_module)
    const char *cs_pkcs11_load_error()
    cs_status cs_pkcs11_set_default(const char *path)
    const char *cs_pkcs11_path(const cs_pkcs11_module *module)
    const CK_FUNCTION_LIST_3_2 *cs_pkcs11_functions(const cs_pkcs11_module *module)
    CK_RV cs_pkcs11_initialize(const cs_pkcs11_module *module, const cs_pkcs11_locks *locks, CK_FLAGS flags,
                               void *reserved)
    const char *cs_pkcs11_rv_name(CK_RV rv)

    ctypedef struct cs_pkcs11_error_count:
        size_t index
        CK_RV rv
        uint64_t count

    size_t cs_pkcs11_errors(cs_pkcs11_error_count *out_counts, size_t capacity, uint64_t *out_unlisted)

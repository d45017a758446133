/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations of cside/pkcs11_shim.h that the binding uses, for both modes, in the C that cffi can parse.
 */

typedef struct cs_pkcs11_module cs_pkcs11_module;

cs_status cs_pkcs11_open(const char *path, cs_pkcs11_module **out_module);
const char *cs_pkcs11_load_error(void);
const char *cs_pkcs11_path(const cs_pkcs11_module *module);
const CK_FUNCTION_LIST_3_2 *cs_pkcs11_functions(const cs_pkcs11_module *module);

typedef struct cs_pkcs11_locks {
    CK_RV (*create)(void *user, void **out_mutex);
    CK_RV (*destroy)(void *user, void *mutex);
    CK_RV (*lock)(void *user, void *mutex);
    CK_RV (*unlock)(void *user, void *mutex);
    void *user;
} cs_pkcs11_locks;

CK_RV cs_pkcs11_initialize(const cs_pkcs11_module *module, const cs_pkcs11_locks *locks, CK_FLAGS flags,
                           void *reserved);
const char *cs_pkcs11_rv_name(CK_RV rv);

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_module.h - the object `Module`.
 */
#ifndef CSIDE_CEXT_PKCS11_MODULE_H
#define CSIDE_CEXT_PKCS11_MODULE_H

#include "pkcs11_state.h"

#include "cside/pkcs11_shim.h"

typedef struct pkcs11_module {
    PyObject_HEAD
    const CK_FUNCTION_LIST_3_2 *functions;
    const cs_pkcs11_module *module;
    pkcs11_state *state; /**< lives as long as the type does */
} pkcs11_module;

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_module.h - the object behind a Python `Module`.
 */
#ifndef CSIDE_CEXT_PKCS11_MODULE_H
#define CSIDE_CEXT_PKCS11_MODULE_H

#include "pkcs11_state.h"

#include "cside/pkcs11_shim.h"

/** A loaded PKCS #11 module. Callbacks belong to the state and not to this object, which they may outlive. */
typedef struct pkcs11_module {
    PyObject_HEAD
    const CK_FUNCTION_LIST_3_2 *functions; /**< the function list of the shim */
    const cs_pkcs11_module *module;        /**< the module that the shim has opened */
    pkcs11_state *state;                   /**< it lives as long as the type does */
} pkcs11_module;

#endif

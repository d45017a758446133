/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_state.h - the part of the module's state that PKCS #11 needs.
 */
#ifndef CSIDE_CEXT_PKCS11_STATE_H
#define CSIDE_CEXT_PKCS11_STATE_H

#include "pkcs11_tuples.h"

/** The part of the module's state that PKCS #11 needs. The first load() makes it. */
typedef struct pkcs11_state {
    PyTypeObject *tuples[PKCS11_TUPLES]; /**< the classes of named tuples, by number */
    PyObject *error;                     /**< PKCS11Error */
    struct pkcs11_notification *open;    /**< callbacks of open sessions, a list */
    struct pkcs11_locks *locks;          /**< arguments of C_Initialize that modules still use, a list */
} pkcs11_state;

/* The module's own traverse, clear and free functions call these. `state` may be NULL. */
int pkcs11_state_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_state_clear(pkcs11_state *state);
void pkcs11_state_free(pkcs11_state *state);

/** The state for PKCS #11 of a module object. The first call makes it. NULL with an exception set if that fails. */
pkcs11_state *pkcs11_state_get(PyObject *module);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_state.h - what PKCS #11 adds to the state of the module.
 */
#ifndef CSIDE_CEXT_PKCS11_STATE_H
#define CSIDE_CEXT_PKCS11_STATE_H

#include "pkcs11_tuples.h"

/** What PKCS #11 adds to the module's state; made by the first load(). */
typedef struct pkcs11_state {
    PyTypeObject *tuples[PKCS11_TUPLES]; /**< classes of _pkcs11_types.py, by number */
    PyObject *error;                     /**< PKCS11Error */
    struct pkcs11_notification *open;    /**< callbacks of open sessions */
    struct pkcs11_notification *retired; /**< for reuse */
    struct pkcs11_locks *locks;          /**< what C_Initialize was given */
#if defined(Py_GIL_DISABLED)
    PyMutex mutex; /**< of the three lists; no Python code runs under it */
#endif
} pkcs11_state;

/* For the three functions of these names of the module; `state` may be NULL. */
int pkcs11_state_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_state_clear(pkcs11_state *state);
void pkcs11_state_free(pkcs11_state *state);

/** The state for PKCS #11, which the first call makes; NULL with an exception set. */
pkcs11_state *pkcs11_state_get(PyObject *module);

/* The lists of the state. */
static inline void pkcs11_lists_take(pkcs11_state *state)
{
#if defined(Py_GIL_DISABLED)
    PyMutex_Lock(&state->mutex);
#else
    (void)state;
#endif
}

static inline void pkcs11_lists_give(pkcs11_state *state)
{
#if defined(Py_GIL_DISABLED)
    PyMutex_Unlock(&state->mutex);
#else
    (void)state;
#endif
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_callbacks.h - how a callback of a module enters Python and leaves it again.
 *
 * The library keeps pointers to what callbacks need. It may keep them for longer than the Module object or even the
 * interpreter lives, and one of its threads may be about to use such a pointer while the session is being closed. So a
 * notification is never freed but kept for reuse, and what outlives its interpreter stays in memory, with a state of
 * NULL. All of it is allocated by malloc(), because SoftHSM's destructors call free() for the application's mutexes if
 * nobody has called C_Finalize.
 */
#ifndef CSIDE_CEXT_PKCS11_CALLBACKS_H
#define CSIDE_CEXT_PKCS11_CALLBACKS_H

#include "pkcs11_calls.h"

/** The identity of an interpreter that may no longer exist. A later one at the same address has another number. */
typedef struct pkcs11_home {
    PyInterpreterState *interpreter;
    int64_t number;
} pkcs11_home;

/** The interpreter that is running. */
pkcs11_home pkcs11_home_here(void);

/** A callback's stay in Python. */
typedef struct pkcs11_visit {
    pkcs11_call *under_way; /* the call under way on this thread before the callback */
    pkcs11_call *call;      /* the same if it belongs to this interpreter; then its thread state is used */
    PyThreadState *own;     /* a thread state made for this callback, or NULL */
    PyGILState_STATE gil;
} pkcs11_visit;

/** Enter Python: take the GIL of an interpreter, on any thread. Returns false if that is not possible. */
bool pkcs11_visit_begin(pkcs11_visit *visit, pkcs11_home home);
/** Leave Python again. */
void pkcs11_visit_end(pkcs11_visit *visit);

/** Pass the exception that is set to the call under way, or report it as unraisable if there is no call. Returns the
 *  return value for the module: that of a PKCS11Error, otherwise CKR_GENERAL_ERROR. */
CK_RV pkcs11_visit_failed(const pkcs11_state *state, pkcs11_visit *visit, PyObject *callable);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_callbacks.h (private) - the module calls back: from native code into Python and out again.
 *
 * The library holds pointers to what callbacks need, for longer than a Module object or even the interpreter may live, and
 * its threads may be on their way in with one while the session is closed. So a notification that is done is kept for
 * reuse rather than freed, and what outlives its interpreter is left behind, marked by a state of NULL. All are of plain
 * malloc(): where nobody called C_Finalize, SoftHSM's destructors hand the application's mutexes to free().
 */
#ifndef CSIDE_CEXT_PKCS11_CALLBACKS_H
#define CSIDE_CEXT_PKCS11_CALLBACKS_H

#include "pkcs11_calls.h"

/** An interpreter, which may be gone: another one at its address has another number. */
typedef struct pkcs11_home {
    PyInterpreterState *interpreter;
    int64_t number;
} pkcs11_home;

pkcs11_home pkcs11_home_here(void);

typedef struct pkcs11_visit {
    pkcs11_call *under_way; /* on this thread; none while Python code runs */
    pkcs11_call *call;      /* the same if it is this interpreter's: then its thread state is the one to use */
    PyThreadState *own;     /* made for this visit */
    PyGILState_STATE gil;
} pkcs11_visit;

/** Take the GIL for that interpreter, on whatever thread this is; false if that cannot be. */
bool pkcs11_visit_begin(pkcs11_visit *visit, pkcs11_home home);
void pkcs11_visit_end(pkcs11_visit *visit);

/** Leave the exception to the call under way, or report it where there is none; the return value for the module. */
CK_RV pkcs11_visit_failed(const pkcs11_state *state, pkcs11_visit *visit, PyObject *callable);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_calls.h - calls of a module's functions, which run without the GIL.
 */
#ifndef CSIDE_CEXT_PKCS11_CALLS_H
#define CSIDE_CEXT_PKCS11_CALLS_H

#include "pkcs11_errors.h"
#include "pkcs11_module.h"
#include "raised.h"

/** A native call that runs without the GIL. A callback on the same thread finds this record, uses its thread state and
 *  leaves its exception in it. */
typedef struct pkcs11_call {
    struct pkcs11_call *outer; /**< the call that was under way on this thread, or NULL */
    PyThreadState *thread;     /**< the thread state to enter Python with */
    core_raised raised;        /**< the exception of a callback */
} pkcs11_call;

/** The innermost call of this thread; NULL while a callback runs in it. It points into the stack of its own thread
 *  and refers to no Python object. */
extern _Thread_local pkcs11_call *pkcs11_under_way;

/** Begin a native call: release the GIL. */
static inline void pkcs11_enter(pkcs11_call *call)
{
    call->outer = pkcs11_under_way;
    call->raised = (core_raised){0};
    pkcs11_under_way = call;
    call->thread = PyEval_SaveThread();
}

/** End a native call: take the GIL again. */
static inline void pkcs11_leave(pkcs11_call *call)
{
    PyEval_RestoreThread(call->thread);
    pkcs11_under_way = call->outer;
}

/** Whether a callback of the call has raised an exception. */
static inline bool pkcs11_has_raised(const pkcs11_call *call)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    return call->raised.type != NULL;
#else
    return call->raised.exception != NULL;
#endif
}

/** Turn the result of a call into 0, or -1 with an exception set: that of a callback if there is one, or PKCS11Error
 *  for a return value other than CKR_OK. */
static inline int pkcs11_settle(const pkcs11_module *self, pkcs11_call *call, CK_RV rv, const char *function)
{
    if (core_raised_give(&call->raised)) {
        return -1;
    }
    if (rv != CKR_OK) {
        pkcs11_raise(self->state, rv, function, NULL);
        return -1;
    }
    return 0;
}

#endif

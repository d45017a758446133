/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_calls.h - native calls without the GIL.
 */
#ifndef CSIDE_CEXT_PKCS11_CALLS_H
#define CSIDE_CEXT_PKCS11_CALLS_H

#include "pkcs11_errors.h"
#include "pkcs11_module.h"
#include "raised.h"

/** A native call without the GIL. Callbacks that it runs on its own thread find it, and leave their exception in it. */
typedef struct pkcs11_call {
    struct pkcs11_call *outer;
    PyThreadState *thread;
    core_raised raised;
} pkcs11_call;

/** The calling thread's innermost call; NULL while a callback of it runs. The one C global: it points into the stack of
 *  its own thread, and no interpreter's objects are behind it. */
extern _Thread_local pkcs11_call *pkcs11_under_way;

static inline void pkcs11_enter(pkcs11_call *call)
{
    call->outer = pkcs11_under_way;
    call->raised = (core_raised){0};
    pkcs11_under_way = call;
    call->thread = PyEval_SaveThread();
}

static inline void pkcs11_leave(pkcs11_call *call)
{
    PyEval_RestoreThread(call->thread);
    pkcs11_under_way = call->outer;
}

static inline bool pkcs11_has_raised(const pkcs11_call *call)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    return call->raised.type != NULL;
#else
    return call->raised.exception != NULL;
#endif
}

/** 0 for CKR_OK, else -1 with an exception set: a callback's own, or PKCS11Error. */
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

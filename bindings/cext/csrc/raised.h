/* SPDX-License-Identifier: Apache-2.0
 *
 * raised.h - an exception on its way from one thread to another.
 */
#ifndef CSIDE_CEXT_RAISED_H
#define CSIDE_CEXT_RAISED_H

#include "interpreter.h"

typedef struct core_raised {
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    PyObject *type, *value, *traceback;
#else
    PyObject *exception;
#endif
} core_raised;

static inline void core_raised_take(core_raised *raised)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    PyErr_Fetch(&raised->type, &raised->value, &raised->traceback);
#else
    raised->exception = PyErr_GetRaisedException();
#endif
}

/** Raise it here; false if there is none. */
static inline bool core_raised_give(core_raised *raised)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    if (raised->type == NULL) {
        return false;
    }
    PyErr_Restore(raised->type, raised->value, raised->traceback);
#else
    if (raised->exception == NULL) {
        return false;
    }
    PyErr_SetRaisedException(raised->exception);
#endif
    return true;
}

#endif

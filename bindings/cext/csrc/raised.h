/* SPDX-License-Identifier: Apache-2.0
 *
 * raised.h - an exception that is taken from one thread state and raised in another.
 */
#ifndef CSIDE_CEXT_RAISED_H
#define CSIDE_CEXT_RAISED_H

#include "interpreter.h"

/** An exception. All zero means none. */
typedef struct core_raised {
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    PyObject *type, *value, *traceback;
#else
    PyObject *exception;
#endif
} core_raised;

/** Take the exception that is set in the current thread state. */
static inline void core_raised_take(core_raised *raised)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    PyErr_Fetch(&raised->type, &raised->value, &raised->traceback);
#else
    raised->exception = PyErr_GetRaisedException();
#endif
}

/** Set the exception in the current thread state and return true; return false if there is none. */
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

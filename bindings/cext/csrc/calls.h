/* SPDX-License-Identifier: Apache-2.0
 *
 * calls.h - Python callables behind C function pointers.
 */
#ifndef CSIDE_CEXT_CALLS_H
#define CSIDE_CEXT_CALLS_H

#include "convert.h"

/** 0, or -1 with TypeError when `object` cannot be called. */
static inline int core_as_callable(PyObject *object)
{
    if (!PyCallable_Check(object)) {
        core_bad_type("a callable", object);
        return -1;
    }
    return 0;
}

/** A cs_each_fn for a caller that holds the GIL; `user` is the callable. On CS_EACH_STOP an exception is set. */
int64_t core_each(void *user, int32_t value);

#endif

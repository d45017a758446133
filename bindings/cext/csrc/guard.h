/* SPDX-License-Identifier: Apache-2.0
 *
 * guard.h - protection of an object's fields in builds without a GIL.
 */
#ifndef CSIDE_CEXT_GUARD_H
#define CSIDE_CEXT_GUARD_H

#include "interpreter.h"

/* A critical section on `object` in builds without a GIL, a plain block in all others. */
#if defined(Py_GIL_DISABLED)
#define CORE_BEGIN_GUARD(object) Py_BEGIN_CRITICAL_SECTION(object)
#define CORE_END_GUARD() Py_END_CRITICAL_SECTION()
#else
#define CORE_BEGIN_GUARD(object) \
    { \
        (void)(object);
#define CORE_END_GUARD() }
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * API mode only, like all C of this folder; cffi pastes it before the code that it generates. Callbacks, and calls
 * through the library's table of function pointers: from Python a call through a struct's pointer is slow.
 */
#include <stdint.h>

#include "cside/idioms.h"

/* The table is fetched once, when the Python module is imported. */
static const cs_ops *ops;

static void shim_ops_fetch(void)
{
    ops = cs_ops_get();
}

static int32_t shim_ops_add(int32_t a, int32_t b)
{
    return ops->add(a, b);
}

static int32_t shim_ops_multiply(int32_t a, int32_t b)
{
    return ops->multiply(a, b);
}

/* cffi defines it, below. It takes `user` as an integer: a pointer would become a new cdata object at each call. */
static int64_t on_each(uintptr_t key, int32_t position);

static int64_t shim_on_each(void *user, int32_t position)
{
    return on_each((uintptr_t)user, position);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_callbacks.h - a Python callable behind a C function pointer.
 */
#ifndef CSIDE_CEXT_IDIOMS_CALLBACKS_H
#define CSIDE_CEXT_IDIOMS_CALLBACKS_H

#include "interpreter.h"

/** A cs_each_fn for a caller that holds the GIL; `user` is the callable. On CS_EACH_STOP an exception is set. */
int64_t core_each(void *user, int32_t value);

#endif

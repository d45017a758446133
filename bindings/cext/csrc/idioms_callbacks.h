/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_callbacks.h - the C function through which the library calls a Python callable.
 */
#ifndef CSIDE_CEXT_IDIOMS_CALLBACKS_H
#define CSIDE_CEXT_IDIOMS_CALLBACKS_H

#include "interpreter.h"

/** A cs_each_fn whose `user` is a Python callable. The thread must hold the GIL. It returns CS_EACH_STOP with an
 *  exception set if the callable fails. */
int64_t core_each(void *user, int32_t value);

#endif

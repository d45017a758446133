/* SPDX-License-Identifier: Apache-2.0
 *
 * module_life.h - what life.c changes of the module, and module.c reads in each call.
 */
#ifndef TOKEN_MODULE_LIFE_H
#define TOKEN_MODULE_LIFE_H

#include <stdatomic.h>

#include "module.h"

extern atomic_bool module_is_ready;        /* C_Initialize has succeeded */
extern atomic_bool module_is_leaving;      /* C_Finalize waits for calls */
extern atomic_int module_calls;            /* in the module, in all threads */
extern atomic_uint module_lives;           /* module_life() */
extern _Thread_local int module_callbacks; /* that this thread is in */

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * environment.c - variables of the environment.
 */
#define _GNU_SOURCE /* secure_getenv */

#include "environment.h"

#include <stddef.h>
#include <stdlib.h>

const char *cs_environment(const char *name)
{
#ifdef __GLIBC__
    /* a program that runs with another user's rights must not do what its caller's environment says */
    const char *value = secure_getenv(name);
#else
    const char *value = getenv(name);
#endif
    return value != NULL && value[0] != '\0' ? value : NULL;
}

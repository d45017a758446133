/* SPDX-License-Identifier: Apache-2.0
 *
 * The variadic call. In C the compiler knows the types of the arguments; in Python each would be a cdata object.
 */
#include <stdint.h>

#include "cside/idioms.h"

/* A C function ignores arguments beyond those that `count` makes it read, so one call with eight serves all counts. */
static int64_t shim_varargs_sum(uint32_t count, const int64_t values[CS_VARARGS_MAX])
{
    return cs_varargs_sum(count, values[0], values[1], values[2], values[3], values[4], values[5], values[6],
                          values[7]);
}

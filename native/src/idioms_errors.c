/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_errors.c - functions that return the status or set the errno that the caller asks for.
 */
#include <errno.h>

#include "cside/idioms.h"
#include "trace_scope.h"

CS_TRACED_STATUS(status_return, (cs_status status), (status), 0, 0)
{
    return status;
}

CS_TRACED_VALUE(int32_t, errno_fail, (int32_t error), (error), 0, 0)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

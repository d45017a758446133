/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a status that is changed on its way, or errno that is set where it should not be.
 */
#include <errno.h>

#include "check.h"
#include "cside/idioms.h"

int main(void)
{
    errno = 7;
    CHECK_EQ(cs_errno_fail(0), 0);
    CHECK_EQ(errno, 7);
    CHECK_EQ(cs_errno_fail(ENOENT), -1);
    CHECK_EQ(errno, ENOENT);
    CHECK_EQ(cs_status_return(CS_E_BUSY), CS_E_BUSY);
    CHECK_EQ(cs_status_return(CS_OK), CS_OK);
    CHECK_EQ(cs_status_return(CS_STREAM_END), CS_STREAM_END);
    return 0;
}

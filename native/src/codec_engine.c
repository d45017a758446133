/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_engine.c - the version of zlib, and the library's own allocator, which tests can make fail.
 */
#include "cside/codec.h"

#include <stdlib.h>

#include "codec_engine.h"
#include "trace_scope.h"

CS_TRACED_VALUE(const char *, engine_version, (void), (), 0, cs_text_nbytes(result))
{
    return zlibVersion();
}

CS_TRACED_VALUE(const char *, engine_header_version, (void), (), 0, cs_text_nbytes(result))
{
    return ZLIB_VERSION;
}

static _Thread_local int64_t allocations_left = -1;

CS_TRACED_VOID(codec_fail_after, (int64_t allocations), (allocations), 0, 0)
{
    allocations_left = allocations < 0 ? -1 : allocations;
}

void *cs_engine_alloc(void *unused, uInt item_count, uInt item_nbytes)
{
    (void)unused;
    if (allocations_left == 0)
        return NULL;
    if (allocations_left > 0)
        allocations_left--;
    if (item_nbytes != 0 && item_count > SIZE_MAX / item_nbytes)
        return NULL;
    return malloc((size_t)item_count * item_nbytes);
}

void cs_engine_free(void *unused, void *address)
{
    (void)unused;
    free(address);
}

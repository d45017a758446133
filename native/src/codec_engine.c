/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_engine.c - the version of zlib, the library's own allocator, which tests can make fail, and engines, which are what
 * the codec has for a state of zlib.
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

bool cs_engine_is_limited(void)
{
    return allocations_left >= 0;
}

/* ---- states ---------------------------------------------------------------------------------------- */

static void *user_alloc(void *opaque, uInt item_count, uInt item_nbytes)
{
    const struct cs_engine *engine = opaque;

    return engine->alloc(engine->user, item_count, item_nbytes);
}

static void user_free(void *opaque, void *address)
{
    const struct cs_engine *engine = opaque;

    engine->free(engine->user, address);
}

struct cs_engine *cs_engine_new(const cs_stream *stream, int (*run)(z_stream *, int))
{
    /* read before the caller's function runs, which may change them */
    cs_alloc_fn alloc = stream != NULL ? stream->alloc : NULL;
    cs_free_fn free_engine = stream != NULL ? stream->free : NULL;
    void *user = stream != NULL ? stream->alloc_user : NULL;
    struct cs_engine *engine = NULL;

    engine = alloc != NULL ? alloc(user, 1, sizeof *engine) : cs_engine_alloc(NULL, 1, sizeof *engine);
    if (engine == NULL)
        return NULL;
    *engine = (struct cs_engine){.owner = stream, .run = run};
    if (alloc != NULL) {
        engine->alloc = alloc;
        engine->free = free_engine;
        engine->user = user;
    }
    engine->z.zalloc = alloc != NULL ? user_alloc : cs_engine_alloc;
    engine->z.zfree = alloc != NULL ? user_free : cs_engine_free;
    engine->z.opaque = engine;
    return engine;
}

void cs_engine_delete(struct cs_engine *engine)
{
    if (engine->free != NULL)
        engine->free(engine->user, engine);
    else
        cs_engine_free(NULL, engine);
}

int cs_engine_end(struct cs_engine *engine)
{
    int code = Z_OK;

    if (engine != NULL) {
        code = engine->run == inflate ? inflateEnd(&engine->z) : deflateEnd(&engine->z);
        cs_engine_delete(engine);
    }
    return code;
}

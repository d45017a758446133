/* SPDX-License-Identifier: Apache-2.0
 *
 * One step of a stream in one crossing from Python to C: setting the stream's fields from Python takes four more. And
 * the progress callback.
 */
#include <stddef.h>
#include <stdint.h>

#include "cside/codec.h"
#include "cside/status.h"

static void stream_lend(cs_stream *stream, const uint8_t *in, size_t begin, size_t end, uint8_t *out, size_t room)
{
    stream->next_in = in + begin;
    stream->avail_in = end - begin;
    stream->next_out = out;
    stream->avail_out = room;
}

static cs_status shim_deflate(cs_stream *stream, const uint8_t *in, size_t begin, size_t end, uint8_t *out, size_t room,
                              int32_t flush)
{
    stream_lend(stream, in, begin, end, out, room);
    return cs_deflate(stream, flush);
}

static cs_status shim_inflate(cs_stream *stream, const uint8_t *in, size_t begin, size_t end, uint8_t *out, size_t room,
                              int32_t flush)
{
    stream_lend(stream, in, begin, end, out, room);
    return cs_inflate(stream, flush);
}

/* cffi defines it, below. It takes `user` as an integer, as on_each of idioms_callbacks.c does. */
static int32_t on_progress(uintptr_t key, uint64_t total_in, uint64_t total_out);

static int32_t shim_on_progress(void *user, uint64_t total_in, uint64_t total_out)
{
    return on_progress((uintptr_t)user, total_in, total_out);
}

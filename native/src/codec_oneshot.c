/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_oneshot.c - compression and decompression of a whole buffer in one call.
 */
#include "cside/codec.h"

#include "codec_engine.h"
#include "trace_scope.h"

/* At memory level 8 with a small window, zlib's worst case is Huffman codes of 9 bits a byte (a block that has left the
 * window cannot be stored); level 1 of zlib-ng has this worst case at any window. 32 bytes are enough for the headers
 * of a block and of gzip. */
CS_TRACED_VALUE(size_t, compress_bound, (size_t in_nbytes), (in_nbytes), 0, 0)
{
    size_t more = (in_nbytes >> 3) + (in_nbytes >> 8) + (in_nbytes >> 9) + 32;

    return in_nbytes > SIZE_MAX - more ? SIZE_MAX : in_nbytes + more;
}

static void engine_zero(z_stream *engine)
{
    *engine = (z_stream){0};
    engine->zalloc = cs_engine_alloc;
    engine->zfree = cs_engine_free;
}

CS_TRACED_STATUS(compress,
                 (const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity, int32_t level,
                  int32_t window_bits, size_t *out_nbytes),
                 (in, in_nbytes, out, out_capacity, level, window_bits, out_nbytes), in_nbytes,
                 result == CS_OK ? *out_nbytes : 0)
{
    z_stream engine;
    size_t in_left = in_nbytes, out_left = out_capacity;
    int code = Z_OK;

    engine_zero(&engine);
    code = deflateInit2(&engine, level, Z_DEFLATED, window_bits, CS_MEM_LEVEL_DEFAULT, Z_DEFAULT_STRATEGY);
    if (code != Z_OK)
        return code;
    engine.next_in = in != NULL ? in : cs_engine_nowhere();
    engine.next_out = out != NULL ? out : cs_engine_nowhere();
    do {
        if (engine.avail_in == 0) {
            engine.avail_in = cs_engine_slice(in_left, CS_ENGINE_SLICE_NBYTES);
            in_left -= engine.avail_in;
        }
        if (engine.avail_out == 0) {
            engine.avail_out = cs_engine_slice(out_left, CS_ENGINE_SLICE_NBYTES);
            out_left -= engine.avail_out;
        }
        code = deflate(&engine, in_left > 0 ? Z_NO_FLUSH : Z_FINISH);
    } while (code == Z_OK);
    deflateEnd(&engine);

    if (code == Z_BUF_ERROR)
        return CS_E_TOO_SMALL;
    if (code != Z_STREAM_END)
        return code;
    *out_nbytes = out_capacity - out_left - engine.avail_out;
    return CS_OK;
}

/* The output is full and the engine makes no progress. Find out whether it has more output, or whether the input is
 * truncated. */
static int one_byte_more(z_stream *engine)
{
    uint8_t byte = 0;
    int code = Z_OK;

    engine->next_out = &byte;
    engine->avail_out = 1;
    code = inflate(engine, Z_NO_FLUSH);
    if (engine->avail_out == 0)
        return CS_E_TOO_SMALL;
    return code == Z_OK ? Z_BUF_ERROR : code;
}

CS_TRACED_STATUS(decompress,
                 (const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity, int32_t window_bits,
                  size_t *out_nbytes, size_t *in_used_nbytes),
                 (in, in_nbytes, out, out_capacity, window_bits, out_nbytes, in_used_nbytes), in_nbytes,
                 result == CS_OK ? *out_nbytes : 0)
{
    z_stream engine;
    size_t in_left = in_nbytes, out_left = out_capacity, out_used = 0;
    int code = Z_OK;

    engine_zero(&engine);
    code = inflateInit2(&engine, window_bits);
    if (code != Z_OK)
        return code;
    engine.next_in = in != NULL ? in : cs_engine_nowhere();
    engine.next_out = out != NULL ? out : cs_engine_nowhere();
    do {
        if (engine.avail_in == 0) {
            engine.avail_in = cs_engine_slice(in_left, CS_ENGINE_SLICE_NBYTES);
            in_left -= engine.avail_in;
        }
        if (engine.avail_out == 0) {
            engine.avail_out = cs_engine_slice(out_left, CS_ENGINE_SLICE_NBYTES);
            out_left -= engine.avail_out;
        }
        code = inflate(&engine, Z_NO_FLUSH);
    } while (code == Z_OK);
    out_used = out_capacity - out_left - engine.avail_out;
    if (code == Z_BUF_ERROR && engine.avail_out == 0)
        code = one_byte_more(&engine);
    inflateEnd(&engine);

    if (code != Z_STREAM_END)
        return code;
    *out_nbytes = out_used;
    if (in_used_nbytes != NULL)
        *in_used_nbytes = in_nbytes - in_left - engine.avail_in;
    return CS_OK;
}

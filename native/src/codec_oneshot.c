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

static cs_status not_opened(struct cs_engine *engine, int code)
{
    if (engine != NULL)
        cs_engine_delete(engine);
    return code;
}

/* Give zlib more input and room where it has used up its own. */
static void take_slices(z_stream *z, size_t *in_left, size_t *out_left)
{
    if (z->avail_in == 0) {
        z->avail_in = cs_engine_slice(*in_left, CS_ENGINE_SLICE_NBYTES);
        *in_left -= z->avail_in;
    }
    if (z->avail_out == 0) {
        z->avail_out = cs_engine_slice(*out_left, CS_ENGINE_SLICE_NBYTES);
        *out_left -= z->avail_out;
    }
}

CS_TRACED_STATUS(compress,
                 (const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity, int32_t level,
                  int32_t window_bits, size_t *out_nbytes),
                 (in, in_nbytes, out, out_capacity, level, window_bits, out_nbytes), in_nbytes,
                 result == CS_OK ? *out_nbytes : 0)
{
    const struct cs_engine_parameters parameters = {level, Z_DEFLATED, window_bits, CS_MEM_LEVEL_DEFAULT,
                                                    Z_DEFAULT_STRATEGY};
    struct cs_engine *engine = NULL;
    size_t in_left = in_nbytes, out_left = out_capacity, out_used = 0;
    int code = Z_OK;

    if (!cs_engine_has_buffers(in, in_nbytes, out, out_capacity))
        return CS_E_STREAM;
    code = cs_engine_open_deflate(&engine, NULL, &parameters);
    if (code != Z_OK)
        return not_opened(engine, code);
    engine->z.next_in = in != NULL ? in : cs_engine_nowhere();
    engine->z.next_out = out != NULL ? out : cs_engine_nowhere();
    do {
        take_slices(&engine->z, &in_left, &out_left);
        code = deflate(&engine->z, in_left > 0 ? Z_NO_FLUSH : Z_FINISH);
    } while (code == Z_OK);
    out_used = out_capacity - out_left - engine->z.avail_out;
    engine->begun = true;
    engine->finished = code == Z_STREAM_END;
    (void)cs_engine_close(engine); /* it would repeat that the output was too small */

    if (code == Z_BUF_ERROR)
        return CS_E_TOO_SMALL;
    if (code != Z_STREAM_END)
        return code;
    *out_nbytes = out_used;
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
    struct cs_engine *engine = NULL;
    size_t in_left = in_nbytes, out_left = out_capacity, out_used = 0, in_used = 0;
    int code = Z_OK;

    if (!cs_engine_has_buffers(in, in_nbytes, out, out_capacity))
        return CS_E_STREAM;
    code = cs_engine_open_inflate(&engine, NULL, window_bits);
    if (code != Z_OK)
        return not_opened(engine, code);
    engine->z.next_in = in != NULL ? in : cs_engine_nowhere();
    engine->z.next_out = out != NULL ? out : cs_engine_nowhere();
    do {
        take_slices(&engine->z, &in_left, &out_left);
        /* if this call can be the last, zlib need not copy the output to a window for the next */
        code = inflate(&engine->z, in_left == 0 && out_left == 0 ? Z_FINISH : Z_NO_FLUSH);
    } while (code == Z_OK);
    out_used = out_capacity - out_left - engine->z.avail_out;
    if (code == Z_BUF_ERROR && engine->z.avail_out == 0)
        code = one_byte_more(&engine->z);
    in_used = in_nbytes - in_left - engine->z.avail_in;
    (void)cs_engine_close(engine);

    if (code != Z_STREAM_END)
        return code;
    *out_nbytes = out_used;
    if (in_used_nbytes != NULL)
        *in_used_nbytes = in_used;
    return CS_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * codec.c - checksums, one-shot compression, error texts, and the allocator that can be made to fail.
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64 /* zlib's combine functions take an off_t */

#include "cside/codec.h"

#include <stdio.h>
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

/* ---- checksums ----------------------------------------------------------------------------------- */

#if ZLIB_VERNUM >= 0x1290
#define CHECKSUM_OF_SIZE(function, value, data, nbytes) ((uint32_t)function##_z(value, data, nbytes))
#else
#define CHECKSUM_OF_SIZE(function, value, data, nbytes) checksum_in_slices(function, value, data, nbytes)

static uint32_t checksum_in_slices(uLong (*function)(uLong, const Bytef *, uInt), uLong value, const uint8_t *data,
                                   size_t nbytes)
{
    do {
        uInt slice = cs_engine_slice(nbytes, CS_ENGINE_SLICE_NBYTES);
        value = function(value, data, slice);
        data += slice;
        nbytes -= slice;
    } while (nbytes > 0);
    return (uint32_t)value;
}
#endif

/* zlib takes NULL as a request for the first value; here it is an empty buffer, which leaves the value alone. */
static const uint8_t empty[1];

CS_TRACED_VALUE(uint32_t, crc32, (uint32_t value, const uint8_t *data, size_t data_nbytes), (value, data, data_nbytes),
                data_nbytes, 0)
{
    if (CS_UNLIKELY(data == NULL))
        return value;
    return CHECKSUM_OF_SIZE(crc32, value, data, data_nbytes);
}

CS_TRACED_VALUE(uint32_t, adler32, (uint32_t value, const uint8_t *data, size_t data_nbytes),
                (value, data, data_nbytes), data_nbytes, 0)
{
    if (CS_UNLIKELY(data == NULL))
        return CHECKSUM_OF_SIZE(adler32, value, empty, 0);
    return CHECKSUM_OF_SIZE(adler32, value, data, data_nbytes);
}

/* Appending n bytes multiplies a CRC by x^(8n) modulo the CRC's polynomial, which is primitive: powers of x repeat
 * after 2^32 - 1. Old zlibs take time in proportion to the length's bits, and none likes a negative one. */
CS_TRACED_VALUE(uint32_t, crc32_combine, (uint32_t first, uint32_t second, uint64_t second_nbytes),
                (first, second, second_nbytes), 0, 0)
{
    if (second_nbytes > UINT32_MAX)
        second_nbytes = (second_nbytes - 1) % UINT32_MAX + 1;
    return (uint32_t)crc32_combine(first, second, (z_off_t)second_nbytes);
}

/* The length matters modulo Adler-32's base only. */
CS_TRACED_VALUE(uint32_t, adler32_combine, (uint32_t first, uint32_t second, uint64_t second_nbytes),
                (first, second, second_nbytes), 0, 0)
{
    return (uint32_t)adler32_combine(first, second, (z_off_t)(second_nbytes % 65521u));
}

/* ---- one-shot ------------------------------------------------------------------------------------ */

/* At memory level 8 with a small window, zlib's worst case is Huffman codes of 9 bits a byte (a block that has left the
 * window cannot be stored); zlib-ng's level 1 is like that at any window. 32 covers what frames a block and gzip. */
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

/* The room is full and the engine goes no further: does it want to write more, or is the input cut short? */
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

/* ---- for error messages and tests ----------------------------------------------------------------- */

static const char *phrase(cs_status status, const char *message)
{
    if (status == CS_E_VERSION)
        return "library version mismatch";
    if (message != NULL)
        return message;
    switch (status) {
    case CS_E_BUFFER:
        return "incomplete or truncated stream";
    case CS_E_STREAM:
        return "inconsistent stream state";
    case CS_E_DATA:
        return "invalid input data";
    default:
        return NULL;
    }
}

CS_TRACED_VOID(codec_error_text,
               (cs_status status, const char *doing, const char *message, char *out, size_t out_capacity),
               (status, doing, message, out, out_capacity), cs_text_nbytes(doing) + cs_text_nbytes(message),
               cs_text_nbytes(out))
{
    const char *text = phrase(status, message);

    if (text == NULL)
        snprintf(out, out_capacity, "Error %d %s", (int)status, doing);
    else
        snprintf(out, out_capacity, "Error %d %s: %.200s", (int)status, doing, text);
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

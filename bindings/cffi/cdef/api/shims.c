/* SPDX-License-Identifier: Apache-2.0
 *
 * What API mode can do in C because it has a compiler at hand: macros and inlines, bit-fields, real variadic calls,
 * one crossing where Python would need several. cffi pastes this file before the code that it generates.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cside/codec.h"
#include "cside/idioms.h"
#include "cside/status.h"
#include "cside/trace.h"

/* The table is fetched once, when the Python module is imported. */
static const cs_ops *ops;

static void shim_ops_fetch(void)
{
    ops = cs_ops_get();
}

static int32_t shim_ops_add(int32_t a, int32_t b)
{
    return ops->add(a, b);
}

static int32_t shim_ops_multiply(int32_t a, int32_t b)
{
    return ops->multiply(a, b);
}

static int32_t shim_macro_clamp(int32_t x, int32_t lo, int32_t hi)
{
    return CS_MACRO_CLAMP(x, lo, hi);
}

static uint32_t shim_inline_rotl(uint32_t value, uint32_t bits)
{
    return cs_inline_rotl(value, bits);
}

/* -1 where a number does not fit its field. */
static int32_t shim_bits_pack(uint32_t mode, uint32_t level, int32_t delta, uint32_t flag)
{
    cs_bits bits = {
        .mode = mode & 7u, .level = level & 31u, .delta = delta < -8 || delta > 7 ? 0 : delta, .flag = flag & 1u};

    if (bits.mode != mode || bits.level != level || bits.delta != delta || bits.flag != flag) {
        return -1;
    }
    return (int32_t)cs_bits_pack(&bits);
}

static void shim_bits_unpack(uint32_t word, int32_t fields[4])
{
    cs_bits bits;

    cs_bits_unpack(word, &bits);
    fields[0] = (int32_t)bits.mode;
    fields[1] = (int32_t)bits.level;
    fields[2] = bits.delta;
    fields[3] = (int32_t)bits.flag;
}

/* A callee of C ignores arguments beyond those that `count` makes it read, so one shape of call serves all. */
static int64_t shim_varargs_sum(uint32_t count, const int64_t values[CS_VARARGS_MAX])
{
    return cs_varargs_sum(count, values[0], values[1], values[2], values[3], values[4], values[5], values[6],
                          values[7]);
}

/* One crossing instead of five: the fields of the stream are set here rather than from Python. */
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

/* Defined by cffi, below. They take `user` as an integer: a pointer would become a new cdata object at each call. */
static int64_t on_each(uintptr_t key, int32_t position);
static int32_t on_progress(uintptr_t key, uint64_t total_in, uint64_t total_out);

static int64_t shim_on_each(void *user, int32_t position)
{
    return on_each((uintptr_t)user, position);
}

static int32_t shim_on_progress(void *user, uint64_t total_in, uint64_t total_out)
{
    return on_progress((uintptr_t)user, total_in, total_out);
}

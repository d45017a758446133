/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_engine.h - zlib's states: how they are made, kept for the next call of the thread, and ended.
 */
#ifndef CSIDE_CODEC_ENGINE_H
#define CSIDE_CODEC_ENGINE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include "cside/codec.h"

/** The largest number of bytes that one call of zlib is given, since zlib counts in uInt. Tests make it small. */
#ifndef CS_ENGINE_SLICE_NBYTES
#define CS_ENGINE_SLICE_NBYTES UINT_MAX
#endif

/** What a state for compression was made with. */
struct cs_engine_parameters {
    int32_t level;
    int32_t method;
    int32_t window_bits;
    int32_t mem_level;
    int32_t strategy;
};

/** A z_stream and what it belongs to. It is not moved in memory, because zlib's state points to it. */
struct cs_engine {
    z_stream z;
    const cs_stream *owner;
    int (*run)(z_stream *z, int flush); /* deflate or inflate; it also tells which of the two this state is for */
    cs_alloc_fn alloc;
    cs_free_fn free;
    void *user;
    struct cs_engine_parameters parameters; /* for compression only */
    bool begun;                             /* deflate() or inflate() was called */
    bool finished;                          /* it has returned Z_STREAM_END */
    bool running;                           /* a call is running; a callback that uses the same stream is refused */
    bool copied;                            /* by zlib, from another state */
};

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/* ---- codec_engine.c ---- */

/** The library's own allocator, which cs_codec_fail_after() limits; its signatures are zlib's. */
void *cs_engine_alloc(void *unused, uInt item_count, uInt item_nbytes);
void cs_engine_free(void *unused, void *address);

/** Whether cs_codec_fail_after() limits the allocations of the calling thread. */
bool cs_engine_is_limited(void);

/** An engine without a state of zlib, with the allocators of `stream`, or with the library's own if it has none or is
 *  NULL. NULL if there is no memory. */
struct cs_engine *cs_engine_new(const cs_stream *stream, int (*run)(z_stream *, int));

/** Free an engine whose state zlib has ended. */
void cs_engine_delete(struct cs_engine *engine);

/** End the engine without keeping it, and free its memory; NULL is nothing. Returns zlib's code. */
int cs_engine_end(struct cs_engine *engine);

/* ---- codec_states.c ---- */

/** Prepare to compress or decompress: with the state that the thread keeps, if it may be used, or else with a new one.
 *  Returns zlib's status. *out is NULL if there is no memory for the engine. If zlib refuses, *out is an engine that
 *  has zlib's message and is to be deleted. */
int cs_engine_open_deflate(struct cs_engine **out, const cs_stream *stream,
                           const struct cs_engine_parameters *parameters);
int cs_engine_open_inflate(struct cs_engine **out, const cs_stream *stream, int32_t window_bits);

/** Keep an engine for the thread, or end its state and delete it. Returns zlib's status. */
int cs_engine_close(struct cs_engine *engine);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

/** The smaller of `nbytes` and `limit`, as zlib counts. */
static inline uInt cs_engine_slice(size_t nbytes, size_t limit)
{
    return (uInt)(nbytes < limit ? nbytes : limit);
}

/** As in zlib, NULL is an error where there are bytes to read or room to write. */
static inline bool cs_engine_has_buffers(const uint8_t *in, size_t in_nbytes, const uint8_t *out, size_t out_nbytes)
{
    return (in != NULL || in_nbytes == 0) && (out != NULL || out_nbytes == 0);
}

/** A valid address for an empty buffer, because zlib refuses NULL even where there are no bytes. */
static inline uint8_t *cs_engine_nowhere(void)
{
    static _Thread_local uint8_t nowhere;

    return &nowhere;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_engine.h - the parts of zlib's use that the files of the codec share.
 */
#ifndef CSIDE_CODEC_ENGINE_H
#define CSIDE_CODEC_ENGINE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

/** The largest number of bytes that one call of zlib is given, since zlib counts in uInt. Tests make it small. */
#ifndef CS_ENGINE_SLICE_NBYTES
#define CS_ENGINE_SLICE_NBYTES UINT_MAX
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/** The library's own allocator, which cs_codec_fail_after() limits; its signatures are zlib's. */
void *cs_engine_alloc(void *unused, uInt item_count, uInt item_nbytes);
void cs_engine_free(void *unused, void *address);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

/** The smaller of `nbytes` and `limit`, as zlib counts. */
static inline uInt cs_engine_slice(size_t nbytes, size_t limit)
{
    return (uInt)(nbytes < limit ? nbytes : limit);
}

/** A valid address for an empty buffer, because zlib refuses NULL even where there are no bytes. */
static inline uint8_t *cs_engine_nowhere(void)
{
    static _Thread_local uint8_t nowhere;

    return &nowhere;
}

#endif

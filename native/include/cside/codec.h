/* SPDX-License-Identifier: Apache-2.0
 *
 * cside/codec.h - checksums and DEFLATE compression, zlib-like, over the system's zlib.
 *
 * It differs from zlib's own interface where zlib's shows its age: sizes are size_t (beyond 4 GiB work), a struct is
 * zeroed rather than checked against a version string, and results of one-shot calls are exact.
 * Numbers of levels, strategies, flush modes and window bits are zlib's.
 */
#ifndef CSIDE_CODEC_H
#define CSIDE_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "cside/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CS_LEVEL_NONE 0
#define CS_LEVEL_FASTEST 1
#define CS_LEVEL_BEST 9
#define CS_LEVEL_DEFAULT (-1)

#define CS_METHOD_DEFLATED 8
#define CS_MEM_LEVEL_DEFAULT 8

#define CS_STRATEGY_DEFAULT 0
#define CS_STRATEGY_FILTERED 1
#define CS_STRATEGY_HUFFMAN_ONLY 2
#define CS_STRATEGY_RLE 3
#define CS_STRATEGY_FIXED 4

#define CS_FLUSH_NONE 0
#define CS_FLUSH_PARTIAL 1
#define CS_FLUSH_SYNC 2
#define CS_FLUSH_FULL 3
#define CS_FLUSH_FINISH 4
#define CS_FLUSH_BLOCK 5
#define CS_FLUSH_TREES 6

/** Window bits: 9..15 zlib format, -9..-15 raw, 25..31 gzip; for inflate also 0 (size from the zlib header) and
 *  40..47 (zlib or gzip, detected). */
#define CS_WINDOW_BITS_MAX 15
#define CS_WINDOW_BITS_GZIP 16
#define CS_WINDOW_BITS_AUTO 32

/** Room that a binding gives a stream's first call; each further call of the same operation gets as much room as all
 *  calls before it together (so the total doubles), limited by what the user allowed. */
#define CS_OUT_FIRST_NBYTES 16384

/** A checksum of fewer bytes than this is a short call (see the contract's GIL policy). */
#define CS_CHECKSUM_LONG_NBYTES 5120

/** Version of the engine (zlib) that is loaded, and of the header that libcside was compiled against. Never NULL. */
CS_API const char *cs_engine_version(void);
CS_API const char *cs_engine_header_version(void);

/* ---- checksums; these return their value, as zlib's do ------------------------------------------- */

/** Continue a CRC-32 (IEEE 802.3, reflected) from `value`; start with 0. */
CS_API uint32_t cs_crc32(uint32_t value, const uint8_t *data, size_t data_nbytes);

/** Continue an Adler-32 (RFC 1950) from `value`; start with 1. */
CS_API uint32_t cs_adler32(uint32_t value, const uint8_t *data, size_t data_nbytes);

/** Checksum of A followed by B, from the checksums of each and the length of B; lengths up to INT64_MAX. */
CS_API uint32_t cs_crc32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);
CS_API uint32_t cs_adler32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);

/* ---- one-shot ----------------------------------------------------------------------------------- */

/** Bytes that cs_compress() may need for an input of `in_nbytes` at any level, in any format; SIZE_MAX on overflow. */
CS_API size_t cs_compress_bound(size_t in_nbytes);

/** Compress in one go, memory level 8, default strategy.
 *  CS_E_STREAM: bad level or window bits. CS_E_TOO_SMALL: out_capacity was not enough. CS_E_MEMORY. */
CS_API cs_status cs_compress(const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity, int32_t level,
                             int32_t window_bits, size_t *out_nbytes);

/** Decompress one complete stream in one go. *in_used_nbytes (may be NULL) becomes the length of the stream.
 *  CS_E_STREAM: bad window bits. CS_E_DATA: corrupt. CS_E_BUFFER: truncated input. CS_E_TOO_SMALL. CS_NEED_DICT.
 *  CS_E_MEMORY. */
CS_API cs_status cs_decompress(const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity,
                               int32_t window_bits, size_t *out_nbytes, size_t *in_used_nbytes);

/* ---- streams ------------------------------------------------------------------------------------ */

/** Allocate `item_count` * `item_nbytes` bytes, or return NULL. May be called with the sizes of any allocation of the
 *  engine, from the thread that calls the stream. */
typedef void *(*cs_alloc_fn)(void *user, size_t item_count, size_t item_nbytes);
typedef void (*cs_free_fn)(void *user, void *address);

/** Called after at most CS_PROGRESS_NBYTES of input were taken or produced, and once before a call returns
 *  successfully. Totals are those of the stream. Non-zero stops the call with CS_E_ABORTED; the stream stays valid. */
typedef int32_t (*cs_progress_fn)(void *user, uint64_t total_in, uint64_t total_out);
#define CS_PROGRESS_NBYTES 65536

struct cs_engine;

/** A stream. Zero it (`cs_stream s = {0}`), set allocators and progress if wanted, then initialise it.
 *  Before each call the caller sets next_in/avail_in and next_out/avail_out; the call moves them.
 *  Not thread-safe: one call at a time. It must not move in memory between initialisation and end. */
typedef struct cs_stream {
    const uint8_t *next_in; /**< next input byte */
    size_t avail_in;        /**< input bytes left */
    uint64_t total_in;      /**< input bytes taken so far */
    uint8_t *next_out;      /**< where the next output byte goes */
    size_t avail_out;       /**< room left there, in bytes */
    uint64_t total_out;     /**< output bytes produced so far */
    const char *message;    /**< the engine's last error message or NULL; valid until the next call */
    uint32_t checksum;      /**< running checksum of the data; on CS_NEED_DICT that of the dictionary wanted */
    cs_alloc_fn alloc;      /**< NULL: the library's own */
    cs_free_fn free;        /**< NULL: the library's own; both or neither */
    void *alloc_user;
    cs_progress_fn progress; /**< NULL: none */
    void *progress_user;
    struct cs_engine *engine; /**< the library's; NULL when not initialised */
} cs_stream;

/** Prepare to compress. CS_E_STREAM: a parameter is outside its domain. CS_E_MEMORY. CS_E_STATE: initialised already.
 *  CS_E_ARGUMENT: only one of alloc and free is set. */
CS_API cs_status cs_deflate_init(cs_stream *stream, int32_t level, int32_t method, int32_t window_bits,
                                 int32_t mem_level, int32_t strategy);

/** Compress until the input is used up or the output room is full.
 *  CS_OK: progress. CS_STREAM_END: CS_FLUSH_FINISH is complete. CS_E_BUFFER: no progress was possible (not fatal).
 *  CS_E_STREAM. CS_E_ABORTED. */
CS_API cs_status cs_deflate(cs_stream *stream, int32_t flush);

/** Preset dictionary, before the first cs_deflate(). CS_E_STREAM: too late, or gzip. */
CS_API cs_status cs_deflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes);

/** Make `copy` (zeroed) an independent copy of `source`, with its allocators and progress. CS_E_STREAM. CS_E_MEMORY. */
CS_API cs_status cs_deflate_copy(cs_stream *copy, const cs_stream *source);

/** Free what the stream holds; it may be initialised again. CS_E_STREAM: not initialised.
 *  CS_E_DATA: freed with data pending (harmless). */
CS_API cs_status cs_deflate_end(cs_stream *stream);

/** Prepare to decompress. Errors as cs_deflate_init(). */
CS_API cs_status cs_inflate_init(cs_stream *stream, int32_t window_bits);

/** Decompress until the input is used up or the output room is full; `flush` is CS_FLUSH_NONE, _SYNC or _FINISH.
 *  CS_OK. CS_STREAM_END. CS_NEED_DICT. CS_E_DATA: corrupt. CS_E_BUFFER: no progress was possible, or _FINISH did not
 *  reach the end (not fatal). CS_E_STREAM. CS_E_MEMORY. CS_E_ABORTED. */
CS_API cs_status cs_inflate(cs_stream *stream, int32_t flush);

/** Preset dictionary: after CS_NEED_DICT, or at once for a raw stream. CS_E_DATA: the wrong one. CS_E_STREAM. */
CS_API cs_status cs_inflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes);

/** As cs_deflate_copy(). */
CS_API cs_status cs_inflate_copy(cs_stream *copy, const cs_stream *source);

/** As cs_deflate_end(). */
CS_API cs_status cs_inflate_end(cs_stream *stream);

/* ---- for error messages and tests ---------------------------------------------------------------- */

/** Write the text that users of zlib in Python know, "Error -3 while decompressing data: incorrect header check":
 *  number, `doing`, then `message`, or where that is NULL the library's phrase for the three statuses that have one
 *  (CS_E_BUFFER "incomplete or truncated stream", CS_E_STREAM "inconsistent stream state", CS_E_DATA
 *  "invalid input data"); no colon where there is none. CS_E_VERSION always says "library version mismatch".
 *  The message is cut after 200 bytes. Always NUL-terminated within `out_capacity` (at least 1). */
CS_API void cs_codec_error_text(cs_status status, const char *doing, const char *message, char *out,
                                size_t out_capacity);

/** Fault injection: on the calling thread let `allocations` allocations of the library's own allocator succeed, then
 *  fail each one; -1 (the default) never fails. For tests. */
CS_API void cs_codec_fail_after(int64_t allocations);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * cside/codec.h - checksums and DEFLATE compression with an interface like zlib's. The engine is zlib.
 *
 * It differs from zlib's interface in three ways: sizes are size_t, so that more than 4 GiB can be passed; a struct is
 * zeroed before use, instead of being checked against a version string; one-shot calls return exact sizes.
 * Levels, strategies, flush modes and window bits have zlib's numbers.
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

/** Window bits: 9..15 zlib format, -9..-15 raw, 25..31 gzip; for inflate also 0 (the size is in the zlib header) and
 *  40..47 (zlib or gzip is detected). */
#define CS_WINDOW_BITS_MAX 15
#define CS_WINDOW_BITS_GZIP 16
#define CS_WINDOW_BITS_AUTO 32

/** Output room that a binding gives to the first call of a stream. Each further call of the same operation gets as much
 *  room as all calls before it together, so that the total doubles, up to the limit that the user set. */
#define CS_OUT_FIRST_NBYTES 16384

/** A checksum of fewer bytes than this is a short call by the GIL policy of the contract. */
#define CS_CHECKSUM_LONG_NBYTES 5120

/** Version of the engine (zlib) that is loaded, and of the zlib.h that libcside was compiled with. Never NULL. */
CS_API const char *cs_engine_version(void);
CS_API const char *cs_engine_header_version(void);

/* ---- checksums; these return their value, as zlib's do. NULL is an empty buffer ------------------- */

/** Continue a CRC-32 (IEEE 802.3, reflected) from `value`; start with 0. */
CS_API uint32_t cs_crc32(uint32_t value, const uint8_t *data, size_t data_nbytes);

/** Continue an Adler-32 (RFC 1950) from `value`; start with 1. */
CS_API uint32_t cs_adler32(uint32_t value, const uint8_t *data, size_t data_nbytes);

/** Checksum of A followed by B, computed from the checksum of each and the length of B, which is at most INT64_MAX. */
CS_API uint32_t cs_crc32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);
CS_API uint32_t cs_adler32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);

/* ---- states that are kept ------------------------------------------------------------------------ */

/** Making a state of zlib costs more than resetting one. So a thread keeps at most one state for
 *  compression and one for decompression, from calls that have ended, and resets them for its next cs_compress(),
 *  cs_decompress(), cs_deflate_init() or cs_inflate_init(). Results are those of a new state, byte by byte. States with
 *  allocators of the caller are never kept. Nor are those for compression that did not reach the end of their stream,
 *  and copies. A state for compression is used again for the same level, window bits, memory level and strategy only.
 *
 *  Memory: as zconf.h says, (1 << (window bits + 2)) + (1 << (memory level + 9)) bytes, 268 KB by default, for a thread
 *  that compresses, and a window, up to 32 KiB, for one that decompresses, and a few KB each; freed when the thread
 *  ends and when the library is unloaded. A thread that has called the codec must not be ending at that moment. As many threads keep states as the environment variable CSIDE_CODEC_CACHE
 *  says, at most CS_CODEC_CACHE_MAX; with 0 none does. It is read when the library is loaded, and is not read in a program that runs with
 *  more rights than its caller. A child of fork() has the states of the thread that called fork().
 *
 *  Secrets: a state that is kept holds up to 64 KiB of the last input of compression and output made from it, and
 *  up to 32 KiB of the last output of decompression. They are not erased before the memory is used again, as in zlib, where the memory has been
 *  freed by then. A program for which this matters sets CSIDE_CODEC_CACHE=0, or uses streams with allocators that erase
 *  what they free. */
#define CS_CODEC_CACHE_DEFAULT 64
#define CS_CODEC_CACHE_MAX 256

/* ---- one-shot ----------------------------------------------------------------------------------- */

/** Number of bytes that cs_compress() needs at most for an input of `in_nbytes`, at any level and in any format;
 *  SIZE_MAX on overflow. */
CS_API size_t cs_compress_bound(size_t in_nbytes);

/** Compress a whole buffer in one call, with memory level 8 and the default strategy. `in` may be NULL if in_nbytes is
 *  0, and `out` if out_capacity is 0.
 *  CS_E_STREAM: invalid level or window bits, or NULL with a size. CS_E_TOO_SMALL: out_capacity is too small.
 *  CS_E_MEMORY. */
CS_API cs_status cs_compress(const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity, int32_t level,
                             int32_t window_bits, size_t *out_nbytes);

/** Decompress one complete stream in one call. *in_used_nbytes (may be NULL) becomes the length of the stream. NULL as
 *  in cs_compress().
 *  CS_E_STREAM: invalid window bits, or NULL with a size. CS_E_DATA: corrupt input. CS_E_BUFFER: truncated input.
 *  CS_E_TOO_SMALL. CS_NEED_DICT. CS_E_MEMORY. */
CS_API cs_status cs_decompress(const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity,
                               int32_t window_bits, size_t *out_nbytes, size_t *in_used_nbytes);

/* ---- streams ------------------------------------------------------------------------------------ */

/** Allocate `item_count` * `item_nbytes` bytes, or return NULL. It is called for every allocation of the engine, on the
 *  thread that calls the stream's functions. While it runs, the stream cannot be used: its functions return
 *  CS_E_STREAM, and the init functions CS_E_STATE. The same holds for the function that frees, and for the target of a
 *  copy. */
typedef void *(*cs_alloc_fn)(void *user, size_t item_count, size_t item_nbytes);
typedef void (*cs_free_fn)(void *user, void *address);

/** Called after at most each CS_PROGRESS_NBYTES of input or output, and once before a call returns successfully. The
 *  totals are those of the stream. A result other than 0 stops the call with CS_E_ABORTED; the stream stays valid. */
typedef int32_t (*cs_progress_fn)(void *user, uint64_t total_in, uint64_t total_out);
#define CS_PROGRESS_NBYTES 65536

struct cs_engine;

/** A stream. Set it to zero (`cs_stream s = {0}`), set allocators and the progress callback if needed, then initialise
 *  it. Before each call the caller sets next_in, avail_in, next_out and avail_out, which the call updates; next_in may
 *  be NULL if avail_in is 0, and next_out if avail_out is 0. A stream is not thread-safe. It must not be moved in
 *  memory between initialisation and end. */
typedef struct cs_stream {
    const uint8_t *next_in; /**< next input byte */
    size_t avail_in;        /**< input bytes left */
    uint64_t total_in;      /**< input bytes taken so far */
    uint8_t *next_out;      /**< where the next output byte goes */
    size_t avail_out;       /**< room left there, in bytes */
    uint64_t total_out;     /**< output bytes produced so far */
    const char *message;    /**< the engine's last error message or NULL; valid until the next call */
    uint32_t checksum;      /**< of the data so far; after CS_NEED_DICT, of the dictionary that is needed */
    cs_alloc_fn alloc;      /**< NULL for the library's own */
    cs_free_fn free;        /**< NULL for the library's own; set both or neither. The initialisation reads the three */
    void *alloc_user;
    cs_progress_fn progress; /**< NULL for none */
    void *progress_user;
    struct cs_engine *engine; /**< the library's; NULL when not initialised */
} cs_stream;

/** Prepare to compress. CS_E_STREAM: a parameter is outside its domain. CS_E_MEMORY. CS_E_STATE: it is initialised
 *  already.
 *  CS_E_ARGUMENT: only one of alloc and free is set. */
CS_API cs_status cs_deflate_init(cs_stream *stream, int32_t level, int32_t method, int32_t window_bits,
                                 int32_t mem_level, int32_t strategy);

/** Compress until the input is used up or the output is full.
 *  CS_OK: progress was made. CS_STREAM_END: CS_FLUSH_FINISH is complete. CS_E_BUFFER: no progress was possible (not
 *  fatal).
 *  CS_E_STREAM: it is not initialised, or NULL with a size. CS_E_ABORTED. */
CS_API cs_status cs_deflate(cs_stream *stream, int32_t flush);

/** Set a preset dictionary before the first cs_deflate(). CS_E_STREAM: after the first cs_deflate(), for gzip, or NULL
 *  with a size. */
CS_API cs_status cs_deflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes);

/** Make `copy` (zeroed) an independent copy of `source`, with the allocators of its initialisation and its progress.
 *  CS_E_STREAM. CS_E_MEMORY. */
CS_API cs_status cs_deflate_copy(cs_stream *copy, const cs_stream *source);

/** Free the memory of the stream, which may then be initialised again. CS_E_STREAM: it is not initialised.
 *  CS_E_DATA: it was freed while data was pending (harmless). */
CS_API cs_status cs_deflate_end(cs_stream *stream);

/** Prepare to decompress. Errors as cs_deflate_init(). */
CS_API cs_status cs_inflate_init(cs_stream *stream, int32_t window_bits);

/** Decompress until the input is used up or the output is full; `flush` is CS_FLUSH_NONE, _SYNC or _FINISH.
 *  CS_OK. CS_STREAM_END. CS_NEED_DICT. CS_E_DATA: corrupt input. CS_E_BUFFER: no progress was possible, or _FINISH did
 *  not reach the end (not fatal). CS_E_STREAM. CS_E_MEMORY. CS_E_ABORTED. */
CS_API cs_status cs_inflate(cs_stream *stream, int32_t flush);

/** Set a preset dictionary, after CS_NEED_DICT or, for a raw stream, before the first cs_inflate(). CS_E_DATA: it is
 *  not the dictionary that is needed. CS_E_STREAM. */
CS_API cs_status cs_inflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes);

/** As cs_deflate_copy(). */
CS_API cs_status cs_inflate_copy(cs_stream *copy, const cs_stream *source);

/** As cs_deflate_end(). */
CS_API cs_status cs_inflate_end(cs_stream *stream);

/* ---- for error messages and tests ---------------------------------------------------------------- */

/** Write the message of Python's zlib, as "Error -3 while decompressing data: incorrect header check". It consists of
 *  the number, `doing`, a colon and `message`. If `message` is NULL, three statuses have a text of their own
 *  (CS_E_BUFFER "incomplete or truncated stream", CS_E_STREAM "inconsistent stream state", CS_E_DATA "invalid input
 *  data"); for the others the colon and the message are left out. The text of CS_E_VERSION is always "library version
 *  mismatch". The message is truncated to 200 bytes. `out` is NUL-terminated within `out_capacity`, which is at least
 *  1. */
CS_API void cs_codec_error_text(cs_status status, const char *doing, const char *message, char *out,
                                size_t out_capacity);

/** Fault injection for tests: on the calling thread, the next `allocations` allocations of the library's own allocator
 *  succeed, and all later ones fail. With -1, the default, none fails. */
CS_API void cs_codec_fail_after(int64_t allocations);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * The declarations of cside/codec.h that the binding uses, for both modes, in the C that cffi can parse.
 */

const char *cs_engine_version(void);
const char *cs_engine_header_version(void);

uint32_t cs_crc32(uint32_t value, const uint8_t *data, size_t data_nbytes);
uint32_t cs_adler32(uint32_t value, const uint8_t *data, size_t data_nbytes);
uint32_t cs_crc32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);
uint32_t cs_adler32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes);

size_t cs_compress_bound(size_t in_nbytes);
cs_status cs_compress(const uint8_t *in, size_t in_nbytes, uint8_t *out, size_t out_capacity, int32_t level,
                      int32_t window_bits, size_t *out_nbytes);

typedef void *(*cs_alloc_fn)(void *user, size_t item_count, size_t item_nbytes);
typedef void (*cs_free_fn)(void *user, void *address);
typedef int32_t (*cs_progress_fn)(void *user, uint64_t total_in, uint64_t total_out);

struct cs_engine;

typedef struct cs_stream {
    const uint8_t *next_in;
    size_t avail_in;
    uint64_t total_in;
    uint8_t *next_out;
    size_t avail_out;
    uint64_t total_out;
    const char *message;
    uint32_t checksum;
    cs_alloc_fn alloc;
    cs_free_fn free;
    void *alloc_user;
    cs_progress_fn progress;
    void *progress_user;
    struct cs_engine *engine;
} cs_stream;

cs_status cs_deflate_init(cs_stream *stream, int32_t level, int32_t method, int32_t window_bits, int32_t mem_level,
                          int32_t strategy);
cs_status cs_deflate(cs_stream *stream, int32_t flush);
cs_status cs_deflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes);
cs_status cs_deflate_copy(cs_stream *copy, const cs_stream *source);
cs_status cs_deflate_end(cs_stream *stream);

cs_status cs_inflate_init(cs_stream *stream, int32_t window_bits);
cs_status cs_inflate(cs_stream *stream, int32_t flush);
cs_status cs_inflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes);
cs_status cs_inflate_copy(cs_stream *copy, const cs_stream *source);
cs_status cs_inflate_end(cs_stream *stream);

void cs_codec_error_text(cs_status status, const char *doing, const char *message, char *out, size_t out_capacity);
void cs_codec_fail_after(int64_t allocations);

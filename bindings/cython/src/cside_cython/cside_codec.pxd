# SPDX-License-Identifier: Apache-2.0
"""Declarations of cside/codec.h."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from .cside_status cimport cs_status


cdef extern from "cside/codec.h" nogil:
    enum:
        CS_LEVEL_NONE
        CS_LEVEL_FASTEST
        CS_LEVEL_BEST
        CS_LEVEL_DEFAULT
        CS_METHOD_DEFLATED
        CS_MEM_LEVEL_DEFAULT
        CS_STRATEGY_DEFAULT
        CS_STRATEGY_FILTERED
        CS_STRATEGY_HUFFMAN_ONLY
        CS_STRATEGY_RLE
        CS_STRATEGY_FIXED
        CS_FLUSH_NONE
        CS_FLUSH_PARTIAL
        CS_FLUSH_SYNC
        CS_FLUSH_FULL
        CS_FLUSH_FINISH
        CS_FLUSH_BLOCK
        CS_FLUSH_TREES
        CS_WINDOW_BITS_MAX
        CS_OUT_FIRST_NBYTES
        CS_CHECKSUM_LONG_NBYTES

    const char *cs_engine_version()
    const char *cs_engine_header_version()

    uint32_t cs_crc32(uint32_t value, const uint8_t *data, size_t data_nbytes)
    uint32_t cs_adler32(uint32_t value, const uint8_t *data, size_t data_nbytes)
    uint32_t cs_crc32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes)
    uint32_t cs_adler32_combine(uint32_t first, uint32_t second, uint64_t second_nbytes)

    size_t cs_compress_bound(size_t in_nbytes)
    cs_status cs_compress(const uint8_t *data, size_t in_nbytes, uint8_t *out, size_t out_capacity, int32_t level,
                          int32_t window_bits, size_t *out_nbytes)

    ctypedef int32_t (*cs_progress_fn)(void *user, uint64_t total_in, uint64_t total_out) noexcept nogil

    struct cs_engine:
        pass

    ctypedef struct cs_stream:
        const uint8_t *next_in
        size_t avail_in
        uint64_t total_in
        uint8_t *next_out
        size_t avail_out
        uint64_t total_out
        const char *message
        uint32_t checksum
        cs_progress_fn progress
        void *progress_user
        cs_engine *engine

    cs_status cs_deflate_init(cs_stream *stream, int32_t level, int32_t method, int32_t window_bits,
                              int32_t mem_level, int32_t strategy)
    cs_status cs_deflate(cs_stream *stream, int32_t flush)
    cs_status cs_deflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes)
    cs_status cs_deflate_copy(cs_stream *copy, const cs_stream *source)
    cs_status cs_deflate_end(cs_stream *stream)
    cs_status cs_inflate_init(cs_stream *stream, int32_t window_bits)
    cs_status cs_inflate(cs_stream *stream, int32_t flush)
    cs_status cs_inflate_set_dictionary(cs_stream *stream, const uint8_t *dictionary, size_t dictionary_nbytes)
    cs_status cs_inflate_copy(cs_stream *copy, const cs_stream *source)
    cs_status cs_inflate_end(cs_stream *stream)

    void cs_codec_error_text(cs_status status, const char *doing, const char *message, char *out, size_t out_capacity)
    void cs_codec_fail_after(int64_t allocations)

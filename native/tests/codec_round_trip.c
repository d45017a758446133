/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a combination of format, level, strategy, flush mode and buffer sizes that does not decompress to the input.
 */
#include "check.h"
#include "cside/codec.h"

enum { NBYTES = 40000, ROOM = 2 * NBYTES };

static uint8_t data[NBYTES], packed[ROOM], out[ROOM];

static const int32_t formats[] = {15, 9, -15, -9, 31, 25};

static void one_shot(const uint8_t *in, size_t in_nbytes, int32_t level, int32_t window_bits)
{
    size_t bound = cs_compress_bound(in_nbytes), packed_nbytes = 0, out_nbytes = 0, used = 0;

    CHECK(bound <= ROOM);
    CHECK_EQ(cs_compress(in, in_nbytes, packed, bound, level, window_bits, &packed_nbytes), CS_OK);
    memset(packed + packed_nbytes, 0x55, 9); /* bytes after the stream are not used */
    CHECK_EQ(cs_decompress(packed, packed_nbytes + 9, out, in_nbytes, window_bits, &out_nbytes, &used), CS_OK);
    CHECK_EQ(out_nbytes, in_nbytes);
    CHECK_EQ(used, packed_nbytes);
    CHECK(in_nbytes == 0 || memcmp(in, out, in_nbytes) == 0);
    if (window_bits > 0) {
        CHECK_EQ(cs_decompress(packed, packed_nbytes, out, ROOM, CS_WINDOW_BITS_AUTO + 15, &out_nbytes, NULL), CS_OK);
        CHECK_EQ(out_nbytes, in_nbytes);
    }
    if (in_nbytes > 0)
        CHECK_EQ(cs_decompress(packed, packed_nbytes, out, in_nbytes - 1, window_bits, &out_nbytes, NULL),
                 CS_E_TOO_SMALL);
    CHECK_EQ(cs_decompress(packed, packed_nbytes - 1, out, ROOM, window_bits, &out_nbytes, NULL), CS_E_BUFFER);
    CHECK_EQ(cs_decompress(packed, packed_nbytes - 1, out, in_nbytes, window_bits, &out_nbytes, NULL), CS_E_BUFFER);
    CHECK_EQ(cs_compress(in, in_nbytes, packed, packed_nbytes - 1, level, window_bits, &out_nbytes), CS_E_TOO_SMALL);
}

/* Compress in pieces, with a flush after each, and decompress in pieces. */
static void streamed(int32_t level, int32_t strategy, int32_t window_bits, int32_t mem_level, int32_t flush,
                     size_t piece, size_t room)
{
    cs_stream stream = {0};
    cs_status status = CS_OK;
    size_t packed_nbytes = 0, nbytes = 20000;

    CHECK_EQ(cs_deflate_init(&stream, level, CS_METHOD_DEFLATED, window_bits, mem_level, strategy), CS_OK);
    for (size_t begin = 0; begin < nbytes; begin += piece) {
        size_t before = (size_t)stream.total_out;
        stream.next_in = data + begin;
        stream.avail_in = nbytes - begin < piece ? nbytes - begin : piece;
        do {
            stream.next_out = packed + stream.total_out;
            stream.avail_out = ROOM - (size_t)stream.total_out < room ? ROOM - (size_t)stream.total_out : room;
            status = cs_deflate(&stream, flush);
            CHECK(status == CS_OK || status == CS_E_BUFFER);
        } while (stream.avail_out == 0);
        CHECK_EQ(stream.avail_in, 0);
        if (flush == CS_FLUSH_SYNC || flush == CS_FLUSH_FULL)
            CHECK(stream.total_out > before && memcmp(packed + stream.total_out - 4, "\0\0\377\377", 4) == 0);
    }
    do {
        stream.next_out = packed + stream.total_out;
        stream.avail_out = room;
        status = cs_deflate(&stream, CS_FLUSH_FINISH);
    } while (status == CS_OK);
    CHECK_EQ(status, CS_STREAM_END);
    CHECK_EQ(stream.total_in, nbytes);
    packed_nbytes = (size_t)stream.total_out;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);

    CHECK_EQ(cs_inflate_init(&stream, window_bits), CS_OK);
    CHECK(stream.total_in == 0 && stream.total_out == 0);
    stream.next_out = out;
    do {
        if (stream.avail_in == 0) {
            stream.next_in = packed + stream.total_in;
            stream.avail_in =
                packed_nbytes - (size_t)stream.total_in < piece ? packed_nbytes - (size_t)stream.total_in : piece;
        }
        stream.avail_out = room;
        status = cs_inflate(&stream, CS_FLUSH_SYNC);
    } while (status == CS_OK);
    CHECK_EQ(status, CS_STREAM_END);
    CHECK_EQ(stream.total_in, packed_nbytes);
    CHECK_EQ(stream.total_out, nbytes);
    CHECK(memcmp(out, data, nbytes) == 0);
    if (window_bits > 15)
        CHECK_EQ(stream.checksum, cs_crc32(0, data, nbytes));
    else if (window_bits > 0)
        CHECK_EQ(stream.checksum, cs_adler32(1, data, nbytes));
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
}

int main(void)
{
    static uint8_t noise[NBYTES];
    static const size_t sizes[] = {0, 1, 2, 100, 16383, NBYTES};
    static const size_t pieces[] = {64, 1000, 20000}, rooms[] = {1, 100, 30000};
    static const int32_t flushes[] = {CS_FLUSH_NONE, CS_FLUSH_PARTIAL, CS_FLUSH_SYNC, CS_FLUSH_FULL, CS_FLUSH_BLOCK};
    uint64_t state = 1;

    check_fill(data, NBYTES);
    for (size_t i = 0; i < NBYTES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        noise[i] = (uint8_t)(state >> 56);
    }
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        for (int32_t level = CS_LEVEL_DEFAULT; level <= CS_LEVEL_BEST; level++) {
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                one_shot(data, sizes[s], level, formats[f]);
                one_shot(noise, sizes[s], level, formats[f]); /* the bound holds for data that cannot be compressed */
            }
        }
        for (int32_t strategy = CS_STRATEGY_DEFAULT; strategy <= CS_STRATEGY_FIXED; strategy++)
            streamed(6, strategy, formats[f], CS_MEM_LEVEL_DEFAULT, CS_FLUSH_NONE, 1000, 100);
        for (size_t i = 0; i < sizeof flushes / sizeof flushes[0]; i++) {
            for (size_t p = 0; p < 3; p++) {
                /* with less than 7 bytes of room, a flush would write its marker again without end */
                for (size_t r = flushes[i] == CS_FLUSH_NONE ? 0 : 1; r < 3; r++)
                    streamed(6, CS_STRATEGY_DEFAULT, formats[f], CS_MEM_LEVEL_DEFAULT, flushes[i], pieces[p], rooms[r]);
            }
        }
        streamed(1, CS_STRATEGY_DEFAULT, formats[f], 1, CS_FLUSH_NONE, 1000, 1000);
        streamed(9, CS_STRATEGY_DEFAULT, formats[f], 9, CS_FLUSH_SYNC, 1000, 1000);
        streamed(0, CS_STRATEGY_DEFAULT, formats[f], 8, CS_FLUSH_SYNC, 1000, 1000);
    }
    one_shot(NULL, 0, 6, 15);
    CHECK(cs_compress_bound(SIZE_MAX) == SIZE_MAX);
    CHECK(cs_compress_bound(SIZE_MAX / 9 * 8) == SIZE_MAX);
    CHECK(cs_compress_bound(0) >= 20);
    return 0;
}

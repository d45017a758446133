/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: lengths beyond 4 GiB that are truncated to 32 bits. One small file is mapped many times, so that the address
 * range is large and the memory is small.
 */
#define _GNU_SOURCE

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "cside/codec.h"
#include "cside/idioms.h"

#define TILE_NBYTES ((size_t)1 << 24)
#define TILES 257 /* 4 GiB and 16 MiB */
#define LARGE_NBYTES (TILE_NBYTES * TILES)

static uint8_t *map_tiles(void)
{
    char name[] = "/tmp/cside-large-XXXXXX";
    int file = mkstemp(name);
    uint8_t *base = NULL;

    if (file < 0)
        return NULL;
    unlink(name);
    base = mmap(NULL, LARGE_NBYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED || ftruncate(file, (off_t)TILE_NBYTES) != 0)
        return NULL;
    for (size_t i = 0; i < TILES; i++) {
        if (mmap(base + i * TILE_NBYTES, TILE_NBYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
            MAP_FAILED)
            return NULL;
    }
    close(file);
    return base;
}

int main(void)
{
    uint8_t *large = sizeof(size_t) >= 8 ? map_tiles() : NULL;
    size_t bound = (size_t)64 << 20, packed_nbytes = 0, out_nbytes = 0, used = 0;
    uint8_t *packed = check_alloc(bound);
    uint32_t tile_crc = 0, tile_adler = 1, crc = 0, adler = 1;
    cs_stream stream = {0};

    if (large == NULL) {
        fprintf(stderr, "no address space for %zu bytes\n", LARGE_NBYTES);
        return CHECK_SKIPPED;
    }
    cs_buffer_fill(large, TILE_NBYTES, 'x');
    tile_crc = cs_crc32(0, large, TILE_NBYTES);
    tile_adler = cs_adler32(1, large, TILE_NBYTES);
    for (int i = 0; i < TILES; i++) {
        crc = cs_crc32_combine(crc, tile_crc, TILE_NBYTES);
        adler = cs_adler32_combine(adler, tile_adler, TILE_NBYTES);
    }
    CHECK_EQ(cs_crc32(0, large, LARGE_NBYTES), crc);
    CHECK_EQ(cs_adler32(1, large, LARGE_NBYTES), adler);
    CHECK_EQ(cs_bytes_sum(large, LARGE_NBYTES), (uint32_t)(LARGE_NBYTES * 'x'));

    CHECK_EQ(cs_compress(large, LARGE_NBYTES, packed, bound, 1, 15, &packed_nbytes), CS_OK);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, large, LARGE_NBYTES, 15, &out_nbytes, &used), CS_OK);
    CHECK(out_nbytes == LARGE_NBYTES && used == packed_nbytes && large[0] == 'x');

    CHECK_EQ(cs_deflate_init(&stream, 1, CS_METHOD_DEFLATED, 31, 9, CS_STRATEGY_RLE), CS_OK);
    stream.next_in = large;
    stream.avail_in = LARGE_NBYTES;
    stream.next_out = packed;
    stream.avail_out = bound;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    CHECK_EQ(stream.total_in, LARGE_NBYTES);
    CHECK_EQ(stream.avail_in, 0);
    packed_nbytes = (size_t)stream.total_out;
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);

    CHECK_EQ(cs_inflate_init(&stream, CS_WINDOW_BITS_AUTO + 15), CS_OK);
    stream.next_in = packed;
    stream.avail_in = packed_nbytes;
    stream.next_out = large;
    stream.avail_out = LARGE_NBYTES;
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    CHECK_EQ(stream.total_out, LARGE_NBYTES);
    CHECK_EQ(stream.checksum, crc);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
    munmap(large, LARGE_NBYTES);
    free(packed);
    return 0;
}

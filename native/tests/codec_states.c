/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a state of zlib that is used again gives other bytes than a new one, is used twice at once, hides a failing
 * allocation, or cannot be switched off.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cside/codec.h"

enum { NBYTES = 70000, HELD = 128 };

static uint8_t data[NBYTES], packed[2 * NBYTES], expected[2 * NBYTES], out[NBYTES + 1];

static void *plain_alloc(void *user, size_t item_count, size_t item_nbytes)
{
    (void)user;
    return check_alloc(item_count * item_nbytes);
}

static void plain_free(void *user, void *address)
{
    (void)user;
    free(address);
}

/* Compress with a state that is certainly new, because its allocators are ours. */
static size_t compress_anew(size_t nbytes, int32_t level, int32_t window_bits)
{
    cs_stream stream = {.alloc = plain_alloc, .free = plain_free};

    CHECK_EQ(cs_deflate_init(&stream, level, CS_METHOD_DEFLATED, window_bits, CS_MEM_LEVEL_DEFAULT, 0), CS_OK);
    stream.next_in = data;
    stream.avail_in = nbytes;
    stream.next_out = expected;
    stream.avail_out = sizeof expected;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
    return (size_t)stream.total_out;
}

static void same_as_anew(size_t nbytes, int32_t level, int32_t window_bits)
{
    size_t expected_nbytes = compress_anew(nbytes, level, window_bits);
    size_t packed_nbytes = 0, out_nbytes = 0, used_nbytes = 0;
    int32_t back_bits = window_bits == 9 ? 0 : window_bits;

    CHECK_EQ(cs_compress(data, nbytes, packed, sizeof packed, level, window_bits, &packed_nbytes), CS_OK);
    CHECK_EQ(packed_nbytes, expected_nbytes);
    CHECK(memcmp(packed, expected, packed_nbytes) == 0);
    memset(out, 0xa5, sizeof out);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, out, nbytes, back_bits, &out_nbytes, &used_nbytes), CS_OK);
    CHECK_EQ(out_nbytes, nbytes);
    CHECK_EQ(used_nbytes, packed_nbytes);
    CHECK(memcmp(out, data, nbytes) == 0);
}

/* Calls that end in an error, after each of which the next call must work. */
static void fail_in_every_way(void)
{
    size_t packed_nbytes = 0, out_nbytes = 0;

    CHECK_EQ(cs_compress(data, NBYTES, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    CHECK_EQ(cs_compress(data, NBYTES, expected, 100, 6, 15, &out_nbytes), CS_E_TOO_SMALL);
    CHECK_EQ(cs_compress(data, NBYTES, expected, sizeof expected, 77, 15, &out_nbytes), CS_E_STREAM);
    CHECK_EQ(cs_compress(data, NBYTES, expected, sizeof expected, 6, 99, &out_nbytes), CS_E_STREAM);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, out, NBYTES, 99, &out_nbytes, NULL), CS_E_STREAM);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, out, NBYTES - 1, 15, &out_nbytes, NULL), CS_E_TOO_SMALL);
    CHECK_EQ(cs_decompress(packed, packed_nbytes - 1, out, NBYTES, 15, &out_nbytes, NULL), CS_E_BUFFER);
    CHECK_EQ(cs_decompress(packed, packed_nbytes / 2, out, NBYTES, 15, &out_nbytes, NULL), CS_E_BUFFER);
    CHECK_EQ(cs_decompress(data, NBYTES, out, NBYTES, 15, &out_nbytes, NULL), CS_E_DATA);
    packed[packed_nbytes / 2] ^= 0x55;
    CHECK(cs_decompress(packed, packed_nbytes, out, NBYTES, 15, &out_nbytes, NULL) < 0);
}

static void identity(void)
{
    static const int32_t levels[] = {-1, 0, 1, 6, 9};
    static const size_t sizes[] = {0, 1, 16, 256, 4096, NBYTES};
    static const int32_t all_bits[] = {15, -15, 31, 9, -9, 12};

    for (size_t n = 0; n < sizeof levels / sizeof levels[0]; n++) {
        for (size_t i = 0; i < sizeof all_bits / sizeof all_bits[0]; i++) {
            for (size_t k = sizeof sizes / sizeof sizes[0]; k-- > 0;) /* small after large: nothing is left over */
                same_as_anew(sizes[k], levels[n], all_bits[i]);
            fail_in_every_way();
        }
    }
}

/* A stream shows nothing of the one before, and says how it ended. */
static void streams(void)
{
    cs_stream stream = {0};

    for (int i = 0; i < 3; i++) {
        CHECK_EQ(cs_inflate_init(&stream, -15), CS_OK);
        CHECK_EQ(stream.checksum, 0);
        CHECK(stream.message == NULL && stream.total_in == 0 && stream.total_out == 0);
        stream.next_in = (const uint8_t *)"\x07";
        stream.avail_in = 1;
        stream.next_out = out;
        stream.avail_out = sizeof out;
        CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_E_DATA);
        CHECK(stream.message != NULL);
        CHECK_EQ(cs_inflate_end(&stream), CS_OK);
        CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
        CHECK(stream.message == NULL && stream.checksum == 1);
        CHECK_EQ(cs_inflate_end(&stream), CS_OK);
        CHECK_EQ(cs_inflate_init(&stream, 99), CS_E_STREAM);

        CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
        CHECK_EQ(cs_deflate_set_dictionary(&stream, data, 1000), CS_OK); /* which the next stream must not have */
        stream.next_in = data;
        stream.avail_in = 1000;
        stream.next_out = packed;
        stream.avail_out = sizeof packed;
        if (i > 0)
            CHECK_EQ(cs_deflate(&stream, i == 1 ? CS_FLUSH_NONE : CS_FLUSH_FINISH), i == 1 ? CS_OK : CS_STREAM_END);
        CHECK_EQ(cs_deflate_end(&stream), i == 1 ? CS_E_DATA : CS_OK);
        same_as_anew(1000, 6, 15);
    }
}

/* Whether a stream gets the state of the one before. Blocks of every size that the state may have had take the memory
 * that the first stream freed, if it freed any. */
static bool is_kept(void)
{
    void *held[HELD];
    cs_stream stream = {0};
    const void *first = NULL;
    bool same = false;

    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    first = stream.engine;
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
    for (size_t i = 0; i < HELD; i++)
        held[i] = check_alloc(16 * (1 + i / 4));
    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    same = stream.engine == first;
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
    for (size_t i = 0; i < HELD; i++)
        free(held[i]);
    return same;
}

static int32_t compress_within(void *user, uint64_t total_in, uint64_t total_out)
{
    static uint8_t inner_packed[2 * NBYTES], inner_out[NBYTES];
    cs_stream inner = {0};
    size_t inner_nbytes = 0, out_nbytes = 0;

    (void)total_in;
    (void)total_out;
    ++*(int *)user;
    CHECK_EQ(cs_compress(data, 5000, inner_packed, sizeof inner_packed, 6, 15, &inner_nbytes), CS_OK);
    CHECK_EQ(cs_decompress(inner_packed, inner_nbytes, inner_out, 5000, 15, &out_nbytes, NULL), CS_OK);
    CHECK_EQ(out_nbytes, 5000);
    CHECK(memcmp(inner_out, data, 5000) == 0);
    CHECK_EQ(cs_deflate_init(&inner, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    CHECK_EQ(cs_deflate_end(&inner), CS_OK);
    return 0;
}

/* A callback that compresses and decompresses while the stream that called it is in use. */
static void within_a_call(void)
{
    size_t expected_nbytes = compress_anew(NBYTES, 6, 15);

    for (int i = 0; i < 3; i++) {
        int calls = 0;
        cs_stream stream = {.progress = compress_within, .progress_user = &calls};
        cs_stream back = {.progress = compress_within, .progress_user = &calls};
        CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
        stream.next_in = data;
        stream.avail_in = NBYTES;
        stream.next_out = packed;
        stream.avail_out = sizeof packed;
        CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
        CHECK_EQ(stream.total_out, expected_nbytes);
        CHECK(memcmp(packed, expected, expected_nbytes) == 0);
        CHECK_EQ(cs_inflate_init(&back, 15), CS_OK);
        back.next_in = packed;
        back.avail_in = expected_nbytes;
        back.next_out = out;
        back.avail_out = NBYTES;
        CHECK_EQ(cs_inflate(&back, CS_FLUSH_FINISH), CS_STREAM_END);
        CHECK(memcmp(out, data, NBYTES) == 0);
        CHECK_EQ(cs_inflate_end(&back), CS_OK);
        CHECK_EQ(cs_deflate_end(&stream), CS_OK);
        CHECK(calls > 2);
    }
}

/* A limit on allocations holds although the thread keeps states. */
static void failing_allocations(void)
{
    size_t packed_nbytes = 0, out_nbytes = 0;

    same_as_anew(5000, 6, 15);
    for (int i = 0; i < 2; i++) {
        int64_t failures = 0;
        cs_status status = CS_E_MEMORY;
        for (; status == CS_E_MEMORY; failures++) {
            cs_codec_fail_after(failures);
            status = cs_compress(data, 5000, packed, sizeof packed, 6, 15, &packed_nbytes);
        }
        CHECK_EQ(status, CS_OK);
        CHECK(failures > 2);
        for (failures = 0, status = CS_E_MEMORY; status == CS_E_MEMORY; failures++) {
            cs_codec_fail_after(failures);
            status = cs_decompress(packed, packed_nbytes, out, 5000, 15, &out_nbytes, NULL);
        }
        CHECK_EQ(status, CS_OK);
        CHECK(failures > 2);
        cs_codec_fail_after(-1);
        same_as_anew(5000, 6, 15);
    }
}

static void run_with(const char *program, const char *value, const char *expectation)
{
    int status = 0;
    pid_t child = fork();

    CHECK(child >= 0);
    if (child == 0) {
        setenv("CSIDE_CODEC_CACHE", value, 1);
        execl(program, program, expectation, (char *)NULL);
        _exit(127);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

int main(int count, char **arguments)
{
    check_fill(data, NBYTES);
    if (count > 1) {
        CHECK_EQ(is_kept(), strcmp(arguments[1], "keeps") == 0);
        for (size_t nbytes = 0; nbytes <= NBYTES; nbytes += NBYTES / 7)
            same_as_anew(nbytes, 6, 15);
        return 0;
    }
    CHECK(is_kept());
    identity();
    streams();
    within_a_call();
    failing_allocations();
    CHECK(is_kept());
    run_with(arguments[0], "0", "keeps nothing");
    run_with(arguments[0], "1", "keeps");
    run_with(arguments[0], "100000", "keeps");
    run_with(arguments[0], "no number", "keeps"); /* as without the variable */
    run_with(arguments[0], "-1", "keeps");
    return 0;
}

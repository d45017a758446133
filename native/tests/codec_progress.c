/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a progress callback that is called too rarely, sees an inconsistent stream, uses the stream, or cannot stop the
 * call.
 */
#include "check.h"
#include "cside/codec.h"

enum { NBYTES = 1000000 };

static uint8_t *data, *packed, *out;

struct watch {
    cs_stream *stream;
    uint64_t last_in, last_out;
    int calls;
    int stop_at;
};

static int32_t watch_it(void *user, uint64_t total_in, uint64_t total_out)
{
    struct watch *watch = user;
    cs_stream copy = {0};

    CHECK(total_in - watch->last_in <= CS_PROGRESS_NBYTES);
    CHECK(total_out - watch->last_out <= CS_PROGRESS_NBYTES);
    CHECK(watch->stream->total_in == total_in && watch->stream->total_out == total_out);
    watch->last_in = total_in;
    watch->last_out = total_out;
    watch->calls++;
    /* the stream is in use, so every call with it in a callback is refused */
    CHECK_EQ(cs_deflate(watch->stream, CS_FLUSH_NONE), CS_E_STREAM);
    CHECK_EQ(cs_inflate(watch->stream, CS_FLUSH_NONE), CS_E_STREAM);
    CHECK_EQ(cs_deflate_end(watch->stream), CS_E_STREAM);
    CHECK_EQ(cs_inflate_end(watch->stream), CS_E_STREAM);
    CHECK_EQ(cs_deflate_copy(&copy, watch->stream), CS_E_STREAM);
    CHECK_EQ(cs_deflate_set_dictionary(watch->stream, data, 1), CS_E_STREAM);
    return watch->calls == watch->stop_at;
}

static void begin(cs_stream *stream, struct watch *watch)
{
    *watch = (struct watch){.stream = stream};
    *stream = (cs_stream){.progress = watch_it, .progress_user = watch};
}

static size_t watched_pack(int32_t flush, int32_t level, size_t room)
{
    cs_stream stream;
    struct watch watch;
    cs_status status = CS_OK;

    begin(&stream, &watch);
    CHECK_EQ(cs_deflate_init(&stream, level, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    stream.next_in = data;
    stream.avail_in = NBYTES;
    stream.next_out = packed;
    do {
        stream.avail_out = room;
        status = cs_deflate(&stream, flush);
    } while (status == CS_OK && stream.avail_out == 0);
    CHECK(status == CS_OK || status == CS_STREAM_END || status == CS_E_BUFFER);
    CHECK_EQ(stream.avail_in, 0);
    CHECK(watch.calls >= NBYTES / CS_PROGRESS_NBYTES);
    if (flush == CS_FLUSH_SYNC)
        CHECK(memcmp(stream.next_out - 4, "\0\0\377\377", 4) == 0 && memcmp(stream.next_out - 9, "\0\0\377\377", 4));
    if (status != CS_STREAM_END) {
        stream.avail_out = room;
        CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    }
    CHECK_EQ(watch.last_out, stream.total_out); /* the last callback saw all output */
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
    return (size_t)stream.total_out;
}

static void watched_unpack(size_t packed_nbytes)
{
    cs_stream stream;
    struct watch watch;

    begin(&stream, &watch);
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    stream.next_in = packed;
    stream.avail_in = packed_nbytes;
    stream.next_out = out;
    stream.avail_out = NBYTES + 10;
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    CHECK(stream.total_out == NBYTES && memcmp(out, data, NBYTES) == 0);
    CHECK(watch.calls >= NBYTES / CS_PROGRESS_NBYTES && watch.last_out == NBYTES);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
}

/* Stop at each callback in turn and continue. Nothing is lost. */
static void stop_and_go_on(void)
{
    cs_stream stream;
    struct watch watch;
    cs_status status = CS_E_ABORTED;
    size_t out_nbytes = 0;
    int stops = 0;

    begin(&stream, &watch);
    CHECK_EQ(cs_deflate_init(&stream, 1, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    stream.next_in = data;
    stream.avail_in = NBYTES;
    stream.next_out = packed;
    stream.avail_out = 2 * NBYTES;
    for (; status == CS_E_ABORTED; stops++) {
        watch.stop_at = stops % 2 == 0 ? watch.calls + 1 : 0;
        status = cs_deflate(&stream, CS_FLUSH_FINISH);
    }
    CHECK_EQ(status, CS_STREAM_END);
    CHECK(stops >= 2);
    CHECK_EQ(cs_decompress(packed, (size_t)stream.total_out, out, NBYTES, 15, &out_nbytes, NULL), CS_OK);
    CHECK(memcmp(out, data, NBYTES) == 0);
    watch.stop_at = watch.calls + 1;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_E_ABORTED); /* also at the callback before a successful return */
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
}

int main(void)
{
    static const int32_t flushes[] = {CS_FLUSH_NONE, CS_FLUSH_PARTIAL, CS_FLUSH_SYNC,
                                      CS_FLUSH_FULL, CS_FLUSH_FINISH,  CS_FLUSH_BLOCK};
    size_t packed_nbytes = 0, plain_nbytes = 0;

    data = check_alloc(NBYTES);
    packed = check_alloc(2 * NBYTES);
    out = check_alloc(NBYTES + 10);
    check_fill(data, NBYTES);
    for (size_t i = 0; i < sizeof flushes / sizeof flushes[0]; i++) {
        watched_unpack(watched_pack(flushes[i], 6, 2 * NBYTES));
        watched_unpack(watched_pack(flushes[i], 1, 99991));
        watched_unpack(watched_pack(flushes[i], 0, 2 * NBYTES));
    }
    packed_nbytes = watched_pack(CS_FLUSH_FINISH, 6, 2 * NBYTES);
    CHECK_EQ(cs_compress(data, NBYTES, out, NBYTES, 6, 15, &plain_nbytes), CS_OK);
    /* the output is the same as without a callback */
    CHECK(packed_nbytes == plain_nbytes && memcmp(packed, out, packed_nbytes) == 0);
    stop_and_go_on();
    free(data);
    free(packed);
    free(out);
    return 0;
}

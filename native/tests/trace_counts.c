/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a call that is counted twice, not at all or with wrong bytes, or whose errno is lost by counting.
 */
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "cside/codec.h"
#include "cside/idioms.h"
#include "cside/trace.h"

static size_t index_of(const char *name)
{
    for (size_t i = 0; i < cs_trace_count(); i++) {
        if (strcmp(cs_trace_name(i), name) == 0)
            return i;
    }
    fprintf(stderr, "%s is not traced\n", name);
    exit(1);
}

static cs_trace_record record_of(const char *name)
{
    cs_trace_record record, own;
    uint64_t sum = 0;

    CHECK_EQ(cs_trace_read(index_of(name), &record), CS_OK);
    CHECK_EQ(cs_trace_read_thread(index_of(name), &own), CS_OK);
    CHECK(own.calls <= record.calls);
    for (size_t i = 0; i < CS_TRACE_BUCKETS; i++)
        sum += record.histogram[i];
    CHECK_EQ(sum, record.calls);
    return record;
}

static uint64_t all_calls(void)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < cs_trace_count(); i++)
        sum += record_of(cs_trace_name(i)).calls;
    return sum;
}

static int64_t noop_inside(void *user, int32_t value)
{
    (void)user;
    cs_noop();
    return value;
}

static void *noop_and_end(void *argument)
{
    cs_trace_record own;
    uint64_t *own_calls = argument;

    cs_noop();
    cs_noop();
    CHECK_EQ(cs_trace_read_thread(index_of("cs_noop"), &own), CS_OK);
    *own_calls = own.calls;
    return NULL;
}

static void byte_counts(void)
{
    static const uint8_t data[1000];
    uint8_t packed[2000], out[1000];
    size_t packed_nbytes = 0, out_nbytes = 0, room = 10;
    cs_stream stream = {0};
    cs_trace_record record;
    char *text = NULL;

    cs_trace_reset();
    cs_crc32(0, data, 10);
    cs_crc32(0, data, 1000);
    CHECK_EQ(record_of("cs_crc32").calls, 2);
    CHECK_EQ(record_of("cs_crc32").in_nbytes, 1010);
    CHECK_EQ(cs_compress(data, 1000, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    CHECK_EQ(cs_compress(data, 1000, packed, 1, 6, 15, &out_nbytes), CS_E_TOO_SMALL);
    record = record_of("cs_compress");
    CHECK(record.calls == 2 && record.errors == 1 && record.in_nbytes == 2000 && record.out_nbytes == packed_nbytes);
    CHECK_EQ(record_of("cs_deflate").calls, 0); /* calls made by the library itself are not counted */

    CHECK_EQ(cs_compress(data, 1000, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    stream.next_in = packed;
    stream.avail_in = packed_nbytes;
    stream.next_out = out;
    stream.avail_out = 600;
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_OK);
    CHECK_EQ(record_of("cs_inflate").in_nbytes, stream.total_in);
    CHECK_EQ(record_of("cs_inflate").out_nbytes, 600);
    stream.avail_out = 400;
    CHECK_EQ(cs_inflate(&stream, CS_FLUSH_NONE), CS_STREAM_END);
    CHECK_EQ(record_of("cs_inflate").in_nbytes, packed_nbytes);
    CHECK_EQ(record_of("cs_inflate").out_nbytes, 1000);
    CHECK_EQ(record_of("cs_inflate").errors, 0);
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
    CHECK_EQ(cs_inflate_end(&stream), CS_E_STREAM);
    CHECK_EQ(record_of("cs_inflate_end").errors, 1);

    CHECK_EQ(cs_blob_get(10, NULL, &room), CS_OK);
    CHECK_EQ(record_of("cs_blob_get").out_nbytes, 0);
    CHECK_EQ(cs_blob_get(10, out, &room), CS_OK);
    CHECK_EQ(record_of("cs_blob_get").out_nbytes, 10);
    CHECK_EQ(cs_string_length("abc"), 3);
    CHECK_EQ(record_of("cs_string_length").in_nbytes, 3);
    CHECK_EQ(cs_string_repeat("abc", 2, &text), CS_OK);
    CHECK(record_of("cs_string_repeat").in_nbytes == 3 && record_of("cs_string_repeat").out_nbytes == 6);
    cs_string_free(text);
    CHECK_EQ(cs_varargs_sum(1, INT64_C(1)), 1);
    CHECK_EQ(record_of("cs_varargs_sum").calls, 1);
}

int main(void)
{
    cs_trace_record record;
    uint64_t own_calls = 0;
    int64_t sum = 0;
    pthread_t thread;

    CHECK(!cs_trace_enabled());
    cs_noop();
    CHECK_EQ(all_calls(), 0);
    cs_trace_enable(true);
    CHECK(cs_trace_enabled());

    for (int i = 0; i < 1000; i++)
        cs_noop();
    record = record_of("cs_noop");
    CHECK(record.calls == 1000 && record.errors == 0 && record.total_ns > 0 && record.total_ns < 1000000000u);
    CHECK_EQ(all_calls(), 1000);
    cs_status_return(CS_E_BUSY);
    cs_status_return(CS_STREAM_END);
    CHECK(record_of("cs_status_return").calls == 2 && record_of("cs_status_return").errors == 1);
    cs_spin(100000);
    CHECK(record_of("cs_spin").total_ns > 10000);
    CHECK(record_of("cs_spin").histogram[0] == 0);

    cs_trace_reset();
    CHECK_EQ(all_calls(), 0);
    CHECK_EQ(cs_each_call(5, noop_inside, NULL, &sum), CS_OK);
    CHECK(record_of("cs_each_call").calls == 1 && record_of("cs_noop").calls == 5);
    CHECK(record_of("cs_each_call").total_ns >= record_of("cs_noop").total_ns);
    CHECK_EQ(cs_thread_call(5, noop_inside, NULL, &sum), CS_OK);
    CHECK_EQ(record_of("cs_noop").calls, 10);
    CHECK(record_of("cs_each_call").calls == 1 && record_of("cs_thread_call").calls == 1);

    cs_trace_reset();
    /* counts remain after their threads have ended, and are not added again when a block is reused */
    for (int i = 0; i < 100; i++) {
        CHECK_EQ(pthread_create(&thread, NULL, noop_and_end, &own_calls), 0);
        pthread_join(thread, NULL);
        CHECK_EQ(own_calls, 2);
    }
    CHECK_EQ(record_of("cs_noop").calls, 200);
    CHECK_EQ(cs_trace_read_thread(index_of("cs_noop"), &record), CS_OK);
    CHECK_EQ(record.calls, 0);

    byte_counts();

    errno = 0;
    CHECK_EQ(cs_errno_fail(EPERM), -1);
    CHECK_EQ(errno, EPERM);
    CHECK_EQ(record_of("cs_errno_fail").errors, 0); /* not a status */

    cs_trace_enable(false);
    cs_trace_reset();
    cs_noop();
    CHECK_EQ(all_calls(), 0);
    CHECK(cs_trace_name(cs_trace_count()) == NULL);
    CHECK_EQ(cs_trace_read(cs_trace_count(), &record), CS_E_NOT_FOUND);
    CHECK_EQ(cs_trace_read_thread(SIZE_MAX, &record), CS_E_NOT_FOUND);
    return 0;
}

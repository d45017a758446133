/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a snapshot that is inconsistent because other threads count, a reset that restores old counts, a reader that
 * starves.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "check.h"
#include "cside/codec.h"
#include "cside/idioms.h"
#include "cside/trace.h"

#define THREADS 4
#define NBYTES 24

static atomic_bool stop;
static size_t crc32_index, failing_index;

/* Every crc32 takes the same bytes and every status_return fails, so an inconsistent record has wrong ratios. */
static void *call_on(void *argument)
{
    static const uint8_t data[NBYTES];
    uint64_t *calls = argument;
    uint64_t made = 0;

    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        cs_crc32(0, data, NBYTES);
        made++;
        if (made % 64 == 0)
            cs_status_return(CS_E_DATA);
    }
    *calls = made;
    return NULL;
}

static void *come_and_go(void *argument)
{
    static const uint8_t data[NBYTES];

    (void)argument;
    for (int i = 0; i < 10; i++)
        cs_crc32(0, data, NBYTES);
    return NULL;
}

static void check_record(size_t index, cs_trace_record *record)
{
    uint64_t sum = 0;

    CHECK_EQ(cs_trace_read(index, record), CS_OK);
    for (size_t i = 0; i < CS_TRACE_BUCKETS; i++)
        sum += record->histogram[i];
    CHECK_EQ(sum, record->calls);
    if (index == crc32_index)
        CHECK_EQ(record->in_nbytes, record->calls * NBYTES);
    if (index == failing_index)
        CHECK_EQ(record->errors, record->calls);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(void)
{
    pthread_t threads[THREADS], visitor;
    uint64_t made[THREADS] = {0}, sum = 0, last = 0;
    cs_trace_record record;
    double end = 0;
    int snapshots = 0, resets = 0;

    for (size_t i = 0; i < cs_trace_count(); i++) {
        if (strcmp(cs_trace_name(i), "cs_crc32") == 0)
            crc32_index = i;
        if (strcmp(cs_trace_name(i), "cs_status_return") == 0)
            failing_index = i;
    }
    cs_trace_enable(true);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, call_on, &made[i]), 0);

    for (end = seconds() + 1.0; seconds() < end; snapshots++) { /* without resets the counts only grow */
        check_record(crc32_index, &record);
        CHECK(record.calls >= last);
        last = record.calls;
        check_record(failing_index, &record);
        if (snapshots % 16 == 0) {
            CHECK_EQ(pthread_create(&visitor, NULL, come_and_go, NULL), 0);
            pthread_join(visitor, NULL);
        }
    }
    for (end = seconds() + 0.5; seconds() < end; snapshots++) {
        cs_trace_reset();
        resets++;
        check_record(crc32_index, &record);
        check_record(failing_index, &record);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    /* no thread is counting: after a reset all counts are 0, and then they are exact */
    cs_trace_reset();
    check_record(crc32_index, &record);
    CHECK_EQ(record.calls, 0);
    atomic_store(&stop, false);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, call_on, &made[i]), 0);
    for (end = seconds() + 0.2; seconds() < end;)
        check_record(crc32_index, &record);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += made[i];
    }
    check_record(crc32_index, &record);
    CHECK_EQ(record.calls, sum);
    printf("%d snapshots, %d resets, %.0f calls counted\n", snapshots, resets, (double)last);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: memory of the trace that is lost with each thread that makes a traced call while it ends, in a destructor of
 * thread-specific data; a call there that is not counted.
 */
#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <pthread.h>

#include "check.h"
#include "cside/idioms.h"
#include "cside/trace.h"

#define THREADS 2000

static pthread_key_t key;
static int iterations; /* destructors of one thread, at most PTHREAD_DESTRUCTOR_ITERATIONS */

/* Set the value again, so that the destructors of all keys are called as often as the system does that. */
static void at_end(void *value)
{
    cs_noop();
    iterations++;
    CHECK_EQ(pthread_setspecific(key, value), 0);
}

static void *call_and_end(void *argument)
{
    CHECK_EQ(pthread_setspecific(key, &key), 0);
    cs_noop();
    return argument;
}

/* Resident memory of the process in KB. */
static long resident_kb(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kb = -1;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "VmRSS: %ld", &kb) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    return kb;
}

static void run_threads(void)
{
    pthread_t thread;

    for (int i = 0; i < THREADS; i++) {
        CHECK_EQ(pthread_create(&thread, NULL, call_and_end, NULL), 0);
        pthread_join(thread, NULL);
    }
}

int main(void)
{
    cs_trace_record record;
    long before = 0, after = 0;

#ifdef __SANITIZE_THREAD__
    return CHECK_SKIPPED; /* the sanitizer forgets the thread before the last destructors, which then crash in it */
#endif
    CHECK_TEXT(cs_trace_name(0), "cs_noop");
    cs_trace_enable(true);
    CHECK_EQ(pthread_key_create(&key, at_end), 0); /* after the trace's own key, and so called after it */
    run_threads();
    CHECK_EQ(cs_trace_read(0, &record), CS_OK);
    CHECK(iterations >= 2 * THREADS);
    CHECK_EQ(record.calls, THREADS + iterations);
    CHECK(record.total_ns > 0);
#ifdef __SANITIZE_ADDRESS__
    return 0; /* the sanitizer keeps memory that was freed */
#endif
    before = resident_kb();
    if (before < 0)
        return CHECK_SKIPPED; /* no /proc */
    run_threads();
    after = resident_kb();
    printf("%ld KB after %d threads, %ld KB after %d more\n", before, THREADS, after, THREADS);
    CHECK(after - before < 1000); /* half a KB for a thread */
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a child of fork() that waits for ever for threads that exist only in its parent.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cside/idioms.h"
#include "cside/trace.h"

static atomic_bool stop;

static void *call_on(void *argument)
{
    (void)argument;
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        cs_noop();
    return NULL;
}

static void *reset_on(void *argument)
{
    (void)argument;
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        cs_trace_reset();
    return NULL;
}

static int in_child(void)
{
    cs_trace_record before, after;

    alarm(20);
    if (cs_trace_read(0, &before) != CS_OK)
        return 1;
    cs_noop();
    if (cs_trace_read(0, &after) != CS_OK || after.calls != before.calls + 1)
        return 2;
    cs_trace_reset();
    if (cs_trace_read(0, &after) != CS_OK || after.calls != 0)
        return 3;
    return 0;
}

int main(void)
{
    pthread_t threads[3];
    int status = 0;

    CHECK_TEXT(cs_trace_name(0), "cs_noop");
    cs_trace_enable(true);
    CHECK_EQ(pthread_create(&threads[0], NULL, call_on, NULL), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, call_on, NULL), 0);
    CHECK_EQ(pthread_create(&threads[2], NULL, reset_on, NULL), 0);
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0)
            _exit(in_child());
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

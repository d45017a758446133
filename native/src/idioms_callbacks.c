/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_callbacks.c - calls through function pointers: those of the library's table, and callbacks of the caller.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "cside/idioms.h"
#include "trace_scope.h"

static int32_t table_add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static int32_t table_multiply(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

CS_TRACED_VALUE(const cs_ops *, ops_get, (void), (), 0, 0)
{
    static const cs_ops table = {1, table_add, table_multiply};

    return &table;
}

CS_TRACED_STATUS(each_call, (uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum), (times, fn, user, out_sum),
                 0, 0)
{
    uint64_t sum = 0;

    if (fn == NULL || times > INT32_MAX)
        return CS_E_ARGUMENT;
    for (uint32_t i = 0; i < times; i++) {
        int64_t value = fn(user, (int32_t)i);
        if (value == CS_EACH_STOP)
            return CS_E_ABORTED;
        sum += (uint64_t)value;
    }
    *out_sum = (int64_t)sum;
    return CS_OK;
}

struct thread_job {
    uint32_t times;
    cs_each_fn fn;
    void *user;
    int64_t *out_sum;
    cs_status status;
};

static void *thread_main(void *argument)
{
    struct thread_job *job = argument;

    job->status = each_call_body(job->times, job->fn, job->user, job->out_sum);
    return NULL;
}

CS_TRACED_STATUS(thread_call, (uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum), (times, fn, user, out_sum),
                 0, 0)
{
    struct thread_job job = {times, fn, user, out_sum, CS_OK};
    pthread_t thread;

    if (fn == NULL || times > INT32_MAX)
        return CS_E_ARGUMENT;
    if (pthread_create(&thread, NULL, thread_main, &job) != 0)
        return CS_E_THREAD;
    pthread_join(thread, NULL);
    return job.status;
}

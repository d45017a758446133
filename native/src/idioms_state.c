/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_state.c - opaque handle, function-pointer table, callbacks, errno, global and thread-local state.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>

#include "cside/idioms.h"
#include "spin_lock.h"
#include "trace_scope.h"

/* ---- opaque handle --------------------------------------------------------------------------------
 *
 * A handle is the number of a slot (from 1, low 32 bits) and how often that slot was opened (high 32 bits). A slot is
 * never freed, so that a stale handle finds a slot of another generation rather than other memory. */

#define COUNTER_SLOTS 65536u

struct slot {
    cs_spin_lock lock;
    bool open;
    uint32_t generation;
    uint32_t busy;      /* calls of cs_counter_each() that are running */
    uint32_t next_free; /* number of the next free slot, 0 for none; under free_lock */
    int64_t total;
};

static struct slot slots[COUNTER_SLOTS];
static cs_spin_lock free_lock;
static uint32_t first_free;
static uint32_t slots_used; /* slots up to this number were opened at least once */

/* Lock and return the slot of an open counter; NULL, and nothing locked, if it is not open. */
static struct slot *slot_take(cs_counter counter)
{
    uint32_t number = (uint32_t)counter;
    struct slot *slot = NULL;

    if (number == 0 || number > COUNTER_SLOTS)
        return NULL;
    slot = &slots[number - 1];
    cs_spin_lock_take(&slot->lock);
    if (slot->open && slot->generation == (uint32_t)(counter >> 32))
        return slot;
    cs_spin_lock_give(&slot->lock);
    return NULL;
}

CS_TRACED_STATUS(counter_open, (int64_t start, cs_counter *out_counter), (start, out_counter), 0, 0)
{
    struct slot *slot = NULL;
    uint32_t number = 0;

    cs_spin_lock_take(&free_lock);
    if (first_free != 0) {
        number = first_free;
        first_free = slots[number - 1].next_free;
    } else if (slots_used < COUNTER_SLOTS) {
        number = ++slots_used;
    }
    cs_spin_lock_give(&free_lock);
    if (number == 0)
        return CS_E_MEMORY;

    slot = &slots[number - 1];
    cs_spin_lock_take(&slot->lock);
    slot->open = true;
    slot->generation++;
    slot->total = start;
    *out_counter = (cs_counter)slot->generation << 32 | number;
    cs_spin_lock_give(&slot->lock);
    return CS_OK;
}

CS_TRACED_STATUS(counter_add, (cs_counter counter, int64_t n, int64_t *out_total), (counter, n, out_total), 0, 0)
{
    struct slot *slot = slot_take(counter);
    int64_t total = 0;

    if (slot == NULL)
        return CS_E_CLOSED;
    total = (int64_t)((uint64_t)slot->total + (uint64_t)n);
    slot->total = total;
    cs_spin_lock_give(&slot->lock);
    *out_total = total;
    return CS_OK;
}

CS_TRACED_STATUS(counter_close, (cs_counter counter), (counter), 0, 0)
{
    struct slot *slot = slot_take(counter);
    bool busy = false;

    if (slot == NULL)
        return CS_E_CLOSED;
    busy = slot->busy > 0;
    if (!busy)
        slot->open = false;
    cs_spin_lock_give(&slot->lock);
    if (busy)
        return CS_E_BUSY;

    cs_spin_lock_take(&free_lock);
    slot->next_free = first_free;
    first_free = (uint32_t)counter;
    cs_spin_lock_give(&free_lock);
    return CS_OK;
}

/* ---- function-pointer table ---------------------------------------------------------------------- */

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

/* ---- callbacks ----------------------------------------------------------------------------------- */

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

/* The counter's total; the counter is busy, so it is open. */
static int64_t slot_total(struct slot *slot)
{
    int64_t total = 0;

    cs_spin_lock_take(&slot->lock);
    total = slot->total;
    cs_spin_lock_give(&slot->lock);
    return total;
}

CS_TRACED_STATUS(counter_each, (cs_counter counter, uint32_t times, cs_each_fn fn, void *user, int64_t *out_sum),
                 (counter, times, fn, user, out_sum), 0, 0)
{
    struct slot *slot = NULL;
    cs_status status = CS_OK;
    uint64_t sum = 0;

    if (fn == NULL || times > INT32_MAX)
        return CS_E_ARGUMENT;
    slot = slot_take(counter);
    if (slot == NULL)
        return CS_E_CLOSED;
    slot->busy++;
    cs_spin_lock_give(&slot->lock);

    for (uint32_t i = 0; i < times; i++) {
        int64_t value = fn(user, (int32_t)(slot_total(slot) & INT32_MAX));
        if (value == CS_EACH_STOP) {
            status = CS_E_ABORTED;
            break;
        }
        sum += (uint64_t)value;
    }

    cs_spin_lock_take(&slot->lock);
    slot->busy--;
    cs_spin_lock_give(&slot->lock);
    if (status == CS_OK)
        *out_sum = (int64_t)sum;
    return status;
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

/* ---- errors -------------------------------------------------------------------------------------- */

CS_TRACED_STATUS(status_return, (cs_status status), (status), 0, 0)
{
    return status;
}

CS_TRACED_VALUE(int32_t, errno_fail, (int32_t error), (error), 0, 0)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* ---- global and thread-local state --------------------------------------------------------------- */

static cs_spin_lock generator_lock;
static bool generator_runs;
static int64_t generator_next;

CS_TRACED_STATUS(state_init, (int64_t seed), (seed), 0, 0)
{
    cs_status status = CS_E_STATE;

    cs_spin_lock_take(&generator_lock);
    if (!generator_runs) {
        generator_runs = true;
        generator_next = seed;
        status = CS_OK;
    }
    cs_spin_lock_give(&generator_lock);
    return status;
}

CS_TRACED_STATUS(state_next, (int64_t *out_value), (out_value), 0, 0)
{
    cs_status status = CS_E_STATE;

    cs_spin_lock_take(&generator_lock);
    if (generator_runs) {
        *out_value = generator_next;
        generator_next = (int64_t)((uint64_t)generator_next + 1u);
        status = CS_OK;
    }
    cs_spin_lock_give(&generator_lock);
    return status;
}

CS_TRACED_STATUS(state_fini, (void), (), 0, 0)
{
    cs_status status = CS_E_STATE;

    cs_spin_lock_take(&generator_lock);
    if (generator_runs) {
        generator_runs = false;
        status = CS_OK;
    }
    cs_spin_lock_give(&generator_lock);
    return status;
}

static _Thread_local int64_t thread_value;

CS_TRACED_VOID(tls_set, (int64_t value), (value), 0, 0)
{
    thread_value = value;
}

CS_TRACED_VALUE(int64_t, tls_get, (void), (), 0, 0)
{
    return thread_value;
}

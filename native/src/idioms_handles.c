/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_handles.c - the counter: an opaque handle that detects its use after close.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "cside/idioms.h"
#include "spin_lock.h"
#include "trace_scope.h"

/* A handle is the number of a slot (from 1, in the low 32 bits) and how often that slot was opened (in the high 32
 * bits). A slot is never freed, so a stale handle finds a slot of another generation, never other memory. */

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

/* A call of cs_counter_each() of the calling thread, which is on the thread's stack. */
struct running {
    struct slot *slot;
    struct running *outer; /* the call from whose callback this one was called */
};

static _Thread_local struct running *innermost;

#if defined(__GNUC__)
/* ---- fork ---- */

/* The parent holds `free_lock` while it forks, so that the list of free slots is whole in the child. A lock of a slot
 * that another thread held is released in the child: the thread changes single words of an open counter under it, or
 * opens or closes a counter whose handle nobody in the child uses. The slot of a counter that it was closing may be
 * lost to the child. */
static void before_fork(void)
{
    cs_spin_lock_take(&free_lock);
}

static void after_fork_in_parent(void)
{
    cs_spin_lock_give(&free_lock);
}

/* Only the calls of the thread that called fork() exist in the child. Pages are written only where they change. */
static void after_fork_in_child(void)
{
    for (uint32_t i = 0; i < slots_used; i++) {
        if (atomic_load_explicit(&slots[i].lock.held, memory_order_relaxed))
            cs_spin_lock_give(&slots[i].lock);
        if (slots[i].busy > 0)
            slots[i].busy = 0;
    }
    for (const struct running *call = innermost; call != NULL; call = call->outer)
        call->slot->busy++;
    cs_spin_lock_give(&free_lock);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
#endif

/* ---- counters ---- */

/* Lock and return the slot of an open counter. NULL if it is not open; then nothing is locked. */
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

/* The counter's total. The caller has marked the counter busy, so it cannot be closed meanwhile. */
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
    struct running call = {NULL, innermost};
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
    call.slot = slot;
    innermost = &call;

    for (uint32_t i = 0; i < times; i++) {
        int64_t value = fn(user, (int32_t)(slot_total(slot) & INT32_MAX));
        if (value == CS_EACH_STOP) {
            status = CS_E_ABORTED;
            break;
        }
        sum += (uint64_t)value;
    }

    innermost = call.outer;
    cs_spin_lock_take(&slot->lock);
    slot->busy--;
    cs_spin_lock_give(&slot->lock);
    if (status == CS_OK)
        *out_sum = (int64_t)sum;
    return status;
}

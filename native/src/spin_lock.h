/* SPDX-License-Identifier: Apache-2.0
 *
 * spin_lock.h - a lock of one byte, for sections of a few instructions without calls. A zeroed lock is free.
 */
#ifndef CSIDE_SPIN_LOCK_H
#define CSIDE_SPIN_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct cs_spin_lock {
    atomic_bool held;
} cs_spin_lock;

#if defined(__GNUC__)
__attribute__((cold, noinline, unused))
#endif
static void cs_spin_lock_wait(cs_spin_lock *lock)
{
    unsigned tries = 0;

    do {
        /* The holder may have been preempted. After a short wait, yield the processor to it. */
        while (atomic_load_explicit(&lock->held, memory_order_relaxed)) {
            if (++tries % 64 == 0)
                sched_yield();
        }
    } while (atomic_exchange_explicit(&lock->held, true, memory_order_acquire));
}

static inline void cs_spin_lock_take(cs_spin_lock *lock)
{
    if (atomic_exchange_explicit(&lock->held, true, memory_order_acquire))
        cs_spin_lock_wait(lock);
}

static inline void cs_spin_lock_give(cs_spin_lock *lock)
{
    atomic_store_explicit(&lock->held, false, memory_order_release);
}

#endif

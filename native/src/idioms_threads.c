/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_threads.c - a long computation, state of the process, state of a thread.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "cside/idioms.h"
#include "spin_lock.h"
#include "trace_scope.h"

/* xorshift64 of G. Marsaglia, "Xorshift RNGs" (2003), with the shifts and the seed of its example. */
CS_TRACED_VALUE(uint64_t, spin, (uint64_t iterations), (iterations), 0, 0)
{
    uint64_t state = 88172645463325252u;

    while (iterations-- > 0) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state;
}

static cs_spin_lock generator_lock;
static bool generator_runs;
static int64_t generator_next;

#if defined(__GNUC__)
/* The thread that forks holds the lock meanwhile, so that the child finds the generator whole and the lock released. */
static void before_fork(void)
{
    cs_spin_lock_take(&generator_lock);
}

static void after_fork(void)
{
    cs_spin_lock_give(&generator_lock);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}
#endif

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

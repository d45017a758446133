/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a child of fork() that waits for ever for a lock of a counter or of the generator, which a thread held that
 * exists only in its parent; a counter that stays busy in the child with a call of such a thread.
 */
#define _DEFAULT_SOURCE /* usleep */

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cside/idioms.h"

#define THREADS 3
#define FORKS 300

static atomic_bool stop;
static cs_counter shared;
static cs_counter busy; /* one thread is always in a callback of this counter */
static atomic_bool is_busy;

static void *open_and_close(void *argument)
{
    cs_counter counter = 0;
    int64_t value = 0;

    (void)argument;
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        CHECK_EQ(cs_counter_open(1, &counter), CS_OK);
        CHECK_EQ(cs_counter_add(shared, 1, &value), CS_OK);
        CHECK_EQ(cs_state_next(&value), CS_OK);
        CHECK_EQ(cs_counter_close(counter), CS_OK);
    }
    return NULL;
}

static int64_t wait_for_stop(void *user, int32_t value)
{
    (void)user;
    (void)value;
    atomic_store(&is_busy, true);
    while (!atomic_load(&stop))
        usleep(1000);
    return 0;
}

static void *stay_in_callback(void *argument)
{
    int64_t sum = 0;

    (void)argument;
    CHECK_EQ(cs_counter_each(busy, 1, wait_for_stop, NULL, &sum), CS_OK);
    return NULL;
}

/* Every function that takes a lock, in a child. The number tells which one failed. */
static int use_all(void)
{
    cs_counter counters[2];
    int64_t value = 0, next = 0;

    alarm(20);
    for (int i = 0; i < 2; i++) {
        if (cs_counter_open(5, &counters[i]) != CS_OK || cs_counter_add(counters[i], 2, &value) != CS_OK || value != 7)
            return 1;
    }
    if (counters[0] == counters[1] || cs_counter_close(counters[0]) != CS_OK || cs_counter_close(counters[1]) != CS_OK)
        return 2;
    if (cs_counter_add(shared, 1, &value) != CS_OK || cs_counter_add(shared, 1, &next) != CS_OK || next != value + 1)
        return 3;
    if (cs_state_next(&value) != CS_OK || cs_state_next(&next) != CS_OK || next != value + 1)
        return 4;
    if (cs_counter_close(busy) != CS_OK) /* the call that kept it busy does not exist here */
        return 5;
    return cs_state_fini() == CS_OK && cs_counter_close(shared) == CS_OK ? 0 : 6;
}

static void check_child(pid_t child)
{
    int status = 0;

    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

static cs_counter own;

/* In the child the calls that led to the fork go on: the counter is busy until they have returned. */
static int64_t fork_inside(void *user, int32_t value)
{
    pid_t *child = user;
    int64_t sum = 0;

    if (value < 1) {
        value++;
        CHECK_EQ(cs_counter_add(own, 1, &sum), CS_OK);
        CHECK_EQ(cs_counter_each(own, 1, fork_inside, user, &sum), CS_OK);
    } else {
        *child = fork();
        CHECK(*child >= 0);
    }
    CHECK_EQ(cs_counter_close(own), CS_E_BUSY);
    return 0;
}

static void fork_in_callbacks(void)
{
    pid_t child = 0;
    int64_t sum = 0;

    CHECK_EQ(cs_counter_open(0, &own), CS_OK);
    CHECK_EQ(cs_counter_each(own, 1, fork_inside, &child, &sum), CS_OK);
    if (child == 0)
        _exit(cs_counter_close(own) == CS_OK ? 0 : 7);
    check_child(child);
    CHECK_EQ(cs_counter_close(own), CS_OK);
}

int main(void)
{
    pthread_t threads[THREADS + 1];

    CHECK_EQ(cs_state_init(1), CS_OK);
    CHECK_EQ(cs_counter_open(0, &shared), CS_OK);
    CHECK_EQ(cs_counter_open(0, &busy), CS_OK);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, open_and_close, NULL), 0);
    CHECK_EQ(pthread_create(&threads[THREADS], NULL, stay_in_callback, NULL), 0);
    while (!atomic_load(&is_busy))
        usleep(1000);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0)
            _exit(use_all());
        check_child(child);
    }
    fork_in_callbacks();
    atomic_store(&stop, true);
    for (int i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(cs_counter_close(busy), CS_OK);
    return 0;
}

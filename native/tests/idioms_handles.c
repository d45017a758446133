/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a handle that still works after close, or that reaches another counter; updates of two threads of which one is
 * lost; a callback that closes the counter that it is called from.
 */
#include <pthread.h>

#include "check.h"
#include "cside/idioms.h"

#define MOST 65536
#define ROUNDS 100000

static cs_counter shared;

static void *add_many(void *argument)
{
    int64_t total = 0;

    (void)argument;
    for (int i = 0; i < ROUNDS; i++)
        CHECK_EQ(cs_counter_add(shared, 1, &total), CS_OK);
    return NULL;
}

/* One thread opens and closes counters, another uses stale handles, by which it must never reach an open counter. */
static _Atomic uint64_t stale;

static void *use_stale(void *argument)
{
    int64_t total = 0;

    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        cs_status status = cs_counter_add((cs_counter)stale, 1000, &total);
        CHECK(status == CS_E_CLOSED);
    }
    return NULL;
}

static void *open_and_close(void *argument)
{
    int64_t total = 0;
    cs_counter counter = 0;

    (void)argument;
    for (int i = 0; i < ROUNDS / 10; i++) {
        CHECK_EQ(cs_counter_open(7, &counter), CS_OK);
        CHECK_EQ(cs_counter_add(counter, 1, &total), CS_OK);
        CHECK_EQ(total, 8);
        CHECK_EQ(cs_counter_close(counter), CS_OK);
        stale = counter;
    }
    return NULL;
}

static void in_two_threads(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t threads[2];

    CHECK_EQ(pthread_create(&threads[0], NULL, first, NULL), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, second, NULL), 0);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

struct visit {
    int calls;
    int stop_at;
    cs_counter counter;
};

static int64_t count(void *user, int32_t value)
{
    struct visit *visit = user;

    if (visit->calls == visit->stop_at)
        return CS_EACH_STOP;
    visit->calls++;
    return value;
}

static int64_t close_it(void *user, int32_t value)
{
    struct visit *visit = user;
    int64_t total = 0;

    CHECK_EQ(value, 9 + visit->calls);
    visit->calls++;
    CHECK_EQ(cs_counter_close(visit->counter), CS_E_BUSY);
    CHECK_EQ(cs_counter_add(visit->counter, 1, &total), CS_OK); /* the next call is given the new total */
    return 1;
}

static int64_t each_again(void *user, int32_t value)
{
    struct visit *visit = user;
    int64_t sum = 0;

    (void)value;
    CHECK_EQ(cs_counter_each(visit->counter, 2, count, visit, &sum), CS_OK);
    CHECK_EQ(cs_counter_close(visit->counter), CS_E_BUSY);
    return sum;
}

static void callbacks(void)
{
    struct visit visit = {.stop_at = -1};
    int64_t sum = 0;

    CHECK_EQ(cs_counter_open(9, &visit.counter), CS_OK);
    CHECK_EQ(cs_counter_each(visit.counter, 3, close_it, &visit, &sum), CS_OK);
    CHECK(sum == 3 && visit.calls == 3);
    visit.stop_at = -1;
    CHECK_EQ(cs_counter_each(visit.counter, 2, each_again, &visit, &sum), CS_OK);
    CHECK_EQ(sum, 4 * 12);
    visit.stop_at = visit.calls;
    CHECK_EQ(cs_counter_each(visit.counter, 3, count, &visit, &sum), CS_E_ABORTED);
    CHECK_EQ(cs_counter_each(visit.counter, 3, NULL, &visit, &sum), CS_E_ARGUMENT);
    CHECK_EQ(cs_counter_close(visit.counter), CS_OK); /* the counter is not busy any more, however the call ended */
    CHECK_EQ(cs_counter_each(visit.counter, 3, count, &visit, &sum), CS_E_CLOSED);

    visit.stop_at = -1;
    CHECK_EQ(cs_counter_open(-1, &visit.counter), CS_OK); /* modulo 2^31 */
    CHECK_EQ(cs_counter_each(visit.counter, 1, count, &visit, &sum), CS_OK);
    CHECK_EQ(sum, INT32_MAX);
    CHECK_EQ(cs_counter_close(visit.counter), CS_OK);
}

int main(void)
{
    cs_counter *all = check_alloc(MOST * sizeof *all);
    cs_counter first = 0, second = 0, none = 123;
    int64_t total = 55;

    CHECK_EQ(cs_counter_open(INT64_MAX, &first), CS_OK);
    CHECK(first != 0);
    CHECK_EQ(cs_counter_add(first, 1, &total), CS_OK);
    CHECK(total == INT64_MIN);
    CHECK_EQ(cs_counter_close(first), CS_OK);
    total = 55;
    CHECK_EQ(cs_counter_add(first, 1, &total), CS_E_CLOSED);
    CHECK_EQ(total, 55);
    CHECK_EQ(cs_counter_close(first), CS_E_CLOSED);
    CHECK_EQ(cs_counter_open(1, &second), CS_OK);
    CHECK(second != first); /* although it uses the same slot */
    CHECK_EQ(cs_counter_close(first), CS_E_CLOSED);
    CHECK_EQ(cs_counter_add(0, 1, &total), CS_E_CLOSED);
    CHECK_EQ(cs_counter_add(UINT64_MAX, 1, &total), CS_E_CLOSED);
    CHECK_EQ(cs_counter_add(second + 1, 1, &total), CS_E_CLOSED);
    CHECK_EQ(cs_counter_close(second), CS_OK);

    for (int i = 0; i < MOST; i++)
        CHECK_EQ(cs_counter_open(i, &all[i]), CS_OK);
    CHECK_EQ(cs_counter_open(0, &none), CS_E_MEMORY);
    CHECK_EQ(none, 123);
    for (int i = 0; i < MOST; i++) {
        CHECK_EQ(cs_counter_add(all[i], 0, &total), CS_OK);
        CHECK_EQ(total, i);
        CHECK_EQ(cs_counter_close(all[i]), CS_OK);
    }

    CHECK_EQ(cs_counter_open(0, &shared), CS_OK);
    in_two_threads(add_many, add_many);
    CHECK_EQ(cs_counter_add(shared, 0, &total), CS_OK);
    CHECK_EQ(total, 2 * ROUNDS);
    CHECK_EQ(cs_counter_close(shared), CS_OK);
    in_two_threads(use_stale, open_and_close);
    callbacks();
    free(all);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a callback that stops, re-enters, or closes what it is called from.
 */
#include "check.h"
#include "cside/idioms.h"

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

static int64_t most(void *user, int32_t value)
{
    (void)user;
    (void)value;
    return INT32_MAX;
}

static int64_t close_it(void *user, int32_t value)
{
    struct visit *visit = user;
    int64_t total = 0;

    CHECK_EQ(value, 9 + visit->calls);
    visit->calls++;
    CHECK_EQ(cs_counter_close(visit->counter), CS_E_BUSY);
    CHECK_EQ(cs_counter_add(visit->counter, 1, &total), CS_OK); /* seen by the next call */
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

int main(void)
{
    struct visit visit = {.stop_at = -1};
    int64_t sum = 77;

    CHECK_EQ(cs_each_call(0, count, &visit, &sum), CS_OK);
    CHECK(sum == 0 && visit.calls == 0);
    CHECK_EQ(cs_each_call(10, count, &visit, &sum), CS_OK);
    CHECK(sum == 45 && visit.calls == 10);
    visit = (struct visit){.stop_at = 3};
    CHECK_EQ(cs_each_call(10, count, &visit, &sum), CS_E_ABORTED);
    CHECK(sum == 45 && visit.calls == 3);
    CHECK_EQ(cs_each_call(1, NULL, NULL, &sum), CS_E_ARGUMENT);
    CHECK_EQ(cs_each_call((uint32_t)INT32_MAX + 1, count, &visit, &sum), CS_E_ARGUMENT);
    CHECK_EQ(cs_each_call(1000000, most, NULL, &sum), CS_OK);
    CHECK_EQ(sum, INT64_C(1000000) * INT32_MAX);

    visit = (struct visit){.stop_at = -1};
    CHECK_EQ(cs_counter_open(9, &visit.counter), CS_OK);
    CHECK_EQ(cs_counter_each(visit.counter, 3, close_it, &visit, &sum), CS_OK);
    CHECK(sum == 3 && visit.calls == 3);
    visit.stop_at = -1;
    CHECK_EQ(cs_counter_each(visit.counter, 2, each_again, &visit, &sum), CS_OK);
    CHECK_EQ(sum, 4 * 12);
    visit.stop_at = visit.calls;
    CHECK_EQ(cs_counter_each(visit.counter, 3, count, &visit, &sum), CS_E_ABORTED);
    CHECK_EQ(cs_counter_each(visit.counter, 3, NULL, &visit, &sum), CS_E_ARGUMENT);
    CHECK_EQ(cs_counter_close(visit.counter), CS_OK); /* busy no longer, whichever way it ended */
    CHECK_EQ(cs_counter_each(visit.counter, 3, count, &visit, &sum), CS_E_CLOSED);

    visit.stop_at = -1;
    CHECK_EQ(cs_counter_open(-1, &visit.counter), CS_OK); /* modulo 2^31 */
    CHECK_EQ(cs_counter_each(visit.counter, 1, count, &visit, &sum), CS_OK);
    CHECK_EQ(sum, INT32_MAX);
    CHECK_EQ(cs_counter_close(visit.counter), CS_OK);
    return 0;
}

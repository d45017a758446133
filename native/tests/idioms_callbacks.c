/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a callback that is called too often or on the wrong thread, or whose request to stop is lost.
 */
#include <pthread.h>

#include "check.h"
#include "cside/idioms.h"

struct visit {
    int calls;
    int stop_at;
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

static pthread_t main_thread;

static int64_t from_elsewhere(void *user, int32_t value)
{
    int *stop_at = user;

    CHECK(!pthread_equal(pthread_self(), main_thread));
    return value == *stop_at ? CS_EACH_STOP : 2;
}

int main(void)
{
    struct visit visit = {.stop_at = -1};
    int stop_at = -1;
    int64_t sum = 77;
    const cs_ops *ops = cs_ops_get();

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

    main_thread = pthread_self();
    CHECK_EQ(cs_thread_call(3, from_elsewhere, &stop_at, &sum), CS_OK);
    CHECK_EQ(sum, 6);
    stop_at = 1;
    CHECK_EQ(cs_thread_call(3, from_elsewhere, &stop_at, &sum), CS_E_ABORTED);
    CHECK_EQ(sum, 6);
    CHECK_EQ(cs_thread_call(3, NULL, NULL, &sum), CS_E_ARGUMENT);
    CHECK_EQ(cs_thread_call(UINT32_MAX, from_elsewhere, &stop_at, &sum), CS_E_ARGUMENT);

    CHECK(ops == cs_ops_get() && ops->version >= 1);
    CHECK_EQ(ops->add(INT32_MAX, 1), INT32_MIN);
    CHECK_EQ(ops->multiply(65536, 65536), 0);
    CHECK_EQ(ops->multiply(INT32_MIN, -1), INT32_MIN);
    return 0;
}

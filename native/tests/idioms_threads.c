/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a thread that sees another thread's number; a number of the process-wide generator that two threads get.
 */
#include <pthread.h>

#include "check.h"
#include "cside/idioms.h"

static int64_t in_new_thread(void *user, int32_t value)
{
    (void)user;
    CHECK_EQ(cs_tls_get(), value == 0 ? 0 : value + 99);
    cs_tls_set(value + 100);
    return 0;
}

static _Atomic int64_t sum_of_all;

static void *take_numbers(void *argument)
{
    int64_t value = 0, sum = 0;

    (void)argument;
    for (int i = 0; i < 1000; i++) {
        CHECK_EQ(cs_state_next(&value), CS_OK);
        sum += value;
    }
    sum_of_all += sum;
    return NULL;
}

int main(void)
{
    int64_t sum = 5, value = 44;
    pthread_t threads[4];

    cs_tls_set(-5);
    CHECK_EQ(cs_thread_call(3, in_new_thread, NULL, &sum), CS_OK);
    CHECK_EQ(cs_tls_get(), -5);

    CHECK_EQ(cs_state_next(&value), CS_E_STATE);
    CHECK_EQ(cs_state_fini(), CS_E_STATE);
    CHECK_EQ(value, 44);
    CHECK_EQ(cs_state_init(INT64_MAX), CS_OK);
    CHECK_EQ(cs_state_init(1), CS_E_STATE);
    CHECK_EQ(cs_state_next(&value), CS_OK);
    CHECK(value == INT64_MAX);
    CHECK_EQ(cs_state_next(&value), CS_OK);
    CHECK(value == INT64_MIN);
    CHECK_EQ(cs_state_fini(), CS_OK);
    CHECK_EQ(cs_state_init(0), CS_OK);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, take_numbers, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(sum_of_all, 3999 * 4000 / 2); /* each number went to one thread */
    CHECK_EQ(cs_state_fini(), CS_OK);

    CHECK(cs_spin(0) == UINT64_C(88172645463325252));
    CHECK(cs_spin(1) == UINT64_C(8748534153485358512)); /* the first output of Marsaglia's example */
    CHECK(cs_spin(2) != cs_spin(1));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a callback on the wrong thread; state of a thread or of the process that leaks into another.
 */
#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "cside/idioms.h"

static pthread_t main_thread;

static int64_t from_elsewhere(void *user, int32_t value)
{
    int *stop_at = user;

    CHECK(!pthread_equal(pthread_self(), main_thread));
    if (value == 0)
        CHECK_EQ(cs_tls_get(), 0); /* a new thread */
    cs_tls_set(value + 100);
    return value == *stop_at ? CS_EACH_STOP : 2;
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
    int stop_at = -1;
    int64_t sum = 5, value = 44;
    pthread_t threads[4];

    main_thread = pthread_self();
    cs_tls_set(-5);
    CHECK_EQ(cs_thread_call(3, from_elsewhere, &stop_at, &sum), CS_OK);
    CHECK_EQ(sum, 6);
    CHECK_EQ(cs_tls_get(), -5);
    stop_at = 1;
    CHECK_EQ(cs_thread_call(3, from_elsewhere, &stop_at, &sum), CS_E_ABORTED);
    CHECK_EQ(sum, 6);
    CHECK_EQ(cs_thread_call(3, NULL, NULL, &sum), CS_E_ARGUMENT);
    CHECK_EQ(cs_thread_call(UINT32_MAX, from_elsewhere, &stop_at, &sum), CS_E_ARGUMENT);

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

    errno = 7;
    CHECK_EQ(cs_errno_fail(0), 0);
    CHECK_EQ(errno, 7);
    CHECK_EQ(cs_errno_fail(ENOENT), -1);
    CHECK_EQ(errno, ENOENT);
    CHECK_EQ(cs_status_return(CS_E_BUSY), CS_E_BUSY);
    return 0;
}

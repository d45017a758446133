/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a child of fork() that uses or frees a state of zlib which another thread of its parent was using.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cside/codec.h"

#if defined(__SANITIZE_THREAD__)
#define THREADS_IN_CHILD 0 /* which the sanitizer does not support */
#else
#define THREADS_IN_CHILD 5
#endif
#if defined(__SANITIZE_ADDRESS__)
#define END_CHILD _exit /* what the parent's threads were using is lost to a child, which would be reported as leaks */
#else
#define END_CHILD exit /* with the library's destructors */
#endif

enum { NBYTES = 20000, THREADS = 3, FORKS = 30 };

static uint8_t data[NBYTES];
static atomic_bool stop;

static void round_trip(size_t nbytes)
{
    uint8_t packed[2 * NBYTES], out[NBYTES];
    size_t packed_nbytes = 0, out_nbytes = 0;

    CHECK_EQ(cs_compress(data, nbytes, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, out, nbytes, 15, &out_nbytes, NULL), CS_OK);
    CHECK_EQ(out_nbytes, nbytes);
    CHECK(memcmp(out, data, nbytes) == 0);
}

static void *work(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        round_trip(NBYTES);
    return NULL;
}

static void *work_once(void *unused)
{
    (void)unused;
    round_trip(NBYTES);
    return NULL;
}

static int32_t fork_within(void *user, uint64_t total_in, uint64_t total_out)
{
    pid_t *child = user;

    (void)total_in;
    (void)total_out;
    if (*child == -1)
        *child = fork();
    return 0;
}

/* fork() while a stream of this thread is in use: parent and child both finish it. */
static void fork_in_a_call(void)
{
    uint8_t packed[2 * NBYTES];
    pid_t child = -1;
    int status = 0;
    cs_stream stream = {.progress = fork_within, .progress_user = &child};

    round_trip(NBYTES);
    CHECK_EQ(cs_deflate_init(&stream, 6, CS_METHOD_DEFLATED, 15, 8, 0), CS_OK);
    stream.next_in = data;
    stream.avail_in = NBYTES;
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    CHECK_EQ(cs_deflate(&stream, CS_FLUSH_FINISH), CS_STREAM_END);
    CHECK_EQ(cs_deflate_end(&stream), CS_OK);
    round_trip(NBYTES);
    CHECK(child >= 0);
    if (child == 0)
        END_CHILD(0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

int main(void)
{
    pthread_t threads[THREADS], thread;
    int status = 0;

    check_fill(data, NBYTES);
    fork_in_a_call();
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, work, NULL), 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60);
            round_trip(NBYTES);
            for (int k = 0; k < THREADS_IN_CHILD; k++) { /* threads of the child take the places of the parent's */
                CHECK_EQ(pthread_create(&thread, NULL, work_once, NULL), 0);
                CHECK_EQ(pthread_join(thread, NULL), 0);
            }
            END_CHILD(0);
        }
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    return 0;
}

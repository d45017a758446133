/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: states of zlib that outlive their thread, that more threads keep than are allowed, or that a thread frees after
 * the library was unloaded.
 */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "check.h"
#include "cside/codec.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEASURES_MEMORY 0 /* freed memory stays in quarantine; the sanitizer finds leaks itself */
#else
#define MEASURES_MEMORY 1
#endif

enum { NBYTES = 5000, HELD = 128, THREADS = 400 };

static uint8_t data[NBYTES];

static void round_trip(void)
{
    uint8_t packed[2 * NBYTES], out[NBYTES];
    size_t packed_nbytes = 0, out_nbytes = 0;

    CHECK_EQ(cs_compress(data, NBYTES, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    CHECK_EQ(cs_decompress(packed, packed_nbytes, out, NBYTES, 15, &out_nbytes, NULL), CS_OK);
    CHECK_EQ(out_nbytes, NBYTES);
    CHECK(memcmp(out, data, NBYTES) == 0);
}

/* As in codec_states.c, for decompression. */
static bool is_kept(void)
{
    void *held[HELD];
    cs_stream stream = {0};
    const void *first = NULL;
    bool same = false;

    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    first = stream.engine;
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
    for (size_t i = 0; i < HELD; i++)
        held[i] = check_alloc(16 * (1 + i / 4));
    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    same = stream.engine == first;
    CHECK_EQ(cs_inflate_end(&stream), CS_OK);
    for (size_t i = 0; i < HELD; i++)
        free(held[i]);
    return same;
}

static void *life(void *kept)
{
    round_trip();
    *(bool *)kept = is_kept();
    return NULL;
}

static bool kept_in_a_thread(void)
{
    pthread_t thread;
    bool kept = false;

    CHECK_EQ(pthread_create(&thread, NULL, life, &kept), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    return kept;
}

/* A thread says that it has come to a point, and waits until the main thread lets it go on. */
static atomic_bool arrived, released;

static void arrive(void)
{
    atomic_store(&arrived, true);
    while (!atomic_load(&released))
        sched_yield();
}

static void wait_for_arrival(void)
{
    while (!atomic_load(&arrived))
        sched_yield();
    atomic_store(&arrived, false);
}

static void release_and_join(pthread_t thread)
{
    atomic_store(&released, true);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    atomic_store(&released, false);
}

static void *life_until_told(void *kept)
{
    life(kept);
    arrive();
    round_trip();
    return NULL;
}

static long peak_kib(void)
{
    struct rusage usage;

    CHECK_EQ(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* A destructor of the program runs in an ending thread, too, before or after the library's. */
static pthread_key_t late_key;

static void late(void *value)
{
    (void)value;
    round_trip();
}

static void *life_with_late_call(void *unused)
{
    (void)unused;
    pthread_setspecific(late_key, data);
    round_trip();
    return NULL;
}

/* A stream that one thread begins and another ends. */
static void *stream_end(void *stream)
{
    round_trip();
    CHECK_EQ(cs_inflate_end(stream), CS_OK);
    round_trip();
    return NULL;
}

static cs_status (*other_compress)(const uint8_t *, size_t, uint8_t *, size_t, int32_t, int32_t, size_t *);

static void *outlive_the_library(void *unused)
{
    uint8_t packed[2 * NBYTES];
    size_t packed_nbytes = 0;

    (void)unused;
    CHECK_EQ(other_compress(data, NBYTES, packed, sizeof packed, 6, 15, &packed_nbytes), CS_OK);
    arrive();
    return NULL;
}

static void unload(void)
{
    pthread_t thread;

    for (int i = 0; i < 3; i++) {
        void *library = dlopen(CSIDE_OTHER_PATH, RTLD_NOW | RTLD_LOCAL);
        void *symbol = library != NULL ? dlsym(library, "cs_compress") : NULL;
        CHECK(symbol != NULL);
        memcpy(&other_compress, &symbol, sizeof symbol);
        CHECK_EQ(pthread_create(&thread, NULL, outlive_the_library, NULL), 0);
        wait_for_arrival();
        CHECK_EQ(dlclose(library), 0);
        release_and_join(thread);
    }
}

int main(void)
{
    pthread_t thread;
    cs_stream stream = {0};
    bool kept = false;
    long before = 0;

    CHECK(getenv("CSIDE_CODEC_CACHE") != NULL); /* set by ctest, since the library reads it when it is loaded */
    check_fill(data, NBYTES);
    round_trip();
    CHECK(is_kept());

    CHECK(kept_in_a_thread());
    before = peak_kib();
    for (int i = 0; i < THREADS; i++)
        CHECK(kept_in_a_thread()); /* the thread before has given its place back */
    if (MEASURES_MEMORY)
        CHECK(peak_kib() - before < THREADS * 270 / 4);

    CHECK_EQ(pthread_create(&thread, NULL, life_until_told, &kept), 0);
    wait_for_arrival();
    CHECK(kept);
    CHECK(!kept_in_a_thread()); /* a third thread works without */
    release_and_join(thread);
    CHECK(kept_in_a_thread());

    CHECK_EQ(pthread_key_create(&late_key, late), 0);
    for (int i = 0; i < 20; i++) {
        CHECK_EQ(pthread_create(&thread, NULL, life_with_late_call, NULL), 0);
        CHECK_EQ(pthread_join(thread, NULL), 0);
    }
    CHECK(kept_in_a_thread());

    CHECK_EQ(cs_inflate_init(&stream, 15), CS_OK);
    CHECK_EQ(pthread_create(&thread, NULL, stream_end, &stream), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    round_trip();

    unload();
    return 0;
}

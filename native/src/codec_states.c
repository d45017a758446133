/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_states.c - opens and closes zlib's states, and keeps them for the next call, which resets them instead of making
 * new ones.
 *
 * A thread has a shelf with room for one engine for compression and one for decompression. What is on the shelf is
 * idle: a call takes the engine away and puts it back, so that a call within a call finds the shelf empty and makes a
 * state of its own. Shelves are in a table of fixed size, and there is no lock:
 *
 * - The owner and the unloading of the library, which also happens at the end of a process while other threads still
 *   run, exchange the pointers on a shelf atomically. Each engine is obtained by one of them only.
 * - A thread that ends frees its engines, and then releases its shelf to other threads.
 * - A child of fork() releases the shelves of threads that do not exist in it. It does not free their engines,
 *   since free() need not work in the child of a process with threads: they are lost to it, as the threads' stacks are.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "codec_engine.h"
#include "environment.h"

#define SHELF_NBYTES 64 /* a cache line, so that threads do not disturb each other */

struct shelf {
    _Alignas(SHELF_NBYTES) atomic_bool owned;
    _Atomic(struct cs_engine *) deflates;
    _Atomic(struct cs_engine *) inflates;
};

static struct shelf shelves[CS_CODEC_CACHE_MAX];
static size_t shelves_count; /* how many of them may be used; written once */
static atomic_size_t shelves_owned;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_end_key;
static bool have_key;

static _Thread_local struct shelf *own_shelf;

/* ---- engines --------------------------------------------------------------------------------------- */

/* Everything outside of zlib's own state as it is in a new engine; zlib resets the rest. */
static void engine_clear(struct cs_engine *engine)
{
    z_stream *z = &engine->z;

    z->next_in = NULL;
    z->avail_in = 0;
    z->total_in = 0;
    z->next_out = NULL;
    z->avail_out = 0;
    z->total_out = 0;
    z->msg = NULL;
    z->adler = 0;
    engine->owner = NULL;
    engine->begun = engine->finished = engine->running = false;
}

static void shelf_clear(struct shelf *shelf)
{
    (void)cs_engine_end(atomic_exchange_explicit(&shelf->deflates, NULL, memory_order_acq_rel));
    (void)cs_engine_end(atomic_exchange_explicit(&shelf->inflates, NULL, memory_order_acq_rel));
}

/* ---- shelves --------------------------------------------------------------------------------------- */

static void shelf_release(struct shelf *shelf)
{
    atomic_store_explicit(&shelf->owned, false, memory_order_release);
    atomic_fetch_sub_explicit(&shelves_owned, 1, memory_order_relaxed);
}

/* Called when a thread ends: the destructor of pthread_key_create(). */
static void thread_end(void *value)
{
    own_shelf = NULL;
    shelf_clear(value);
    shelf_release(value);
}

static void after_fork_in_child(void)
{
    for (size_t i = 0; i < shelves_count; i++) {
        struct shelf *shelf = &shelves[i];
        if (shelf == own_shelf || !atomic_load_explicit(&shelf->owned, memory_order_relaxed))
            continue;
        atomic_store_explicit(&shelf->deflates, NULL, memory_order_relaxed);
        atomic_store_explicit(&shelf->inflates, NULL, memory_order_relaxed);
        atomic_store_explicit(&shelf->owned, false, memory_order_relaxed);
    }
    atomic_store_explicit(&shelves_owned, own_shelf != NULL ? 1 : 0, memory_order_relaxed);
}

static size_t wanted = CS_CODEC_CACHE_DEFAULT; /* number of shelves, from the environment */

static void read_environment(void)
{
    const char *text = cs_environment("CSIDE_CODEC_CACHE");

    if (text != NULL) {
        char *end = NULL;
        unsigned long value = strtoul(text, &end, 10);
        if (text[0] >= '0' && text[0] <= '9' && *end == '\0')
            wanted = value < CS_CODEC_CACHE_MAX ? (size_t)value : CS_CODEC_CACHE_MAX;
    }
}

static void start(void)
{
#if !defined(__GNUC__)
    read_environment();
#endif
    if (wanted == 0)
        return;
    have_key = pthread_key_create(&thread_end_key, thread_end) == 0;
    if (have_key && pthread_atfork(NULL, NULL, after_fork_in_child) == 0)
        shelves_count = wanted;
}

#if defined(__GNUC__)
/* Here no other thread can be changing the environment with setenv(), as Python threads may do during the first call. */
__attribute__((constructor)) static void begin(void)
{
    read_environment();
}

/* At the end of the process other threads may be in a call, which then puts its engine on the shelf; the process ends.
 * When the library is unloaded no thread is in a call, and threads that end later must not call it. */
__attribute__((destructor)) static void forget_threads(void)
{
    if (have_key)
        pthread_key_delete(thread_end_key);
    for (size_t i = 0; i < shelves_count; i++)
        shelf_clear(&shelves[i]);
}
#endif

/* The calling thread's shelf. NULL if it has none and gets none. */
static struct shelf *shelf_of_thread(void)
{
    struct shelf *shelf = own_shelf;

    if (shelf != NULL)
        return shelf;
    pthread_once(&once, start);
    if (atomic_load_explicit(&shelves_owned, memory_order_relaxed) >= shelves_count)
        return NULL;
    for (size_t i = 0; i < shelves_count; i++) {
        bool owned = atomic_load_explicit(&shelves[i].owned, memory_order_relaxed);
        if (!owned && atomic_compare_exchange_strong_explicit(&shelves[i].owned, &owned, true, memory_order_acquire,
                                                              memory_order_relaxed)) {
            atomic_fetch_add_explicit(&shelves_owned, 1, memory_order_relaxed);
            if (pthread_setspecific(thread_end_key, &shelves[i]) != 0) {
                shelf_release(&shelves[i]);
                return NULL;
            }
            own_shelf = &shelves[i];
            return own_shelf;
        }
    }
    return NULL;
}

/* ---- taking and keeping ---------------------------------------------------------------------------- */

static bool same_parameters(const struct cs_engine_parameters *a, const struct cs_engine_parameters *b)
{
    return a->level == b->level && a->method == b->method && a->window_bits == b->window_bits &&
           a->mem_level == b->mem_level && a->strategy == b->strategy;
}

/* With a limit on allocations, tests expect the same allocations from every call. */
static struct cs_engine *take(bool deflates)
{
    struct shelf *shelf = own_shelf;

    if (shelf == NULL || cs_engine_is_limited())
        return NULL;
    return atomic_exchange_explicit(deflates ? &shelf->deflates : &shelf->inflates, NULL, memory_order_acquire);
}

static struct cs_engine *take_deflate(const struct cs_engine_parameters *parameters)
{
    struct cs_engine *engine = take(true);

    if (engine == NULL)
        return NULL;
    engine_clear(engine);
    if (same_parameters(&engine->parameters, parameters) && deflateReset(&engine->z) == Z_OK)
        return engine;
    (void)cs_engine_end(engine); /* before the next is made, so that a thread never has two because of us */
    return NULL;
}

static struct cs_engine *take_inflate(int32_t window_bits)
{
    struct cs_engine *engine = take(false);

    if (engine == NULL)
        return NULL;
    engine_clear(engine);
    if (inflateReset2(&engine->z, window_bits) == Z_OK)
        return engine;
    (void)cs_engine_end(engine);
    return NULL;
}

static bool keep(struct cs_engine *engine)
{
    struct shelf *shelf = cs_engine_is_limited() ? NULL : shelf_of_thread();

    if (shelf == NULL)
        return false;
    engine->owner = NULL;
    (void)cs_engine_end(atomic_exchange_explicit(engine->run == inflate ? &shelf->inflates : &shelf->deflates, engine,
                                                 memory_order_acq_rel));
    return true;
}

/* ---- opening and closing --------------------------------------------------------------------------- */

int cs_engine_open_deflate(struct cs_engine **out, const cs_stream *stream,
                           const struct cs_engine_parameters *parameters)
{
    struct cs_engine *engine = stream == NULL || stream->alloc == NULL ? take_deflate(parameters) : NULL;

    if (engine != NULL) {
        engine->owner = stream;
        *out = engine;
        return Z_OK;
    }
    *out = engine = cs_engine_new(stream, deflate);
    if (engine == NULL)
        return Z_MEM_ERROR;
    engine->parameters = *parameters;
    return deflateInit2(&engine->z, parameters->level, parameters->method, parameters->window_bits,
                        parameters->mem_level, parameters->strategy);
}

int cs_engine_open_inflate(struct cs_engine **out, const cs_stream *stream, int32_t window_bits)
{
    struct cs_engine *engine = stream == NULL || stream->alloc == NULL ? take_inflate(window_bits) : NULL;

    if (engine != NULL) {
        engine->owner = stream;
        *out = engine;
        return Z_OK;
    }
    *out = engine = cs_engine_new(stream, inflate);
    if (engine == NULL)
        return Z_MEM_ERROR;
    return inflateInit2(&engine->z, window_bits);
}

/* deflateEnd() says whether compression was interrupted, which only it can tell. So a state for compression is kept
 * only if it was not used or has reached its end, where the answer is Z_OK. */
static bool may_be_kept(const struct cs_engine *engine)
{
    if (engine->alloc != NULL || engine->copied)
        return false;
    return engine->run == inflate || !engine->begun || engine->finished;
}

int cs_engine_close(struct cs_engine *engine)
{
    return may_be_kept(engine) && keep(engine) ? Z_OK : cs_engine_end(engine);
}

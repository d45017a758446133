/* SPDX-License-Identifier: Apache-2.0
 *
 * trace.c - per-function counters and histograms.
 *
 * Every thread that makes a traced call owns one block, which has a record per function. Only the owner writes to the
 * block, without a lock. All blocks are in a list, from which none is removed. trace_read.c says how blocks are read.
 *
 * - A reset increments an epoch. A record of an older epoch counts as empty; its owner clears it at its next write.
 * - A thread that ends adds its records to the counts of such threads, and gives its block to the next thread that
 *   needs one. A call that it makes later, in a destructor of thread-specific data, is counted there directly, since
 *   nobody would take a new block from it. So are the calls of a thread that gets no memory for a block.
 *
 * Readers, resets and ending threads exclude each other by a lock, which counting in a block never takes.
 */
#define _POSIX_C_SOURCE 200809L

#include "cside/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace_blocks.h"
#include "trace_clock.h"
#include "trace_scope.h"

static _Thread_local struct block *own_block;
static _Thread_local bool has_ended; /* the thread has given its block away */

static bool started; /* guarded by the readers' lock, like the next two */
static bool have_key;
static pthread_key_t thread_end_key;

#define CS_TRACE_NAME(name) "cs_" #name,
#define CK_PKCS11_FUNCTION_INFO(name) #name,
/* clang-format off */
static const char *const names[] = {
    CS_TRACE_LIST(CS_TRACE_NAME)
#include "cside/pkcs11f.h"
};
/* clang-format on */
#undef CK_PKCS11_FUNCTION_INFO

/* ---- the owner's side ---------------------------------------------------------------------------- */

static uint64_t word_get(const struct record *record, size_t word)
{
    return atomic_load_explicit(&record->words[word], memory_order_relaxed);
}

static void word_set(struct record *record, size_t word, uint64_t value)
{
    atomic_store_explicit(&record->words[word], value, memory_order_release);
}

static struct block *block_acquire(void)
{
    struct block *block = NULL, *head = NULL;

    for (block = atomic_load_explicit(&cs_trace_blocks, memory_order_acquire); block != NULL; block = block->next) {
        bool owned = atomic_load_explicit(&block->owned, memory_order_relaxed);
        if (!owned && atomic_compare_exchange_strong_explicit(&block->owned, &owned, true, memory_order_acquire,
                                                              memory_order_relaxed))
            return block;
    }
    block = calloc(1, sizeof *block);
    if (block == NULL)
        return NULL;
    atomic_store_explicit(&block->owned, true, memory_order_relaxed);
    head = atomic_load_explicit(&cs_trace_blocks, memory_order_relaxed);
    do {
        block->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&cs_trace_blocks, &head, block, memory_order_release,
                                                    memory_order_relaxed));
    return block;
}

/* The calling thread's block, which is allocated at its first use. NULL if there is no memory, or if the thread is
 * ending. */
static CS_COLD struct block *block_of_thread(void)
{
    int saved_errno = errno;
    struct block *block = has_ended ? NULL : block_acquire();

    if (block != NULL && have_key)
        pthread_setspecific(thread_end_key, block);
    own_block = block;
    errno = saved_errno;
    return block;
}

static CS_COLD void answer_reader(struct block *block, uint32_t asked)
{
    uint32_t id = atomic_load_explicit(&block->asked_id, memory_order_relaxed);

    cs_trace_record_copy(block, id, &block->answer,
                         atomic_load_explicit(&block->asked_codes, memory_order_relaxed) ? block->answer_codes : NULL);
    atomic_store_explicit(&block->answered, asked, memory_order_release);
}

static size_t bucket_of(uint64_t ns)
{
    size_t bits = 0;

#if defined(__GNUC__)
    bits = ns == 0 ? 0 : (size_t)(64 - __builtin_clzll(ns));
#else
    for (; ns != 0; ns >>= 1)
        bits++;
#endif
    return bits < CS_TRACE_BUCKETS ? bits : CS_TRACE_BUCKETS - 1;
}

static void codes_clear(struct block *block, size_t id)
{
    for (size_t place = 0; place < CS_TRACE_CODES; place++) {
        if (cs_trace_code_at(place, id, NULL))
            atomic_store_explicit(&block->codes[place], 0, memory_order_release);
    }
}

static CS_COLD void record_clear(struct block *block, size_t id, uint32_t epoch)
{
    struct record *record = &block->records[id];

    if (word_get(record, WORD_ERRORS) > 0)
        codes_clear(block, id);
    atomic_store_explicit(&record->epoch, epoch, memory_order_release);
    for (size_t i = 0; i < WORDS; i++)
        word_set(record, i, 0);
}

/* What one call adds to a record. */
struct call {
    size_t id;
    size_t bucket;
    size_t place; /* of its code; CS_TRACE_CODES for none */
    uint64_t ns;
    uint64_t in_nbytes;
    uint64_t out_nbytes;
    bool failed;
};

static CS_COLD void count_without_block(const struct call *call)
{
    struct copy *sum = &cs_trace_retired[call->id];
    int saved_errno = errno;

    pthread_mutex_lock(&cs_trace_readers_lock);
    sum->words[WORD_ERRORS] += call->failed;
    sum->words[WORD_IN] += call->in_nbytes;
    sum->words[WORD_OUT] += call->out_nbytes;
    sum->words[WORD_NS] += call->ns;
    sum->words[call->bucket]++;
    if (call->place < CS_TRACE_CODES)
        cs_trace_retired_codes[call->place]++;
    pthread_mutex_unlock(&cs_trace_readers_lock);
    errno = saved_errno;
}

static inline void count(const struct call *call)
{
    struct block *block = own_block != NULL ? own_block : block_of_thread();
    struct record *record = NULL;
    uint32_t epoch = 0, sequence = 0, asked = 0;

    if (CS_UNLIKELY(block == NULL)) {
        count_without_block(call);
        return;
    }
    record = &block->records[call->id];
    epoch = atomic_load_explicit(&cs_trace_epoch, memory_order_relaxed);
    sequence = atomic_load_explicit(&record->sequence, memory_order_relaxed);
    if (sequence & 1)
        return; /* a signal handler interrupted this function; its call is not counted */
    atomic_store_explicit(&record->sequence, sequence + 1, memory_order_relaxed);
    if (CS_UNLIKELY(atomic_load_explicit(&record->epoch, memory_order_relaxed) != epoch))
        record_clear(block, call->id, epoch);
    if (call->failed)
        word_set(record, WORD_ERRORS, word_get(record, WORD_ERRORS) + 1);
    if (call->place < CS_TRACE_CODES) {
        uint64_t errors = atomic_load_explicit(&block->codes[call->place], memory_order_relaxed);
        atomic_store_explicit(&block->codes[call->place], errors + 1, memory_order_release);
    }
    word_set(record, WORD_IN, word_get(record, WORD_IN) + call->in_nbytes);
    word_set(record, WORD_OUT, word_get(record, WORD_OUT) + call->out_nbytes);
    word_set(record, WORD_NS, word_get(record, WORD_NS) + call->ns);
    word_set(record, call->bucket, word_get(record, call->bucket) + 1);
    atomic_store_explicit(&record->sequence, sequence + 2, memory_order_release);

    asked = atomic_load_explicit(&block->asked, memory_order_acquire);
    if (CS_UNLIKELY(asked != atomic_load_explicit(&block->answered, memory_order_relaxed)))
        answer_reader(block, asked);
}

static inline uint64_t ns_since(uint64_t start)
{
    uint64_t end = cs_trace_ticks();

    return end > start ? cs_trace_ticks_ns(end - start) : 0;
}

void cs_trace_count_call(size_t id, uint64_t start, bool failed, uint64_t in_nbytes, uint64_t out_nbytes)
{
    uint64_t ns = ns_since(start);

    count(&(struct call){.id = id,
                         .bucket = WORD_HISTOGRAM + bucket_of(ns),
                         .place = CS_TRACE_CODES,
                         .ns = ns,
                         .in_nbytes = in_nbytes,
                         .out_nbytes = out_nbytes,
                         .failed = failed});
}

void cs_trace_count_error(size_t id, uint64_t start, uint64_t code, uint64_t in_nbytes, uint64_t out_nbytes)
{
    uint64_t ns = ns_since(start);

    count(&(struct call){.id = id,
                         .bucket = WORD_HISTOGRAM + bucket_of(ns),
                         .place = cs_trace_code_place(id, code),
                         .ns = ns,
                         .in_nbytes = in_nbytes,
                         .out_nbytes = out_nbytes,
                         .failed = true});
}

/* ---- threads that end, and fork ------------------------------------------------------------------ */

/* Keep the counts of a block whose thread has ended, and free the block for another thread. The caller holds the
 * readers' lock. */
static void block_retire(struct block *block)
{
    uint32_t epoch = atomic_load_explicit(&cs_trace_epoch, memory_order_relaxed);
    uint64_t codes[CS_TRACE_CODES];

    for (size_t id = 0; id < CS_TRACE_FUNCTIONS; id++) {
        struct record *record = &block->records[id];
        struct copy share;
        bool has_errors = word_get(record, WORD_ERRORS) > 0;
        if (atomic_load_explicit(&record->sequence, memory_order_relaxed) == 0)
            continue; /* never written; most threads call only a few functions */
        cs_trace_record_copy(block, id, &share, has_errors ? codes : NULL);
        for (size_t i = 0; share.epoch == epoch && i < WORDS; i++)
            cs_trace_retired[id].words[i] += share.words[i];
        for (size_t place = 0; share.epoch == epoch && has_errors && place < CS_TRACE_CODES; place++)
            cs_trace_retired_codes[place] += codes[place];
        if (has_errors)
            codes_clear(block, id);
        for (size_t i = 0; i < WORDS; i++)
            atomic_store_explicit(&record->words[i], 0, memory_order_relaxed);
    }
    atomic_store_explicit(&block->owned, false, memory_order_release);
}

/* Called when a thread ends: the destructor of pthread_key_create(). */
static void thread_end(void *value)
{
    own_block = NULL;
    has_ended = true;
    pthread_mutex_lock(&cs_trace_readers_lock);
    block_retire(value);
    pthread_mutex_unlock(&cs_trace_readers_lock);
}

static void before_fork(void)
{
    pthread_mutex_lock(&cs_trace_readers_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&cs_trace_readers_lock);
}

/* In a child of fork() the other threads do not exist. A record that one of them was writing is incomplete, and is
 * dropped. */
static void after_fork_in_child(void)
{
    struct block *block = atomic_load_explicit(&cs_trace_blocks, memory_order_relaxed);

    for (; block != NULL; block = block->next) {
        if (block == own_block || !atomic_load_explicit(&block->owned, memory_order_relaxed))
            continue;
        for (size_t id = 0; id < CS_TRACE_FUNCTIONS; id++) {
            struct record *record = &block->records[id];
            uint32_t sequence = atomic_load_explicit(&record->sequence, memory_order_relaxed);
            if ((sequence & 1) == 0)
                continue;
            codes_clear(block, id);
            for (size_t i = 0; i < WORDS; i++)
                word_set(record, i, 0);
            atomic_store_explicit(&record->sequence, sequence + 1, memory_order_relaxed);
        }
        block_retire(block);
    }
    pthread_mutex_unlock(&cs_trace_readers_lock);
}

#if defined(__GNUC__)
/* Once the library is unloaded, threads that end must not call it. */
__attribute__((destructor)) static void forget_threads(void)
{
    if (have_key)
        pthread_key_delete(thread_end_key);
}
#endif

void cs_trace_enable(bool on)
{
    pthread_mutex_lock(&cs_trace_readers_lock);
    if (on && !started) {
        started = true;
        cs_trace_clock_start();
        have_key = pthread_key_create(&thread_end_key, thread_end) == 0;
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    }
    atomic_store_explicit(&cs_trace_flag, on, memory_order_release);
    pthread_mutex_unlock(&cs_trace_readers_lock);
}

bool cs_trace_enabled(void)
{
    return atomic_load_explicit(&cs_trace_flag, memory_order_acquire);
}

void cs_trace_reset(void)
{
    pthread_mutex_lock(&cs_trace_readers_lock);
    atomic_fetch_add_explicit(&cs_trace_epoch, 1, memory_order_relaxed);
    memset(cs_trace_retired, 0, sizeof cs_trace_retired);
    memset(cs_trace_retired_codes, 0, sizeof cs_trace_retired_codes);
    pthread_mutex_unlock(&cs_trace_readers_lock);
}

size_t cs_trace_count(void)
{
    return CS_TRACE_FUNCTIONS;
}

const char *cs_trace_name(size_t index)
{
    return index < CS_TRACE_FUNCTIONS ? names[index] : NULL;
}

cs_status cs_trace_read_thread(size_t index, cs_trace_record *out_record)
{
    struct copy share = {0};

    if (index >= CS_TRACE_FUNCTIONS)
        return CS_E_NOT_FOUND;
    if (own_block != NULL) {
        cs_trace_record_copy(own_block, index, &share, NULL);
        if (share.epoch != atomic_load_explicit(&cs_trace_epoch, memory_order_relaxed))
            share = (struct copy){0};
    }
    cs_trace_copy_to_record(&share, out_record);
    return CS_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * trace.c - per-function counters and histograms.
 *
 * Every thread that makes a traced call owns one block, which has a record per function. Only the owner writes to the
 * block, without a lock. All blocks are in a list, from which none is removed.
 *
 * - Consistency: each record has a sequence number, which is odd while the record is written. All words of a record are
 *   atomics, stored with release and loaded with acquire, which orders them against the sequence without fences.
 * - A reader cannot starve. A thread in a tight loop may write a record faster than a reader can copy it; the reader
 *   then asks that thread for a copy, and the thread makes the copy at the end of its next call. A thread that makes no
 *   calls does not disturb a reader.
 * - A reset increments an epoch. A record of an older epoch counts as empty; its owner clears it at its next write.
 * - A thread that ends adds its records to `retired` and gives its block to the next thread that needs one.
 *
 * Readers, resets and ending threads exclude each other by `readers_lock`. Counting never takes that lock.
 */
#define _POSIX_C_SOURCE 200809L

#include "cside/trace.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "pkcs11_module.h"
#include "trace_clock.h"
#include "trace_scope.h"

#define READ_TRIES 64

/* The words of a record, in the order of cs_trace_record's members; `calls` is the sum of the histogram. */
enum { WORD_ERRORS, WORD_IN, WORD_OUT, WORD_NS, WORD_HISTOGRAM, WORDS = WORD_HISTOGRAM + CS_TRACE_BUCKETS };

struct record {
    _Atomic uint32_t sequence; /* odd while the owner writes */
    _Atomic uint32_t epoch;
    _Atomic uint64_t words[WORDS];
};

/* A plain copy of a record. */
struct copy {
    uint32_t epoch;
    uint64_t words[WORDS];
};

struct block {
    struct block *next; /* set before the block is published */
    atomic_bool owned;
    _Atomic uint32_t asked;    /* number of the reader's last request … */
    _Atomic uint32_t answered; /* … and of the last one that the owner answered; the copy is in `answer` */
    _Atomic uint32_t asked_id; /* the record that the reader requests */
    struct copy answer;
    struct record records[CS_TRACE_FUNCTIONS];
};

atomic_bool cs_trace_flag;

static _Atomic(struct block *) blocks;
static _Atomic uint32_t epoch_now;
static _Thread_local struct block *own_block;

static pthread_mutex_t readers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct copy retired[CS_TRACE_FUNCTIONS]; /* guarded by readers_lock, like everything below */
static bool started;
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

    for (block = atomic_load_explicit(&blocks, memory_order_acquire); block != NULL; block = block->next) {
        bool owned = atomic_load_explicit(&block->owned, memory_order_relaxed);
        if (!owned && atomic_compare_exchange_strong_explicit(&block->owned, &owned, true, memory_order_acquire,
                                                              memory_order_relaxed))
            return block;
    }
    block = calloc(1, sizeof *block);
    if (block == NULL)
        return NULL;
    atomic_store_explicit(&block->owned, true, memory_order_relaxed);
    head = atomic_load_explicit(&blocks, memory_order_relaxed);
    do {
        block->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&blocks, &head, block, memory_order_release, memory_order_relaxed));
    return block;
}

/* The calling thread's block, which is allocated at its first use. NULL if there is no memory; the call is then not
 * counted. */
static struct block *block_of_thread(void)
{
    int saved_errno = errno;
    struct block *block = block_acquire();

    if (block != NULL && have_key)
        pthread_setspecific(thread_end_key, block);
    own_block = block;
    errno = saved_errno;
    return block;
}

static void record_copy(const struct record *record, struct copy *out)
{
    out->epoch = atomic_load_explicit(&record->epoch, memory_order_acquire);
    for (size_t i = 0; i < WORDS; i++)
        out->words[i] = atomic_load_explicit(&record->words[i], memory_order_acquire);
}

static CS_COLD void answer_reader(struct block *block, uint32_t asked)
{
    uint32_t id = atomic_load_explicit(&block->asked_id, memory_order_relaxed);

    record_copy(&block->records[id], &block->answer);
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

void cs_trace_count_call(size_t id, uint64_t start, bool failed, uint64_t in_nbytes, uint64_t out_nbytes)
{
    uint64_t end = cs_trace_ticks();
    uint64_t ns = end > start ? cs_trace_ticks_ns(end - start) : 0;
    struct block *block = own_block != NULL ? own_block : block_of_thread();
    struct record *record = NULL;
    uint32_t epoch = 0, sequence = 0, asked = 0;
    size_t bucket = WORD_HISTOGRAM + bucket_of(ns);

    if (block == NULL)
        return;
    record = &block->records[id];
    epoch = atomic_load_explicit(&epoch_now, memory_order_relaxed);
    sequence = atomic_load_explicit(&record->sequence, memory_order_relaxed);
    if (sequence & 1)
        return; /* a signal handler interrupted this function; its call is not counted */
    atomic_store_explicit(&record->sequence, sequence + 1, memory_order_relaxed);
    if (CS_UNLIKELY(atomic_load_explicit(&record->epoch, memory_order_relaxed) != epoch)) {
        atomic_store_explicit(&record->epoch, epoch, memory_order_release);
        for (size_t i = 0; i < WORDS; i++)
            word_set(record, i, 0);
    }
    if (failed)
        word_set(record, WORD_ERRORS, word_get(record, WORD_ERRORS) + 1);
    word_set(record, WORD_IN, word_get(record, WORD_IN) + in_nbytes);
    word_set(record, WORD_OUT, word_get(record, WORD_OUT) + out_nbytes);
    word_set(record, WORD_NS, word_get(record, WORD_NS) + ns);
    word_set(record, bucket, word_get(record, bucket) + 1);
    atomic_store_explicit(&record->sequence, sequence + 2, memory_order_release);

    asked = atomic_load_explicit(&block->asked, memory_order_acquire);
    if (CS_UNLIKELY(asked != atomic_load_explicit(&block->answered, memory_order_relaxed)))
        answer_reader(block, asked);
}

/* ---- the reader's side ---------------------------------------------------------------------------- */

/* Make a consistent copy of a record of any thread's block. The caller holds readers_lock, unless the block is that of
 * the calling thread. */
static void record_read(struct block *block, size_t id, struct copy *out)
{
    struct record *record = &block->records[id];
    uint32_t question = 0;

    for (unsigned tries = 1;; tries++) {
        uint32_t before = atomic_load_explicit(&record->sequence, memory_order_acquire);
        if ((before & 1) == 0) {
            record_copy(record, out);
            if (atomic_load_explicit(&record->sequence, memory_order_relaxed) == before)
                return;
        }
        if (tries == READ_TRIES) {
            question = atomic_load_explicit(&block->asked, memory_order_relaxed) + 1;
            atomic_store_explicit(&block->asked_id, (uint32_t)id, memory_order_relaxed);
            atomic_store_explicit(&block->asked, question, memory_order_release);
        }
        if (tries >= READ_TRIES) {
            if (atomic_load_explicit(&block->answered, memory_order_acquire) == question) {
                *out = block->answer;
                return;
            }
            sched_yield();
        }
    }
}

static void copy_add(struct copy *sum, const struct copy *share)
{
    for (size_t i = 0; i < WORDS; i++)
        sum->words[i] += share->words[i];
}

static void copy_to_record(const struct copy *copy, cs_trace_record *out)
{
    out->calls = 0;
    out->errors = copy->words[WORD_ERRORS];
    out->in_nbytes = copy->words[WORD_IN];
    out->out_nbytes = copy->words[WORD_OUT];
    out->total_ns = copy->words[WORD_NS];
    for (size_t i = 0; i < CS_TRACE_BUCKETS; i++) {
        out->histogram[i] = copy->words[WORD_HISTOGRAM + i];
        out->calls += out->histogram[i];
    }
}

/* Keep the counts of a block whose thread has ended, and free the block for another thread. The caller holds
 * readers_lock. */
static void block_retire(struct block *block)
{
    uint32_t epoch = atomic_load_explicit(&epoch_now, memory_order_relaxed);

    for (size_t id = 0; id < CS_TRACE_FUNCTIONS; id++) {
        struct record *record = &block->records[id];
        struct copy share;
        if (atomic_load_explicit(&record->sequence, memory_order_relaxed) == 0)
            continue; /* never written; most threads call only a few functions */
        record_copy(record, &share);
        if (share.epoch == epoch)
            copy_add(&retired[id], &share);
        for (size_t i = 0; i < WORDS; i++)
            atomic_store_explicit(&record->words[i], 0, memory_order_relaxed);
    }
    atomic_store_explicit(&block->owned, false, memory_order_release);
}

/* Called when a thread ends: the destructor of pthread_key_create(). */
static void thread_end(void *value)
{
    own_block = NULL;
    pthread_mutex_lock(&readers_lock);
    block_retire(value);
    pthread_mutex_unlock(&readers_lock);
}

static void before_fork(void)
{
    pthread_mutex_lock(&readers_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&readers_lock);
}

/* In a child of fork() the other threads do not exist. A record that one of them was writing is incomplete, and is
 * dropped. */
static void after_fork_in_child(void)
{
    struct block *block = atomic_load_explicit(&blocks, memory_order_relaxed);

    for (; block != NULL; block = block->next) {
        if (block == own_block || !atomic_load_explicit(&block->owned, memory_order_relaxed))
            continue;
        for (size_t id = 0; id < CS_TRACE_FUNCTIONS; id++) {
            struct record *record = &block->records[id];
            uint32_t sequence = atomic_load_explicit(&record->sequence, memory_order_relaxed);
            if ((sequence & 1) == 0)
                continue;
            for (size_t i = 0; i < WORDS; i++)
                word_set(record, i, 0);
            atomic_store_explicit(&record->sequence, sequence + 1, memory_order_relaxed);
        }
        block_retire(block);
    }
    pthread_mutex_unlock(&readers_lock);
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
    pthread_mutex_lock(&readers_lock);
    if (on && !started) {
        started = true;
        cs_trace_clock_start();
        have_key = pthread_key_create(&thread_end_key, thread_end) == 0;
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    }
    atomic_store_explicit(&cs_trace_flag, on, memory_order_release);
    pthread_mutex_unlock(&readers_lock);
}

bool cs_trace_enabled(void)
{
    return atomic_load_explicit(&cs_trace_flag, memory_order_acquire);
}

void cs_trace_reset(void)
{
    pthread_mutex_lock(&readers_lock);
    atomic_fetch_add_explicit(&epoch_now, 1, memory_order_relaxed);
    memset(retired, 0, sizeof retired);
    cs_pkcs11_errors_reset();
    pthread_mutex_unlock(&readers_lock);
}

size_t cs_trace_count(void)
{
    return CS_TRACE_FUNCTIONS;
}

const char *cs_trace_name(size_t index)
{
    return index < CS_TRACE_FUNCTIONS ? names[index] : NULL;
}

cs_status cs_trace_read(size_t index, cs_trace_record *out_record)
{
    struct block *block = NULL;
    struct copy sum, share;

    if (index >= CS_TRACE_FUNCTIONS)
        return CS_E_NOT_FOUND;
    pthread_mutex_lock(&readers_lock);
    sum = retired[index];
    for (block = atomic_load_explicit(&blocks, memory_order_acquire); block != NULL; block = block->next) {
        record_read(block, index, &share);
        if (share.epoch == atomic_load_explicit(&epoch_now, memory_order_relaxed))
            copy_add(&sum, &share);
    }
    pthread_mutex_unlock(&readers_lock);
    copy_to_record(&sum, out_record);
    return CS_OK;
}

cs_status cs_trace_read_thread(size_t index, cs_trace_record *out_record)
{
    struct copy share = {0};

    if (index >= CS_TRACE_FUNCTIONS)
        return CS_E_NOT_FOUND;
    if (own_block != NULL) {
        record_copy(&own_block->records[index], &share);
        if (share.epoch != atomic_load_explicit(&epoch_now, memory_order_relaxed))
            share = (struct copy){0};
    }
    copy_to_record(&share, out_record);
    return CS_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_read.c - reads the counts of all threads.
 *
 * - Consistency: each record has a sequence number, which is odd while the record is written. All words of a record are
 *   atomics, stored with release and loaded with acquire, which orders them against the sequence without fences.
 * - A reader cannot starve. A thread in a tight loop may write a record faster than a reader can copy it; the reader
 *   then asks that thread for a copy, and the thread makes the copy at the end of its next call. A thread that makes no
 *   calls does not disturb a reader.
 */
#define _POSIX_C_SOURCE 200809L

#include <sched.h>
#include <string.h>

#include "trace_blocks.h"

#define READ_TRIES 64

/* Make a consistent copy of a record of any thread's block. The caller holds the readers' lock. */
static void record_read(struct block *block, size_t id, struct copy *out, uint64_t *out_codes)
{
    const struct record *record = &block->records[id];
    uint32_t question = 0;

    for (unsigned tries = 1;; tries++) {
        uint32_t before = atomic_load_explicit(&record->sequence, memory_order_acquire);
        if ((before & 1) == 0) {
            cs_trace_record_copy(block, id, out, out_codes);
            if (atomic_load_explicit(&record->sequence, memory_order_relaxed) == before)
                return;
        }
        if (tries == READ_TRIES) {
            question = atomic_load_explicit(&block->asked, memory_order_relaxed) + 1;
            atomic_store_explicit(&block->asked_id, (uint32_t)id, memory_order_relaxed);
            atomic_store_explicit(&block->asked_codes, out_codes != NULL, memory_order_relaxed);
            atomic_store_explicit(&block->asked, question, memory_order_release);
        }
        if (tries >= READ_TRIES) {
            if (atomic_load_explicit(&block->answered, memory_order_acquire) == question) {
                *out = block->answer;
                if (out_codes != NULL)
                    memcpy(out_codes, block->answer_codes, sizeof block->answer_codes);
                return;
            }
            sched_yield();
        }
    }
}

void cs_trace_read_codes(size_t id, cs_trace_record *out_record, uint64_t *out_codes)
{
    uint64_t codes[CS_TRACE_CODES];
    uint64_t *share_codes = out_codes != NULL ? codes : NULL;
    struct copy sum, share;

    pthread_mutex_lock(&cs_trace_readers_lock);
    sum = cs_trace_retired[id];
    for (size_t place = 0; out_codes != NULL && place < CS_TRACE_CODES; place++)
        out_codes[place] = cs_trace_code_at(place, id, NULL) ? cs_trace_retired_codes[place] : 0;
    for (struct block *block = atomic_load_explicit(&cs_trace_blocks, memory_order_acquire); block != NULL;
         block = block->next) {
        record_read(block, id, &share, share_codes);
        if (share.epoch != atomic_load_explicit(&cs_trace_epoch, memory_order_relaxed))
            continue;
        for (size_t i = 0; i < WORDS; i++)
            sum.words[i] += share.words[i];
        for (size_t place = 0; out_codes != NULL && place < CS_TRACE_CODES; place++)
            out_codes[place] += codes[place];
    }
    pthread_mutex_unlock(&cs_trace_readers_lock);
    cs_trace_copy_to_record(&sum, out_record);
}

cs_status cs_trace_read(size_t index, cs_trace_record *out_record)
{
    if (index >= CS_TRACE_FUNCTIONS)
        return CS_E_NOT_FOUND;
    cs_trace_read_codes(index, out_record, NULL);
    return CS_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_blocks.c - the state of the trace, and copies of its records.
 */
#define _POSIX_C_SOURCE 200809L

#include "trace_blocks.h"

#include "trace_scope.h"

atomic_bool cs_trace_flag;

_Atomic(struct block *) cs_trace_blocks;
_Atomic uint32_t cs_trace_epoch;

pthread_mutex_t cs_trace_readers_lock = PTHREAD_MUTEX_INITIALIZER;
struct copy cs_trace_retired[CS_TRACE_FUNCTIONS];
uint64_t cs_trace_retired_codes[CS_TRACE_CODES];

void cs_trace_record_copy(const struct block *block, size_t id, struct copy *out, uint64_t *out_codes)
{
    const struct record *record = &block->records[id];

    out->epoch = atomic_load_explicit(&record->epoch, memory_order_acquire);
    for (size_t i = 0; i < WORDS; i++)
        out->words[i] = atomic_load_explicit(&record->words[i], memory_order_acquire);
    for (size_t place = 0; out_codes != NULL && place < CS_TRACE_CODES; place++) {
        bool is_counted = out->words[WORD_ERRORS] > 0 && cs_trace_code_at(place, id, NULL);
        out_codes[place] = is_counted ? atomic_load_explicit(&block->codes[place], memory_order_acquire) : 0;
    }
}

void cs_trace_copy_to_record(const struct copy *copy, cs_trace_record *out)
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_blocks.h - the memory in which threads count. trace.c writes it, trace_read.c reads it.
 */
#ifndef CSIDE_TRACE_BLOCKS_H
#define CSIDE_TRACE_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pthread.h>

#include "cside/trace.h"
#include "trace_codes.h"
#include "trace_list.h"

/** The words of a record, in the order of cs_trace_record's members; `calls` is the sum of the histogram. */
enum { WORD_ERRORS, WORD_IN, WORD_OUT, WORD_NS, WORD_HISTOGRAM, WORDS = WORD_HISTOGRAM + CS_TRACE_BUCKETS };

struct record {
    _Atomic uint32_t sequence; /* odd while the owner writes */
    _Atomic uint32_t epoch;
    _Atomic uint64_t words[WORDS];
};

/** A plain copy of a record. */
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
    atomic_bool asked_codes;   /* … and whether it requests the counts by code, too */
    struct copy answer;
    uint64_t answer_codes[CS_TRACE_CODES];
    struct record records[CS_TRACE_FUNCTIONS];
    _Atomic uint64_t codes[CS_TRACE_CODES]; /* errors by place; written and read in the sequence of the record */
};

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

extern _Atomic(struct block *) cs_trace_blocks; /* all blocks, from which none is removed */
extern _Atomic uint32_t cs_trace_epoch;

/** Readers, resets and ending threads exclude each other by this lock, which guards the next two. */
extern pthread_mutex_t cs_trace_readers_lock;
extern struct copy cs_trace_retired[CS_TRACE_FUNCTIONS]; /* the counts of threads that have ended */
extern uint64_t cs_trace_retired_codes[CS_TRACE_CODES];

/** Copy a record that no thread writes meanwhile. out_codes has CS_TRACE_CODES entries, which are 0 at the places of
 *  other functions; NULL for none. */
void cs_trace_record_copy(const struct block *block, size_t id, struct copy *out, uint64_t *out_codes);

void cs_trace_copy_to_record(const struct copy *copy, cs_trace_record *out);

/* ---- trace_read.c ---- */

/** cs_trace_read() of an index below CS_TRACE_FUNCTIONS, and the counts of its errors by place, from the same reading.
 *  out_codes as in cs_trace_record_copy(). */
void cs_trace_read_codes(size_t id, cs_trace_record *out_record, uint64_t *out_codes);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * trace_codes.c - a hash table without a lock, in which an entry belongs to the first pair that takes it.
 */
#include "trace_codes.h"

#include <stdatomic.h>

#define CODE_BITS 48

_Static_assert((CS_TRACE_CODES & (CS_TRACE_CODES - 1)) == 0, "a power of two, so that the hash is spread evenly");

/* Function + 1 in the bits above CODE_BITS, the code in those below; 0 for a free entry. */
static _Atomic uint64_t keys[CS_TRACE_CODES];

size_t cs_trace_code_place(size_t id, uint64_t code)
{
    uint64_t key = (uint64_t)(id + 1) << CODE_BITS | code;
    uint64_t first = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 32; /* Fibonacci hashing */

    for (uint64_t i = 0; code >> CODE_BITS == 0 && i < CS_TRACE_CODES; i++) {
        size_t place = (size_t)((first + i) % CS_TRACE_CODES);
        uint64_t held = atomic_load_explicit(&keys[place], memory_order_relaxed);
        if (held == 0 && atomic_compare_exchange_strong_explicit(&keys[place], &held, key, memory_order_relaxed,
                                                                 memory_order_relaxed))
            return place;
        if (held == key)
            return place;
    }
    return CS_TRACE_CODES;
}

bool cs_trace_code_at(size_t place, size_t id, uint64_t *out_code)
{
    uint64_t key = atomic_load_explicit(&keys[place], memory_order_relaxed);

    if (out_code != NULL)
        *out_code = key & ((UINT64_C(1) << CODE_BITS) - 1);
    return key >> CODE_BITS == id + 1;
}

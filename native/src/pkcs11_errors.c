/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_errors.c - the names of return values, and how often each was returned.
 *
 * One hash table serves all threads. An entry belongs to the first pair of function and value that takes it, until the
 * process ends. Counting is an atomic addition, and is done for errors only.
 */
#include "pkcs11_module.h"

#include "pkcs11_rv_list.h"
#include "trace_scope.h"

#define PLACES CS_PKCS11_ERRORS
#define RV_BITS 48

_Static_assert((PLACES & (PLACES - 1)) == 0, "a power of two, so that the hash is spread evenly");

struct place {
    _Atomic uint64_t key; /* function + 1 in the bits above RV_BITS, value in those below; 0 for a free entry */
    _Atomic uint64_t count;
};

static struct place places[PLACES];
static _Atomic uint64_t unlisted;

/* Find the entry of a key, or take a free one for it. NULL if the table is full. */
static struct place *place_of(uint64_t key)
{
    uint64_t first = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 32; /* Fibonacci hashing */

    for (uint64_t i = 0; i < PLACES; i++) {
        struct place *place = &places[(first + i) % PLACES];
        uint64_t held = atomic_load_explicit(&place->key, memory_order_relaxed);
        if (held == 0 && atomic_compare_exchange_strong_explicit(&place->key, &held, key, memory_order_relaxed,
                                                                 memory_order_relaxed))
            return place;
        if (held == key)
            return place;
    }
    return NULL;
}

static CS_COLD void count_error(size_t id, CK_RV rv)
{
    struct place *place = NULL;

    if ((uint64_t)rv >> RV_BITS == 0)
        place = place_of((uint64_t)(id + 1) << RV_BITS | (uint64_t)rv);
    atomic_fetch_add_explicit(place != NULL ? &place->count : &unlisted, 1, memory_order_relaxed);
}

void cs_pkcs11_count_call(size_t id, uint64_t start, CK_RV rv, uint64_t in_nbytes, uint64_t out_nbytes)
{
    cs_trace_count_call(id, start, rv != CKR_OK, in_nbytes, out_nbytes);
    if (rv != CKR_OK)
        count_error(id, rv);
    if (CS_UNLIKELY(id == CS_TRACE_ID_C_Finalize))
        cs_pkcs11_report_write();
}

void cs_pkcs11_errors_reset(void)
{
    for (size_t i = 0; i < PLACES; i++)
        atomic_store_explicit(&places[i].count, 0, memory_order_relaxed);
    atomic_store_explicit(&unlisted, 0, memory_order_relaxed);
}

size_t cs_pkcs11_errors(cs_pkcs11_error_count *out_counts, size_t capacity, uint64_t *out_unlisted)
{
    size_t found = 0;

    for (size_t i = 0; i < PLACES; i++) {
        uint64_t key = atomic_load_explicit(&places[i].key, memory_order_relaxed);
        uint64_t count = atomic_load_explicit(&places[i].count, memory_order_relaxed);
        if (count == 0)
            continue;
        if (found < capacity) {
            out_counts[found].index = (size_t)(key >> RV_BITS) - 1;
            out_counts[found].rv = (CK_RV)(key & ((UINT64_C(1) << RV_BITS) - 1));
            out_counts[found].count = count;
        }
        found++;
    }
    if (out_unlisted != NULL)
        *out_unlisted = atomic_load_explicit(&unlisted, memory_order_relaxed);
    return found;
}

const char *cs_pkcs11_rv_name(CK_RV rv)
{
#define NAME(name) \
    case name: \
        return #name;
    switch (rv) {
        CS_PKCS11_RETURN_VALUES(NAME)
    default:
        return NULL;
    }
}

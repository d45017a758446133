/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_errors.c - the names of return values, and how often each was returned.
 */
#include "pkcs11_module.h"

#include "pkcs11_rv_list.h"
#include "trace_blocks.h"
#include "trace_scope.h"

_Static_assert(CS_PKCS11_ERRORS == CS_TRACE_CODES, "the number of pairs that the header promises");

void (*cs_pkcs11_finalized)(void);

void cs_pkcs11_count_call(size_t id, uint64_t start, CK_RV rv, uint64_t in_nbytes, uint64_t out_nbytes)
{
    if (rv == CKR_OK)
        cs_trace_count_call(id, start, false, in_nbytes, out_nbytes);
    else
        cs_trace_count_error(id, start, rv, in_nbytes, out_nbytes);
    if (CS_UNLIKELY(id == CS_TRACE_ID_C_Finalize) && cs_pkcs11_finalized != NULL)
        cs_pkcs11_finalized();
}

size_t cs_pkcs11_errors_read(cs_trace_record out_records[FUNCTIONS], cs_pkcs11_error_count *out_counts, size_t capacity,
                             uint64_t *out_unlisted)
{
    uint64_t codes[CS_TRACE_CODES];
    size_t found = 0;
    uint64_t unlisted = 0;

    for (size_t i = 0; i < FUNCTIONS; i++) {
        size_t id = CS_TRACE_ID_C_Initialize + i;
        cs_trace_record record;

        cs_trace_read_codes(id, &record, codes);
        unlisted += record.errors;
        if (out_records != NULL)
            out_records[i] = record;
        for (size_t place = 0; place < CS_TRACE_CODES; place++) {
            uint64_t code = 0;
            if (codes[place] == 0 || !cs_trace_code_at(place, id, &code))
                continue;
            unlisted -= codes[place];
            if (found < capacity)
                out_counts[found] = (cs_pkcs11_error_count){id, (CK_RV)code, codes[place]};
            found++;
        }
    }
    if (out_unlisted != NULL)
        *out_unlisted = unlisted;
    return found;
}

size_t cs_pkcs11_errors(cs_pkcs11_error_count *out_counts, size_t capacity, uint64_t *out_unlisted)
{
    return cs_pkcs11_errors_read(NULL, out_counts, capacity, out_unlisted);
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

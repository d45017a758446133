/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_arrays.c - arrays of structs that point to values.
 */
#include <string.h>

#include "cside/idioms.h"
#include "trace_scope.h"

/* Fowler-Noll-Vo hash 1a, offset basis and prime of RFC 9923. */
#define FNV64_BASIS 14695981039346656037u
#define FNV64_PRIME 1099511628211u

static uint64_t attrs_nbytes(const cs_attr *attrs, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += attrs[i].value == NULL ? 0 : attrs[i].value_nbytes;
    return sum;
}

static uint64_t fnv64(uint64_t hash, const uint8_t *data, size_t data_nbytes)
{
    for (size_t i = 0; i < data_nbytes; i++)
        hash = (hash ^ data[i]) * FNV64_PRIME;
    return hash;
}

CS_TRACED_VALUE(uint64_t, attrs_digest, (const cs_attr *attrs, size_t count), (attrs, count),
                attrs_nbytes(attrs, count), 0)
{
    uint64_t hash = FNV64_BASIS;

    for (size_t i = 0; i < count; i++) {
        uint32_t type = attrs[i].type;
        uint8_t bytes[4] = {(uint8_t)type, (uint8_t)(type >> 8), (uint8_t)(type >> 16), (uint8_t)(type >> 24)};
        hash = fnv64(hash, bytes, sizeof bytes);
        if (attrs[i].value != NULL)
            hash = fnv64(hash, attrs[i].value, attrs[i].value_nbytes);
    }
    return hash;
}

CS_TRACED_STATUS(attrs_get, (cs_attr * attrs, size_t count), (attrs, count), 0,
                 result == CS_OK ? attrs_nbytes(attrs, count) : 0)
{
    for (size_t i = 0; i < count; i++) {
        if (attrs[i].type > CS_ATTR_MAX_TYPE)
            return CS_E_NOT_FOUND;
    }
    for (size_t i = 0; i < count; i++) {
        if (attrs[i].value != NULL && attrs[i].value_nbytes < attrs[i].type % 64)
            return CS_E_TOO_SMALL;
    }
    for (size_t i = 0; i < count; i++) {
        attrs[i].value_nbytes = attrs[i].type % 64;
        if (attrs[i].value != NULL)
            memset(attrs[i].value, (int)(attrs[i].type % 256), attrs[i].value_nbytes);
    }
    return CS_OK;
}

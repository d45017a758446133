/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_buffers.c - bytes in, a writable buffer, outputs of unknown size.
 */
#include <string.h>

#include "cside/idioms.h"
#include "trace_scope.h"

CS_TRACED_VALUE(uint32_t, bytes_sum, (const uint8_t *data, size_t data_nbytes), (data, data_nbytes), data_nbytes, 0)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < data_nbytes; i++)
        sum += data[i];
    return sum;
}

CS_TRACED_VOID(buffer_fill, (uint8_t *out, size_t out_nbytes, uint8_t value), (out, out_nbytes, value), 0, out_nbytes)
{
    if (out_nbytes > 0)
        memset(out, value, out_nbytes);
}

CS_TRACED_STATUS(blob_get, (uint32_t index, uint8_t *out, size_t *inout_nbytes), (index, out, inout_nbytes), 0,
                 result == CS_OK && out != NULL ? *inout_nbytes : 0)
{
    size_t room = *inout_nbytes;

    if (index > CS_BLOB_MAX_NBYTES)
        return CS_E_NOT_FOUND;
    *inout_nbytes = index;
    if (out == NULL)
        return CS_OK;
    if (room < index)
        return CS_E_TOO_SMALL;
    for (uint32_t i = 0; i < index; i++)
        out[i] = (uint8_t)(i * 7u + index);
    return CS_OK;
}

CS_TRACED_STATUS(runs_expand,
                 (const uint8_t *data, size_t data_nbytes, uint8_t *out, size_t out_capacity, size_t *out_nbytes),
                 (data, data_nbytes, out, out_capacity, out_nbytes), data_nbytes, result == CS_OK ? *out_nbytes : 0)
{
    size_t used = 0;

    if (data_nbytes % 2 != 0)
        return CS_E_DATA;
    for (size_t i = 0; i < data_nbytes; i += 2) {
        size_t run = data[i];
        if (run > out_capacity - used)
            return CS_E_TOO_SMALL;
        if (run > 0)
            memset(out + used, data[i + 1], run);
        used += run;
    }
    *out_nbytes = used;
    return CS_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_data.c - buffers, outputs of unknown size, strings, structs.
 */
#include <stdlib.h>
#include <string.h>

#include "cside/idioms.h"
#include "trace_scope.h"

/* Fowler-Noll-Vo hash 1a, offset bases and primes of RFC 9923. */
#define FNV32_BASIS 2166136261u
#define FNV32_PRIME 16777619u
#define FNV64_BASIS 14695981039346656037u
#define FNV64_PRIME 1099511628211u

/* ---- byte buffers -------------------------------------------------------------------------------- */

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

/* ---- outputs of unknown size --------------------------------------------------------------------- */

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

/* ---- strings ------------------------------------------------------------------------------------- */

CS_TRACED_VALUE(size_t, string_length, (const char *text), (text), result, 0)
{
    return strlen(text);
}

CS_TRACED_VALUE(const char *, string_borrow, (uint32_t index), (index), 0, cs_text_nbytes(result))
{
    static const char *const texts[] = {
        "borrowed",
        "entlehnt \xE2\x86\x92 emprunt\xC3\xA9", /* an arrow and an e acute, in UTF-8 */
        "\xFF\xFE not UTF-8",
        "",
    };

    return index < sizeof texts / sizeof texts[0] ? texts[index] : NULL;
}

CS_TRACED_STATUS(string_repeat, (const char *text, uint32_t times, char **out_text), (text, times, out_text),
                 cs_text_nbytes(text), result == CS_OK ? cs_text_nbytes(*out_text) : 0)
{
    size_t text_nbytes = strlen(text);
    char *repeated = NULL;

    if (times > 0 && text_nbytes > (SIZE_MAX - 1) / times)
        return CS_E_MEMORY;
    repeated = malloc(text_nbytes * times + 1);
    if (repeated == NULL)
        return CS_E_MEMORY;
    for (uint32_t i = 0; text_nbytes > 0 && i < times; i++)
        memcpy(repeated + text_nbytes * i, text, text_nbytes);
    repeated[text_nbytes * times] = '\0';
    *out_text = repeated;
    return CS_OK;
}

CS_TRACED_VOID(string_free, (char *text), (text), 0, 0)
{
    free(text);
}

CS_TRACED_VOID(label_get, (uint32_t index, char out[CS_LABEL_NBYTES]), (index, out), 0, CS_LABEL_NBYTES)
{
    static const char prefix[] = "label ";
    char digits[10]; /* of the largest uint32_t */
    size_t used = sizeof prefix - 1, count = 0;

    memset(out, ' ', CS_LABEL_NBYTES);
    memcpy(out, prefix, used);
    do {
        digits[count++] = (char)('0' + index % 10);
        index /= 10;
    } while (index > 0);
    while (count > 0)
        out[used++] = digits[--count];
}

CS_TRACED_VALUE(uint32_t, label_hash, (const char label[CS_LABEL_NBYTES]), (label), CS_LABEL_NBYTES, 0)
{
    uint32_t hash = FNV32_BASIS;

    for (size_t i = 0; i < CS_LABEL_NBYTES; i++)
        hash = (hash ^ (uint8_t)label[i]) * FNV32_PRIME;
    return hash;
}

/* ---- structs ------------------------------------------------------------------------------------- */

CS_TRACED_VALUE(cs_point, point_add, (cs_point a, cs_point b), (a, b), 0, 0)
{
    return (cs_point){a.x + b.x, a.y + b.y};
}

CS_TRACED_VOID(box_fill, (cs_box * box, uint32_t tag), (box, tag), 0, 0)
{
    double base = (double)tag;

    box->min = (cs_point){base, base + 1};
    box->max = (cs_point){base + 2, base + 4};
    box->tag = tag;
}

CS_TRACED_VALUE(double, box_area, (const cs_box *box), (box), 0, 0)
{
    return (box->max.x - box->min.x) * (box->max.y - box->min.y);
}

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

CS_TRACED_STATUS(variant_double, (cs_variant * variant), (variant), 0, 0)
{
    uint8_t *bytes = variant->as.bytes;

    switch (variant->kind) {
    case CS_VARIANT_INTEGER:
        variant->as.integer = (int64_t)((uint64_t)variant->as.integer * 2u);
        return CS_OK;
    case CS_VARIANT_REAL:
        variant->as.real *= 2;
        return CS_OK;
    case CS_VARIANT_BYTES:
        for (size_t i = 0; i < 4; i++) {
            uint8_t byte = bytes[i];
            bytes[i] = bytes[7 - i];
            bytes[7 - i] = byte;
        }
        return CS_OK;
    default:
        return CS_E_ARGUMENT;
    }
}

CS_TRACED_STATUS(config_read, (const cs_config *config, cs_config_view *out_view), (config, out_view), 0, 0)
{
    size_t struct_nbytes = config->struct_nbytes;

    if (struct_nbytes != CS_CONFIG_V1_NBYTES && struct_nbytes != CS_CONFIG_NBYTES)
        return CS_E_VERSION;
    out_view->version = struct_nbytes == CS_CONFIG_NBYTES ? 2 : 1;
    out_view->retries = config->retries;
    out_view->timeout_s = config->timeout_s;
    out_view->flags = out_view->version >= 2 ? config->flags : 0;
    return CS_OK;
}

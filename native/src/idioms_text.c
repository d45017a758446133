/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_text.c - NUL-terminated strings in and out, fixed-width labels padded with spaces.
 */
#include <stdlib.h>
#include <string.h>

#include "cside/idioms.h"
#include "trace_scope.h"

/* Fowler-Noll-Vo hash 1a, offset basis and prime of RFC 9923. */
#define FNV32_BASIS 2166136261u
#define FNV32_PRIME 16777619u

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

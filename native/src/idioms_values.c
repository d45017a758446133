/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_values.c - enum, flags, union, bit-fields, and the constants of the public headers as text.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "cside/codec.h"
#include "cside/idioms.h"
#include "trace_scope.h"

CS_TRACED_VALUE(cs_color, color_next, (cs_color color), (color), 0, 0)
{
    switch (color) {
    case CS_COLOR_RED:
        return CS_COLOR_GREEN;
    case CS_COLOR_GREEN:
        return CS_COLOR_BLUE;
    case CS_COLOR_BLUE:
        return CS_COLOR_RED;
    case CS_COLOR_INVALID:
        break;
    }
    return CS_COLOR_INVALID;
}

CS_TRACED_STATUS(flags_toggle, (uint32_t flags, uint32_t mask, uint32_t *out_flags), (flags, mask, out_flags), 0, 0)
{
    if (((flags | mask) & ~CS_FLAG_ALL) != 0)
        return CS_E_ARGUMENT;
    *out_flags = flags ^ mask;
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

CS_TRACED_VALUE(uint32_t, bits_pack, (const cs_bits *bits), (bits), 0, 0)
{
    return (uint32_t)bits->mode | (uint32_t)bits->level << 3 | ((uint32_t)bits->delta & 15u) << 8 |
           (uint32_t)bits->flag << 12;
}

CS_TRACED_VOID(bits_unpack, (uint32_t word, cs_bits *out_bits), (word, out_bits), 0, 0)
{
    int delta = (int)(word >> 8 & 15u);

    out_bits->mode = word & 7u;
    out_bits->level = word >> 3 & 31u;
    out_bits->delta = delta < 8 ? delta : delta - 16;
    out_bits->flag = word >> 12 & 1u;
}

/* ---- constants ----------------------------------------------------------------------------------- */

struct constant {
    const char *name;
    const char *text; /* of a string constant; NULL for others */
    bool is_signed;
    uint64_t bits; /* the value, in two's complement if it is signed */
};

#define STRING(name) {#name, name, false, 0}
#define SIGNED(name) {#name, NULL, true, (uint64_t)(int64_t)(name)}
#define UNSIGNED(name) {#name, NULL, false, (uint64_t)(name)}

static const struct constant constants[] = {
    SIGNED(CS_CONST_INT),
    SIGNED(CS_CONST_NEGATIVE),
    UNSIGNED(CS_CONST_HEX),
    UNSIGNED(CS_CONST_CAST),
    UNSIGNED(CS_CONST_SHIFT),
    UNSIGNED(CS_CONST_EXPR),
    SIGNED(CS_CONST_CHAR),
    STRING(CS_CONST_STRING),
    SIGNED(CS_COLOR_INVALID),
    SIGNED(CS_COLOR_RED),
    SIGNED(CS_COLOR_GREEN),
    SIGNED(CS_COLOR_BLUE),
    UNSIGNED(CS_FLAG_READ),
    UNSIGNED(CS_FLAG_WRITE),
    UNSIGNED(CS_FLAG_EXEC),
    UNSIGNED(CS_FLAG_ALL),
    SIGNED(CS_VARIANT_INTEGER),
    SIGNED(CS_VARIANT_REAL),
    SIGNED(CS_VARIANT_BYTES),
    UNSIGNED(CS_CONFIG_V1_NBYTES),
    UNSIGNED(CS_CONFIG_NBYTES),
    SIGNED(CS_BLOB_MAX_NBYTES),
    SIGNED(CS_RUNS_FIRST_NBYTES),
    SIGNED(CS_LABEL_NBYTES),
    SIGNED(CS_ATTR_MAX_TYPE),
    SIGNED(CS_EACH_STOP),
    SIGNED(CS_VARARGS_MAX),
    SIGNED(CS_TRACE_BUCKETS),
    SIGNED(CS_VERSION_MAJOR),
    SIGNED(CS_VERSION_MINOR),
    SIGNED(CS_VERSION_PATCH),
    STRING(CS_VERSION_STRING),
    SIGNED(CS_NEED_DICT),
    SIGNED(CS_STREAM_END),
    SIGNED(CS_OK),
    SIGNED(CS_E_ERRNO),
    SIGNED(CS_E_STREAM),
    SIGNED(CS_E_DATA),
    SIGNED(CS_E_MEMORY),
    SIGNED(CS_E_BUFFER),
    SIGNED(CS_E_VERSION),
    SIGNED(CS_E_ARGUMENT),
    SIGNED(CS_E_TOO_SMALL),
    SIGNED(CS_E_NOT_FOUND),
    SIGNED(CS_E_CLOSED),
    SIGNED(CS_E_BUSY),
    SIGNED(CS_E_ABORTED),
    SIGNED(CS_E_STATE),
    SIGNED(CS_E_THREAD),
    SIGNED(CS_LEVEL_NONE),
    SIGNED(CS_LEVEL_FASTEST),
    SIGNED(CS_LEVEL_BEST),
    SIGNED(CS_LEVEL_DEFAULT),
    SIGNED(CS_METHOD_DEFLATED),
    SIGNED(CS_MEM_LEVEL_DEFAULT),
    SIGNED(CS_STRATEGY_DEFAULT),
    SIGNED(CS_STRATEGY_FILTERED),
    SIGNED(CS_STRATEGY_HUFFMAN_ONLY),
    SIGNED(CS_STRATEGY_RLE),
    SIGNED(CS_STRATEGY_FIXED),
    SIGNED(CS_FLUSH_NONE),
    SIGNED(CS_FLUSH_PARTIAL),
    SIGNED(CS_FLUSH_SYNC),
    SIGNED(CS_FLUSH_FULL),
    SIGNED(CS_FLUSH_FINISH),
    SIGNED(CS_FLUSH_BLOCK),
    SIGNED(CS_FLUSH_TREES),
    SIGNED(CS_WINDOW_BITS_MAX),
    SIGNED(CS_WINDOW_BITS_GZIP),
    SIGNED(CS_WINDOW_BITS_AUTO),
    SIGNED(CS_OUT_FIRST_NBYTES),
    SIGNED(CS_CHECKSUM_LONG_NBYTES),
    SIGNED(CS_PROGRESS_NBYTES),
};

#define CONSTANTS (sizeof constants / sizeof constants[0])
#define TEXT_NBYTES 24 /* room for any 64-bit number */

static char texts[CONSTANTS][TEXT_NBYTES];
static char float_text[TEXT_NBYTES];
static pthread_once_t texts_once = PTHREAD_ONCE_INIT;

/* printf() is not used, because its decimal point depends on the locale. */
static void write_float(double value, char *out)
{
    int64_t whole = (int64_t)value;
    size_t used = (size_t)snprintf(out, TEXT_NBYTES, "%" PRId64 ".", whole);
    double rest = value - (double)whole;

    do {
        int digit = (int)(rest * 10);
        out[used++] = (char)('0' + digit);
        rest = rest * 10 - digit;
    } while (rest > 0 && used + 1 < TEXT_NBYTES);
    out[used] = '\0';
}

static void write_texts(void)
{
    for (size_t i = 0; i < CONSTANTS; i++) {
        if (constants[i].is_signed)
            snprintf(texts[i], TEXT_NBYTES, "%" PRId64, (int64_t)constants[i].bits);
        else
            snprintf(texts[i], TEXT_NBYTES, "%" PRIu64, constants[i].bits);
    }
    write_float(CS_CONST_FLOAT, float_text);
}

CS_TRACED_VALUE(const char *, const_text, (const char *name), (name), cs_text_nbytes(name), cs_text_nbytes(result))
{
    pthread_once(&texts_once, write_texts);
    if (strcmp(name, "CS_CONST_FLOAT") == 0)
        return float_text;
    for (size_t i = 0; i < CONSTANTS; i++) {
        if (strcmp(name, constants[i].name) == 0)
            return constants[i].text != NULL ? constants[i].text : texts[i];
    }
    return NULL;
}

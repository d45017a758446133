/* SPDX-License-Identifier: Apache-2.0
 *
 * What only a compiler can do: a macro, an inline function, and bit-fields by the compiler's own rules. And the union:
 * in Python three steps more, C does in one crossing.
 */
#include <stdint.h>
#include <string.h>

#include "cside/idioms.h"

static int32_t shim_macro_clamp(int32_t x, int32_t lo, int32_t hi)
{
    return CS_MACRO_CLAMP(x, lo, hi);
}

static uint32_t shim_inline_rotl(uint32_t value, uint32_t bits)
{
    return cs_inline_rotl(value, bits);
}

static cs_status shim_variant_integer(int64_t value, int64_t *out_value)
{
    cs_variant variant = {.kind = CS_VARIANT_INTEGER, .as.integer = value};
    cs_status status = cs_variant_double(&variant);

    *out_value = variant.as.integer;
    return status;
}

static cs_status shim_variant_real(double value, double *out_value)
{
    cs_variant variant = {.kind = CS_VARIANT_REAL, .as.real = value};
    cs_status status = cs_variant_double(&variant);

    *out_value = variant.as.real;
    return status;
}

static cs_status shim_variant_bytes(const char *value, char *out_value)
{
    cs_variant variant = {.kind = CS_VARIANT_BYTES};
    cs_status status;

    memcpy(variant.as.bytes, value, sizeof(variant.as.bytes));
    status = cs_variant_double(&variant);
    memcpy(out_value, variant.as.bytes, sizeof(variant.as.bytes));
    return status;
}

/* -1 where a number does not fit its field. */
static int32_t shim_bits_pack(uint32_t mode, uint32_t level, int32_t delta, uint32_t flag)
{
    cs_bits bits = {
        .mode = mode & 7u, .level = level & 31u, .delta = delta < -8 || delta > 7 ? 0 : delta, .flag = flag & 1u};

    if (bits.mode != mode || bits.level != level || bits.delta != delta || bits.flag != flag) {
        return -1;
    }
    return (int32_t)cs_bits_pack(&bits);
}

static void shim_bits_unpack(uint32_t word, int32_t fields[4])
{
    cs_bits bits;

    cs_bits_unpack(word, &bits);
    fields[0] = (int32_t)bits.mode;
    fields[1] = (int32_t)bits.level;
    fields[2] = bits.delta;
    fields[3] = (int32_t)bits.flag;
}

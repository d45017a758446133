/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_scalars.c - no-op, scalars, enum, flags, bit-fields, varargs, spinning.
 */
#include <stdarg.h>

#include "cside/idioms.h"
#include "trace_scope.h"

CS_TRACED_VOID(noop, (void), (), 0, 0)
{
}

/* Signed sums are made unsigned, where wrapping is defined; the way back to signed is gcc's and clang's modulo rule. */

CS_TRACED_VALUE(int8_t, i8_add, (int8_t a, int8_t b), (a, b), 0, 0)
{
    return (int8_t)(uint8_t)((uint8_t)a + (uint8_t)b);
}

CS_TRACED_VALUE(uint8_t, u8_add, (uint8_t a, uint8_t b), (a, b), 0, 0)
{
    return (uint8_t)(a + b);
}

CS_TRACED_VALUE(int16_t, i16_add, (int16_t a, int16_t b), (a, b), 0, 0)
{
    return (int16_t)(uint16_t)((uint16_t)a + (uint16_t)b);
}

CS_TRACED_VALUE(uint16_t, u16_add, (uint16_t a, uint16_t b), (a, b), 0, 0)
{
    return (uint16_t)(a + b);
}

CS_TRACED_VALUE(int32_t, i32_add, (int32_t a, int32_t b), (a, b), 0, 0)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

CS_TRACED_VALUE(uint32_t, u32_add, (uint32_t a, uint32_t b), (a, b), 0, 0)
{
    return a + b;
}

CS_TRACED_VALUE(int64_t, i64_add, (int64_t a, int64_t b), (a, b), 0, 0)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

CS_TRACED_VALUE(uint64_t, u64_add, (uint64_t a, uint64_t b), (a, b), 0, 0)
{
    return a + b;
}

CS_TRACED_VALUE(float, f32_add, (float a, float b), (a, b), 0, 0)
{
    return a + b;
}

CS_TRACED_VALUE(double, f64_add, (double a, double b), (a, b), 0, 0)
{
    return a + b;
}

CS_TRACED_VALUE(bool, bool_not, (bool value), (value), 0, 0)
{
    return !value;
}

CS_TRACED_VALUE(double, mixed_sum, (int32_t a, uint64_t b, double c, bool d, int8_t e, float f), (a, b, c, d, e, f), 0,
                0)
{
    return (double)a + (double)b + c + (d ? 1.0 : 0.0) + (double)e + (double)f;
}

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

static int64_t varargs_sum_body(uint32_t count, va_list values)
{
    uint64_t sum = 0;

    while (count-- > 0)
        sum += (uint64_t)va_arg(values, int64_t);
    return (int64_t)sum;
}

/* By hand: a variadic function cannot hand its arguments to a body of the same shape. */
int64_t cs_varargs_sum(uint32_t count, ...)
{
    bool traced = cs_trace_is_on();
    uint64_t trace_start = traced ? cs_trace_ticks() : 0;
    int64_t sum = 0;
    va_list values;

    va_start(values, count);
    sum = varargs_sum_body(count, values);
    va_end(values);
    if (traced)
        cs_trace_count_call(CS_TRACE_ID_varargs_sum, trace_start, false, 0, 0);
    return sum;
}

/* xorshift64 of G. Marsaglia, "Xorshift RNGs" (2003), with the shifts and the seed of its example. */
CS_TRACED_VALUE(uint64_t, spin, (uint64_t iterations), (iterations), 0, 0)
{
    uint64_t state = 88172645463325252u;

    while (iterations-- > 0) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state;
}

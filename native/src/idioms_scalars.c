/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_scalars.c - a call that does nothing, scalars of each width, six mixed arguments, varargs.
 */
#include <stdarg.h>

#include "cside/idioms.h"
#include "trace_scope.h"

CS_TRACED_VOID(noop, (void), (), 0, 0)
{
}

/* Signed sums are computed as unsigned, for which C defines overflow. The conversion back to signed is implementation-
 * defined; gcc and clang reduce modulo 2^N. */

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

static int64_t varargs_sum_body(uint32_t count, va_list values)
{
    uint64_t sum = 0;

    while (count-- > 0)
        sum += (uint64_t)va_arg(values, int64_t);
    return (int64_t)sum;
}

/* Not by CS_TRACED_VALUE(): a variadic function cannot pass its arguments on to another variadic function. */
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

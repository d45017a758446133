/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a sum that is not reduced to its width, or undefined behaviour at the limits of a width.
 */
#include <math.h>

#include "check.h"
#include "cside/idioms.h"

int main(void)
{
    double mixed = 0;

    cs_noop();
    CHECK_EQ(cs_i8_add(INT8_MAX, 1), INT8_MIN);
    CHECK_EQ(cs_i8_add(INT8_MIN, INT8_MIN), 0);
    CHECK_EQ(cs_u8_add(UINT8_MAX, 2), 1);
    CHECK_EQ(cs_i16_add(INT16_MAX, INT16_MAX), -2);
    CHECK_EQ(cs_u16_add(UINT16_MAX, UINT16_MAX), UINT16_MAX - 1);
    CHECK_EQ(cs_i32_add(INT32_MAX, 1), INT32_MIN);
    CHECK_EQ(cs_i32_add(INT32_MIN, -1), INT32_MAX);
    CHECK_EQ(cs_u32_add(UINT32_MAX, 1), 0);
    CHECK(cs_i64_add(INT64_MAX, 1) == INT64_MIN);
    CHECK(cs_i64_add(INT64_MIN, INT64_MIN) == 0);
    CHECK(cs_u64_add(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    CHECK(cs_f32_add(1.5f, 2.25f) == 3.75f);
    CHECK(isinf(cs_f32_add(3e38f, 3e38f)));
    CHECK(cs_f64_add(0.5, -0.25) == 0.25);
    CHECK(isnan(cs_f64_add((double)INFINITY, -(double)INFINITY)));
    CHECK(cs_bool_not(false) && !cs_bool_not(true));

    mixed = cs_mixed_sum(-1, UINT64_C(1) << 40, 0.5, true, -8, 0.25f);
    CHECK(mixed == -1.0 + 1099511627776.0 + 0.5 + 1.0 - 8.0 + 0.25);

    CHECK_EQ(cs_varargs_sum(0), 0);
    CHECK_EQ(cs_varargs_sum(1, INT64_C(5)), 5);
    CHECK_EQ(cs_varargs_sum(8, INT64_C(1), INT64_C(2), INT64_C(3), INT64_C(4), INT64_C(5), INT64_C(6), INT64_C(7),
                            INT64_C(8)),
             36);
    CHECK(cs_varargs_sum(2, INT64_MAX, INT64_C(1)) == INT64_MIN);
    return 0;
}

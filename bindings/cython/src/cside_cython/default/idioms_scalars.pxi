# SPDX-License-Identifier: Apache-2.0
# Idioms, scalars: no argument, integers, floats, several types at once.


def noop():
    """Call a function that does nothing."""
    cs_noop()


def i32_add(a, b, /):
    """Sum of two int32_t, modulo 2**32."""
    return cs_i32_add(PyNumber_Index(a), PyNumber_Index(b))


def f64_add(double a, double b, /):
    """Sum of two floats in double precision."""
    return cs_f64_add(a, b)


def mixed_sum(a, b, double c, bint d, e, float f, /):
    """Sum of an int32_t, a uint64_t, a double, a bool, an int8_t and a float."""
    return cs_mixed_sum(PyNumber_Index(a), PyNumber_Index(b), c, d, PyNumber_Index(e), f)

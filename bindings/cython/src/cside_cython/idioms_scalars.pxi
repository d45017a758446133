# SPDX-License-Identifier: Apache-2.0
# Idioms, scalars: no argument, integers and floats of each width, several types at once, a variadic function.


def noop():
    """Call a function that does nothing."""
    cs_noop()


# ---- numbers of each width --------------------------------------------------------------------------

def i8_add(a, b, /):
    """Sum of two int8_t, modulo 2**8."""
    return cs_i8_add(as_i8(a), as_i8(b))


def u8_add(a, b, /):
    """Sum of two uint8_t, modulo 2**8."""
    return cs_u8_add(as_u8(a), as_u8(b))


def i16_add(a, b, /):
    """Sum of two int16_t, modulo 2**16."""
    return cs_i16_add(as_i16(a), as_i16(b))


def u16_add(a, b, /):
    """Sum of two uint16_t, modulo 2**16."""
    return cs_u16_add(as_u16(a), as_u16(b))


def i32_add(a, b, /):
    """Sum of two int32_t, modulo 2**32."""
    return cs_i32_add(as_i32(a), as_i32(b))


def u32_add(a, b, /):
    """Sum of two uint32_t, modulo 2**32."""
    return cs_u32_add(as_u32(a), as_u32(b))


def i64_add(a, b, /):
    """Sum of two int64_t, modulo 2**64."""
    return cs_i64_add(as_i64(a), as_i64(b))


def u64_add(a, b, /):
    """Sum of two uint64_t, modulo 2**64."""
    return cs_u64_add(as_u64(a), as_u64(b))


def f32_add(float a, float b, /):
    """Sum of two floats in single precision."""
    return cs_f32_add(a, b)


def f64_add(double a, double b, /):
    """Sum of two floats in double precision."""
    return cs_f64_add(a, b)


def bool_not(bint value, /):
    """Negation of the truth value of an object."""
    return cs_bool_not(value)


# ---- several arguments ------------------------------------------------------------------------------

def mixed_sum(a, b, c, d, e, f, /):
    """Sum of an int32_t, a uint64_t, a double, a bool, an int8_t and a float."""
    return cs_mixed_sum(as_i32(a), as_u64(b), c, d, as_i8(e), f)


cdef object NO_VALUE = object()


# The eight arguments are optional and not `*values`, because Cython would make a tuple of those.
@cython.embedsignature(False)
def varargs_sum(a=NO_VALUE, b=NO_VALUE, c=NO_VALUE, d=NO_VALUE, e=NO_VALUE, f=NO_VALUE, g=NO_VALUE, h=NO_VALUE, /):
    """varargs_sum(*values)
--

Sum of up to eight int64_t, modulo 2**64, by a variadic C function."""
    cdef int64_t v[8]
    # The number of arguments of a C call is fixed at compile time, so that each number has a call of its own.
    if a is NO_VALUE:
        return cs_varargs_sum(0)
    v[0] = as_i64(a)
    if b is NO_VALUE:
        return cs_varargs_sum(1, v[0])
    v[1] = as_i64(b)
    if c is NO_VALUE:
        return cs_varargs_sum(2, v[0], v[1])
    v[2] = as_i64(c)
    if d is NO_VALUE:
        return cs_varargs_sum(3, v[0], v[1], v[2])
    v[3] = as_i64(d)
    if e is NO_VALUE:
        return cs_varargs_sum(4, v[0], v[1], v[2], v[3])
    v[4] = as_i64(e)
    if f is NO_VALUE:
        return cs_varargs_sum(5, v[0], v[1], v[2], v[3], v[4])
    v[5] = as_i64(f)
    if g is NO_VALUE:
        return cs_varargs_sum(6, v[0], v[1], v[2], v[3], v[4], v[5])
    v[6] = as_i64(g)
    if h is NO_VALUE:
        return cs_varargs_sum(7, v[0], v[1], v[2], v[3], v[4], v[5], v[6])
    return cs_varargs_sum(8, v[0], v[1], v[2], v[3], v[4], v[5], v[6], as_i64(h))

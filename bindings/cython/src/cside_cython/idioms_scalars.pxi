# SPDX-License-Identifier: Apache-2.0
# Idioms, scalars: no argument, integers and floats of each width, several types at once, a variadic function.


def noop():
    """Call a C function that does nothing."""
    cs_noop()


# ---- numbers of each width --------------------------------------------------------------------------

def i8_add(a, b, /):
    """Return the sum of two ``int8_t``, modulo 2**8, in two's complement.

    Each argument is in the range from -128 to 127.

    Raises `OverflowError` if an argument does not fit ``int8_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_i8_add(as_i8(a), as_i8(b))


def u8_add(a, b, /):
    """Return the sum of two ``uint8_t``, modulo 2**8.

    Each argument is in the range from 0 to 255.

    Raises `OverflowError` if an argument does not fit ``uint8_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_u8_add(as_u8(a), as_u8(b))


def i16_add(a, b, /):
    """Return the sum of two ``int16_t``, modulo 2**16, in two's complement.

    Each argument is in the range from -32,768 to 32,767.

    Raises `OverflowError` if an argument does not fit ``int16_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_i16_add(as_i16(a), as_i16(b))


def u16_add(a, b, /):
    """Return the sum of two ``uint16_t``, modulo 2**16.

    Each argument is in the range from 0 to 65,535.

    Raises `OverflowError` if an argument does not fit ``uint16_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_u16_add(as_u16(a), as_u16(b))


def i32_add(a, b, /):
    """Return the sum of two ``int32_t``, modulo 2**32, in two's complement.

    Each argument is in the range from -2**31 to 2**31 - 1.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_i32_add(as_i32(a), as_i32(b))


def u32_add(a, b, /):
    """Return the sum of two ``uint32_t``, modulo 2**32.

    Each argument is in the range from 0 to 2**32 - 1.

    Raises `OverflowError` if an argument does not fit ``uint32_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_u32_add(as_u32(a), as_u32(b))


def i64_add(a, b, /):
    """Return the sum of two ``int64_t``, modulo 2**64, in two's complement.

    Each argument is in the range from -2**63 to 2**63 - 1.

    Raises `OverflowError` if an argument does not fit ``int64_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_i64_add(as_i64(a), as_i64(b))


def u64_add(a, b, /):
    """Return the sum of two ``uint64_t``, modulo 2**64.

    Each argument is in the range from 0 to 2**64 - 1.

    Raises `OverflowError` if an argument does not fit ``uint64_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_u64_add(as_u64(a), as_u64(b))


def f32_add(float a, float b, /):
    """Return the sum of two numbers in single precision, the C type ``float``.

    Arguments and sum are rounded to the nearest C ``float``, and are infinite beyond its range.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """
    return cs_f32_add(a, b)


def f64_add(double a, double b, /):
    """Return the sum of two numbers in double precision, the C type ``double``.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """
    return cs_f64_add(a, b)


def bool_not(bint value, /):
    """Return the negated truth value of any object.

    An exception that the object's ``__bool__`` raises is passed on.
    """
    return cs_bool_not(value)


# ---- several arguments ------------------------------------------------------------------------------

def mixed_sum(a, b, c, d, e, f, /):
    """Return the sum of six arguments of six C types, in double precision.

    The types are, in order, ``int32_t``, ``uint64_t``, ``double``, ``bool``, ``int8_t`` and
    ``float``. The truth value of ``d`` counts as 1 or 0.

    Raises `OverflowError` if an argument does not fit its integer type, or is an integer too
    large for a Python float; `TypeError` if an integer argument has no ``__index__``, or a
    floating-point argument is text or ``float()`` does not take it.
    """
    return cs_mixed_sum(as_i32(a), as_u64(b), c, d, as_i8(e), f)


cdef object NO_VALUE = object()


# The eight arguments are optional and not `*values`, because Cython would make a tuple of those.
@cython.embedsignature(False)
def varargs_sum(a=NO_VALUE, b=NO_VALUE, c=NO_VALUE, d=NO_VALUE, e=NO_VALUE, f=NO_VALUE, g=NO_VALUE, h=NO_VALUE, /):
    """varargs_sum(*values)
--

    Return the sum of up to eight ``int64_t``, modulo 2**64, in two's complement.

    Raises `TypeError` if there are more than eight arguments or one has no ``__index__``;
    `OverflowError` if an argument does not fit ``int64_t``.
    """
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

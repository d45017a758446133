# SPDX-License-Identifier: Apache-2.0
# Idioms, scalars: no argument, integers, floats, several types at once.


def noop():
    """Call a C function that does nothing."""
    cs_noop()


def i32_add(a, b, /):
    """Return the sum of two ``int32_t``, modulo 2**32, in two's complement.

    Each argument is in the range from -2**31 to 2**31 - 1.

    Raises `OverflowError` if an argument does not fit ``int32_t``; `TypeError` if it has no
    ``__index__``.
    """
    return cs_i32_add(PyNumber_Index(a), PyNumber_Index(b))


def f64_add(double a, double b, /):
    """Return the sum of two numbers in double precision, the C type ``double``.

    Raises `OverflowError` if an integer is too large for a Python float; `TypeError` if an
    argument is text or ``float()`` does not take it.
    """
    return cs_f64_add(a, b)


def mixed_sum(a, b, double c, bint d, e, float f, /):
    """Return the sum of six arguments of six C types, in double precision.

    The types are, in order, ``int32_t``, ``uint64_t``, ``double``, ``bool``, ``int8_t`` and
    ``float``. The truth value of ``d`` counts as 1 or 0.

    Raises `OverflowError` if an argument does not fit its integer type, or is an integer too
    large for a Python float; `TypeError` if an integer argument has no ``__index__``, or a
    floating-point argument is text or ``float()`` does not take it.
    """
    return cs_mixed_sum(PyNumber_Index(a), PyNumber_Index(b), c, d, PyNumber_Index(e), f)

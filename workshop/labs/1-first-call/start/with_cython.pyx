"""Cython: Python with C declarations, which is translated to C."""

from libc.stdint cimport int32_t

cdef extern from "cside/idioms.h":
    double cs_f64_add(double a, double b)
    # TODO: int32_t cs_i32_add(int32_t a, int32_t b)


def f64_add(double a, double b):
    return cs_f64_add(a, b)


# TODO: i32_add

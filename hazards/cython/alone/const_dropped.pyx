# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
cdef extern from "hz.h":
    const char *hz_motto()


def written():
    cdef char *motto = hz_motto()
    motto[0] = b"N"
    return chr(motto[0])

# SPDX-License-Identifier: Apache-2.0
# cython: language_level=3
cdef extern from "hz.h":
    int hz_open(int value)  # returns a pointer
    ctypedef struct hz_handle:
        pass
    int hz_value(const hz_handle *handle)


def value_of_opened(int value):
    handle = hz_open(value)
    return hz_value(<hz_handle *><size_t>handle)

"""Cython: a first attempt, which takes bytes and nothing else."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t

cdef extern from "cside/idioms.h":
    uint32_t cs_bytes_sum(const uint8_t *data, size_t data_nbytes)
    void cs_buffer_fill(uint8_t *out, size_t out_nbytes, uint8_t value)


def bytes_sum(bytes data):
    """The sum of all bytes of any contiguous buffer, modulo 2**32."""
    return cs_bytes_sum(data, len(data))


def buffer_fill(bytes out, uint8_t value):
    """Set every byte of a writable contiguous buffer, in place."""
    cs_buffer_fill(out, len(out), value)

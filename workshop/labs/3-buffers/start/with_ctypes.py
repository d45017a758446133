"""ctypes: a first attempt, which copies, and counts items where C counts bytes."""

import ctypes

import cside_native

_library = ctypes.CDLL(str(cside_native.library()))

_bytes_sum = _library.cs_bytes_sum
_bytes_sum.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_bytes_sum.restype = ctypes.c_uint32

_buffer_fill = _library.cs_buffer_fill
_buffer_fill.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint8]
_buffer_fill.restype = None


def bytes_sum(data):
    """The sum of all bytes of any contiguous buffer, modulo 2**32."""
    return _bytes_sum(bytes(data), len(data))


def buffer_fill(out, value):
    """Set every byte of a writable contiguous buffer, in place."""
    _buffer_fill(bytes(out), len(out), value)

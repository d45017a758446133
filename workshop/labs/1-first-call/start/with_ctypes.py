"""ctypes: the types are told at run time, and nothing is compiled."""

import ctypes

import cside_native

_library = ctypes.CDLL(str(cside_native.library()))

f64_add = _library.cs_f64_add
f64_add.argtypes = [ctypes.c_double, ctypes.c_double]
f64_add.restype = ctypes.c_double

# TODO: int32_t cs_i32_add(int32_t a, int32_t b)

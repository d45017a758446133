"""cffi in API mode: declarations as in the header; the C compiler compares them with the header."""

import cffi

builder = cffi.FFI()
builder.cdef("""
    double cs_f64_add(double a, double b);
    // TODO: int32_t cs_i32_add(int32_t a, int32_t b)
""")
builder.set_source("_with_cffi", '#include "cside/idioms.h"')

if __name__ == "__main__":
    builder.emit_c_code("_with_cffi.c")

"""cffi in API mode: the C compiler knows the real layout, and cffi compares it with this one."""

import cffi

builder = cffi.FFI()
builder.cdef("""
    typedef struct { double x, y; } cs_point;
    typedef struct { uint32_t tag; cs_point min, max; } cs_box;

    cs_point cs_point_add(cs_point a, cs_point b);
    void cs_box_fill(cs_box *box, uint32_t tag);
    double cs_box_area(const cs_box *box);

    // TODO: cs_attr and cs_attrs_digest
""")
builder.set_source("_with_cffi", '#include "cside/idioms.h"')

if __name__ == "__main__":
    builder.emit_c_code("_with_cffi.c")

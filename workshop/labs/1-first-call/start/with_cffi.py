"""The Python side of the cffi module that build_cffi.py describes."""

from _with_cffi import lib

f64_add = lib.cs_f64_add

# TODO: i32_add

# SPDX-License-Identifier: Apache-2.0
"""Lab 1: each technique has `i32_add`, and it keeps the same contract in all five."""

from workshop.checking import Findings

TECHNIQUES = ("ctypes", "cffi", "cython", "swig", "cext")
OVERFLOW = {
    "ctypes": "c_int32 keeps the low 32 bits of any int. ctypes does no range check, so yours has to.",
    "cffi": "The type in cdef() has to be int32_t, for which cffi checks the range.",
    "cython": "The argument has to become an int32_t: Cython checks the range in that conversion.",
    "swig": "With the prototype of the header and stdint.i, SWIG checks the range.",
    "cext": 'The format "i" of PyArg_ParseTuple checks the range of a C int.',
}
FLOATS = {
    "ctypes": "operator.index() accepts what Python accepts as an index, and refuses a float.",
    "cffi": "cffi refuses a float for an integer type: see which type you declared.",
    "cython": "An argument typed int32_t is converted by __int__, so that 1.5 becomes 1. Take objects, and convert "
    "them by PyNumber_Index of cpython.number.",
    "swig": "With the prototype of the header SWIG refuses a float: see which type you declared.",
    "cext": 'The format "i" refuses a float: see which format you used.',
}


def check(found: Findings) -> None:
    """Ask the same four questions of every technique."""
    found.build()
    for name in TECHNIQUES:
        ask = f"from with_{name} import i32_add\n"
        there = "Write i32_add beside f64_add, build, and try it: python -c 'import with_" + name + "'."
        if found.ask(f"{name}: i32_add(2, 3) is 5", ask + "same(i32_add(2, 3), 5)", why=there):
            found.ask(
                f"{name}: i32_add(2**31 - 1, 1) is -2**31, as the header says",
                ask + "same(i32_add(2**31 - 1, 1), -2**31)",
                why="The sum is modulo 2^32, and the result is signed.",
            )
            found.ask(
                f"{name}: i32_add(2**31, 0) raises OverflowError",
                ask + "raises(OverflowError, i32_add, 2**31, 0)",
                why=OVERFLOW[name],
            )
            found.ask(
                f"{name}: i32_add(1.5, 1) raises TypeError",
                ask + "raises(TypeError, i32_add, 1.5, 1)",
                why=FLOATS[name],
            )

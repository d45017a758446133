// SPDX-License-Identifier: Apache-2.0
//
// arguments.cpp - the slow paths of arguments.hpp.
#include "arguments.hpp"

#include <climits>

/** The int of an object with __index__. */
static py::object index_of(py::handle object)
{
    return PyLong_Check(object.ptr()) ? py::reinterpret_borrow<py::object>(object)
                                      : stolen(PyNumber_Index(object.ptr()));
}

void throw_out_of_range(bool large, const char *what)
{
    PyErr_Format(PyExc_OverflowError, "Python int too %s to convert to %s", large ? "large" : "small", what);
    throw_python_error();
}

std::int64_t to_integer_slowly(py::handle object, std::int64_t low, std::int64_t high, const char *what)
{
    const py::object number = index_of(object);
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);

    if (value == -1 && overflow == 0 && PyErr_Occurred() != nullptr) {
        throw_python_error();
    }
    if (overflow != 0 || value < low || value > high) {
        throw_out_of_range(overflow > 0 || (overflow == 0 && value > high), what);
    }
    return value;
}

std::uint64_t to_u64_slowly(py::handle object)
{
    const py::object number = index_of(object);
    const unsigned long long value = PyLong_AsUnsignedLongLong(number.ptr());

    if (value == ULLONG_MAX && PyErr_Occurred() != nullptr) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) {
            throw_python_error();
        }
        int overflow = 0; // the texts of the interpreters differ

        PyErr_Clear();
        const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
        throw_out_of_range(overflow > 0 || (overflow == 0 && small >= 0), "uint64_t");
    }
    return value;
}

std::uint32_t to_u32_modulo_slowly(py::handle object)
{
    const py::object number = index_of(object);
    const unsigned long value = PyLong_AsUnsignedLongMask(number.ptr());

    if (value == ULONG_MAX && PyErr_Occurred() != nullptr) {
        throw_python_error();
    }
    return static_cast<std::uint32_t>(value);
}

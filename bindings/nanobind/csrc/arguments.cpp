/* SPDX-License-Identifier: Apache-2.0
 *
 * arguments.cpp - the slow paths of arguments.hpp.
 */
#include "arguments.hpp"
#include "limited_api.hpp"

namespace cside
{

namespace
{

/** The int of an object with __index__, or null. For an int PyNumber_Index() is slow on PyPy. */
nb::object as_index(nb::handle object)
{
    return PyLong_Check(object.ptr()) ? nb::borrow(object) : nb::steal(PyNumber_Index(object.ptr()));
}

bool out_of_range(bool large, const char *what)
{
    PyErr_Format(PyExc_OverflowError, "Python int too %s to convert to %s", large ? "large" : "small", what);
    return false;
}

} // namespace

nb::object fail(PyObject *type, const char *message)
{
    PyErr_SetString(type, message);
    return nb::object();
}

nb::object fail_type(const char *required, nb::handle object)
{
    type_error(required, " is required, not ", object, "");
    return nb::object();
}

bool convert_slow(nb::handle object, int64_t low, int64_t high, const char *what, int64_t &out)
{
    nb::object number = as_index(object);
    int overflow = 0;

    if (!number.is_valid()) {
        return false;
    }
    int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (value == -1 && overflow == 0 && PyErr_Occurred()) {
        return false;
    }
    if (overflow != 0 || value < low || value > high) {
        return out_of_range(overflow > 0 || (overflow == 0 && value > high), what);
    }
    out = value;
    return true;
}

bool convert_slow(nb::handle object, uint64_t &out)
{
    nb::object number = as_index(object);
    int overflow = 0;

    if (!number.is_valid()) {
        return false;
    }
    unsigned long long value = PyLong_AsUnsignedLongLong(number.ptr());
    if (value == static_cast<unsigned long long>(-1) && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) {
            return false;
        }
        PyErr_Clear(); /* the texts of the interpreters differ */
        int64_t small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
        return out_of_range(overflow > 0 || (overflow == 0 && small >= 0), "uint64_t");
    }
    out = value;
    return true;
}

bool convert_slow(nb::handle object, double &out)
{
    out = PyFloat_AsDouble(object.ptr());
    return out != -1.0 || !PyErr_Occurred();
}

bool convert_modulo(nb::handle object, uint32_t &out)
{
    int64_t value = 0;

    if (nb::try_cast<int64_t>(object, value, false)) {
        out = static_cast<uint32_t>(value);
        return true;
    }
    nb::object number = as_index(object);
    if (!number.is_valid()) {
        return false;
    }
    unsigned long modulo = PyLong_AsUnsignedLongMask(number.ptr());
    out = static_cast<uint32_t>(modulo);
    return modulo != static_cast<unsigned long>(-1) || !PyErr_Occurred();
}

bool convert_slow(nb::handle object, utf8 &out)
{
    Py_ssize_t nbytes = 0;

    if (!PyUnicode_Check(object.ptr())) {
        fail_type("a str", object);
        return false;
    }
    out.data = PyUnicode_AsUTF8AndSize(object.ptr(), &nbytes);
    out.nbytes = static_cast<size_t>(nbytes);
    return out.data != nullptr;
}

} // namespace cside

// SPDX-License-Identifier: Apache-2.0
//
// errors.hpp - exceptions for a status of the library, and for what Python's C API or an argument has refused.
//
// A function of pybind11 reports an error by a C++ exception only: if it returns a null object with Python's error set,
// the dispatcher raises a TypeError of its own in place of that error.
#pragma once

#include "_core.hpp"

#include <cside/status.h>

#include <exception>

/** What is thrown while Python's error is set. The error stays set, and a translator lets it pass as it is.
 *
 *  With py::error_already_set in its place failing calls left objects behind on CPython 3.14, up to a bound: likely because
 *  it looks for `__notes__` in the error by a new str each time, some of which a cache of the interpreter keeps. */
class python_error : public std::exception
{
};

/** Register the translator of python_error. */
void register_python_error();

/** Throw the error that Python's C API has set. */
[[noreturn]] void throw_python_error();

/** Throw an exception of this type, one of Python's own, with this text. */
[[noreturn]] void throw_error(PyObject *type, const char *text);

/** Throw a MemoryError without a text. */
[[noreturn]] void throw_no_memory();

/** Throw a TypeError: "`required` is required, not 'TYPE'", where TYPE is the type of `object`. */
[[noreturn]] void throw_bad_type(const char *required, py::handle object);

/** Throw the exception for a negative status. */
[[noreturn]] void throw_status(cs_status status);

/** Throw the exception for a status if it is a failure. */
inline void check(cs_status status)
{
    if (status < 0) {
        throw_status(status);
    }
}

/** The method __reduce__ of all classes, which pickle and copy call for every protocol: throw TypeError, because a pickle
 *  could not keep what an object of C has. Python's own method would make an object of pybind11's base class, in which
 *  pybind11 throws an exception that ends the process. */
[[noreturn]] py::object refuse_pickle(const py::object &self);

/** The object of a new reference; throws the error that is set where there is none. */
template <typename T = py::object> T stolen(PyObject *object)
{
    if (object == nullptr) {
        throw_python_error();
    }
    return py::reinterpret_steal<T>(object);
}

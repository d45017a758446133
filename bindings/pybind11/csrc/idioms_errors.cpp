// SPDX-License-Identifier: Apache-2.0
//
// idioms_errors.cpp - StatusError, and functions that fail with a status or an errno.
#include "idioms_errors.hpp"

#include "arguments.hpp"
#include "docstrings.hpp"

#include <pybind11/gil_safe_call_once.h>

#include <cerrno>
#include <cside/idioms.h>
#include <cstring>

namespace
{

// The class is made once for each interpreter, and freed with it.
PYBIND11_CONSTINIT py::gil_safe_call_once_and_store<py::object> status_error;

py::object make_status_error()
{
    return stolen(PyErr_NewExceptionWithDoc("cside_pybind11.idioms.StatusError", DOC_StatusError, nullptr, nullptr));
}

void status_raise(i32 status)
{
    check(cs_status_return(status));
}

void errno_raise(i32 error)
{
    if (cs_errno_fail(error) < 0) {
#if defined(PYPY_VERSION)
        // PyPy's PyErr_SetFromErrno() passes a third argument to OSError, a file name of None. The type is that of the
        // instance, a subclass, because pybind11 refuses an error whose type changes when it is normalised.
        const int number = errno;
        const py::object made = py::handle(PyExc_OSError)(number, std::strerror(number));

        PyErr_SetObject(py::type::handle_of(made).ptr(), made.ptr());
#else
        PyErr_SetFromErrno(PyExc_OSError);
#endif
        throw_python_error();
    }
}

} // namespace

void throw_status_error(cs_status status, const char *text)
{
    const py::object type = status_error.get_stored();
    const py::object error = type(text);

    error.attr("status") = status;
    error.attr("name") = cs_status_name(status);
    PyErr_SetObject(type.ptr(), error.ptr());
    throw_python_error();
}

void bind_idioms_errors(py::module_ &m)
{
    m.attr("StatusError") = status_error.call_once_and_store_result(make_status_error).get_stored();
    m.def("status_raise", status_raise, DOC_status_raise);
    m.def("errno_raise", errno_raise, DOC_errno_raise);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_errors.cpp - exceptions for a status of the library and for errno.
 */
#include "arguments.hpp"
#include "docstrings.h"
#include "groups.hpp"
#include "limited_api.hpp"
#include "status.hpp"

#include <cside/idioms.h>

#include <cerrno>
#include <cstring>

namespace cside
{

namespace
{

/* nanobind has no module state: its own types are C++ globals as well, and a module is initialised once. */
PyObject *status_error = nullptr;

nb::object status_raise(nb::handle status)
{
    cs_status value = CS_OK;

    if (!convert(status, value)) {
        return nb::object();
    }
    value = cs_status_return(value);
    return value < 0 ? fail_status(value) : nb::none();
}

nb::object errno_raise(nb::handle error)
{
    int32_t value = 0;

    if (!convert(error, value)) {
        return nb::object();
    }
    if (cs_errno_fail(value) < 0) {
#if defined(PYPY_VERSION)
        /* PyPy's PyErr_SetFromErrno() passes a third argument to OSError, a file name of None. */
        int number = errno;
        nb::object arguments = nb::steal(Py_BuildValue("(is)", number, std::strerror(number)));

        if (arguments.is_valid()) {
            PyErr_SetObject(PyExc_OSError, arguments.ptr());
        }
        return nb::object();
#else
        return nb::steal(PyErr_SetFromErrno(PyExc_OSError));
#endif
    }
    return nb::none();
}

} // namespace

nb::object fail_status(cs_status status)
{
    const char *message = cs_status_message(status);

    switch (status) {
    case CS_E_MEMORY:
        return nb::steal(PyErr_NoMemory());
    case CS_E_ARGUMENT:
    case CS_E_CLOSED:
        return fail(PyExc_ValueError, message);
    case CS_E_NOT_FOUND:
        return fail(PyExc_LookupError, message);
    default:
        break;
    }
    nb::object exception = nb::steal(PyObject_CallFunction(status_error, "s", message));
    nb::object number = nb::steal(PyLong_FromLong(status));
    nb::object name = nb::steal(PyUnicode_FromString(cs_status_name(status)));

    if (exception.is_valid() && number.is_valid() && name.is_valid() &&
        PyObject_SetAttrString(exception.ptr(), "status", number.ptr()) == 0 &&
        PyObject_SetAttrString(exception.ptr(), "name", name.ptr()) == 0) {
        PyErr_SetObject(status_error, exception.ptr());
    }
    return nb::object();
}

void bind_idioms_errors(nb::module_ &m)
{
    nb::object type =
        nb::steal(PyErr_NewExceptionWithDoc(CORE_PACKAGE ".idioms.StatusError", DOC_StatusError, nullptr, nullptr));

    if (!type.is_valid()) {
        nb::raise_python_error();
    }
    m.attr("StatusError") = type;
    status_error = type.release().ptr();
    m.def("status_raise", status_raise, DOC_status_raise);
    m.def("errno_raise", errno_raise, DOC_errno_raise);
}

} // namespace cside

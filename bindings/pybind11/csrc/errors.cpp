// SPDX-License-Identifier: Apache-2.0
//
// errors.cpp - what errors.hpp declares.
#include "errors.hpp"

#include "idioms_errors.hpp"

void register_python_error()
{
    py::register_local_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (const python_error &) { // Python's error is set already
        }
    });
}

void throw_python_error()
{
    throw python_error();
}

void throw_error(PyObject *type, const char *text)
{
    PyErr_SetString(type, text);
    throw_python_error();
}

void throw_no_memory()
{
    PyErr_NoMemory();
    throw_python_error();
}

void throw_bad_type(const char *required, py::handle object)
{
    PyErr_Format(PyExc_TypeError, "%s is required, not '%.100s'", required, Py_TYPE(object.ptr())->tp_name);
    throw_python_error();
}

void throw_status(cs_status status)
{
    const char *text = cs_status_message(status);

    switch (status) {
    case CS_E_MEMORY:
        throw_no_memory();
    case CS_E_ARGUMENT:
    case CS_E_CLOSED:
        throw_error(PyExc_ValueError, text);
    case CS_E_NOT_FOUND:
        throw_error(PyExc_LookupError, text);
    default:
        throw_status_error(status, text);
    }
}

py::object refuse_pickle(const py::object &self)
{
    PyErr_Format(PyExc_TypeError, "cannot pickle '%.100s' object", Py_TYPE(self.ptr())->tp_name);
    throw_python_error();
}

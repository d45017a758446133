// SPDX-License-Identifier: Apache-2.0
//
// codec_errors.cpp - exceptions of the codec.
#include "codec_errors.hpp"

#include "docstrings.hpp"

#include <pybind11/gil_safe_call_once.h>

namespace
{

// The class is made once for each interpreter, and freed with it.
PYBIND11_CONSTINIT py::gil_safe_call_once_and_store<py::object> codec_error;

py::object make_codec_error()
{
    return stolen(PyErr_NewExceptionWithDoc("cside_pybind11.codec.error", DOC_error, nullptr, nullptr));
}

} // namespace

void throw_codec_error(const char *text)
{
    throw_error(codec_error.get_stored().ptr(), text);
}

void throw_codec_error(cs_status status, const char *doing, const char *message)
{
    throw_codec_error(codec_text(status, doing, message).text);
}

static PyObject *refused(PyTypeObject *type, PyObject *, PyObject *)
{
    PyErr_Format(PyExc_TypeError, "cannot create '%.100s' instances", type->tp_name);
    return nullptr;
}

void refuse_construction(PyHeapTypeObject *heap_type)
{
    heap_type->ht_type.tp_new = refused;
}

void bind_codec_errors(py::module_ &m)
{
    m.attr("error") = codec_error.call_once_and_store_result(make_codec_error).get_stored();
}

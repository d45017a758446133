/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_errors.cpp - exceptions of the codec.
 */
#include "codec_errors.hpp"
#include "docstrings.h"
#include "groups.hpp"

namespace cside
{

namespace
{

PyObject *codec_error = nullptr; /* a global, as the types of nanobind are */

} // namespace

nb::object fail_codec(const char *text)
{
    PyErr_SetString(codec_error, text);
    return nb::object();
}

nb::object fail_engine(cs_status status, const char *doing, const char *message)
{
    engine_failure failure;

    failure.note(status, doing, message);
    return failure.raise();
}

void bind_codec_errors(nb::module_ &m)
{
    nb::object type = nb::steal(PyErr_NewExceptionWithDoc("cside_nanobind.codec.error", DOC_error, nullptr, nullptr));

    if (!type.is_valid()) {
        nb::raise_python_error();
    }
    m.attr("error") = type;
    codec_error = type.release().ptr();
}

} // namespace cside

/* SPDX-License-Identifier: Apache-2.0
 *
 * codec_errors.c - exceptions of the codec.
 */
#include "codec_errors.h"

#include "add.h"
#include "docstrings.h"
#include "module.h"

PyObject *core_codec_raise(core_state *state, cs_status status, const char *doing, const char *message)
{
    char text[CORE_ERROR_TEXT_NBYTES];

    cs_codec_error_text(status, doing, message, text, sizeof(text));
    PyErr_SetString(state->codec_error, text);
    return NULL;
}

PyObject *core_codec_reduce(PyObject *stream, PyObject *Py_UNUSED(protocol))
{
    PyErr_Format(PyExc_TypeError, "cannot pickle '%.100s' object", Py_TYPE(stream)->tp_name);
    return NULL;
}

int core_add_codec_errors(PyObject *module)
{
    return core_add_exception(module, CORE_PACKAGE ".codec.error", DOC_error, &core_state_of(module)->codec_error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_text.c - NUL-terminated text in and out, and fields of a fixed width.
 */
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/idioms.h"

#include <string.h>

static PyObject *string_length(PyObject *Py_UNUSED(module), PyObject *text)
{
    const char *utf8 = NULL;

    if (core_as_text(text, &utf8) < 0) {
        return NULL;
    }
    return PyLong_FromSize_t(cs_string_length(utf8));
}

static PyObject *label_get(PyObject *Py_UNUSED(module), PyObject *index)
{
    char label[CS_LABEL_NBYTES];
    Py_ssize_t nbytes = CS_LABEL_NBYTES;
    uint32_t number = 0;

    if (core_as_uint32(index, &number) < 0) {
        return NULL;
    }
    cs_label_get(number, label);
    while (nbytes >= 8 && memcmp(label + nbytes - 8, "        ", 8) == 0) { /* one comparison of 64 bits */
        nbytes -= 8;
    }
    while (nbytes > 0 && label[nbytes - 1] == ' ') {
        nbytes--;
    }
    return PyUnicode_DecodeUTF8(label, nbytes, NULL);
}

#if !defined(CORE_KNOBS_ONLY)

static PyObject *string_borrow(PyObject *Py_UNUSED(module), PyObject *index)
{
    const char *text = NULL;
    uint32_t number = 0;

    if (core_as_uint32(index, &number) < 0) {
        return NULL;
    }
    text = cs_string_borrow(number);
    if (text == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), NULL);
}

static PyObject *string_repeat(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    const char *text = NULL;
    char *repeated = NULL;
    uint32_t times = 0;
    cs_status status = CS_OK;
    PyObject *result = NULL;

    if (nargs != 2) {
        return core_bad_count("string_repeat", 2, nargs);
    }
    if (core_as_text(args[0], &text) < 0 || core_as_uint32(args[1], &times) < 0) {
        return NULL;
    }
    status = cs_string_repeat(text, times, &repeated);
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    result = PyUnicode_DecodeUTF8(repeated, (Py_ssize_t)strlen(repeated), NULL);
    cs_string_free(repeated);
    return result;
}

static PyObject *label_hash(PyObject *Py_UNUSED(module), PyObject *text)
{
    char label[CS_LABEL_NBYTES];
    const char *utf8 = NULL;
    Py_ssize_t nbytes = 0;

    if (core_as_utf8(text, &utf8, &nbytes) < 0) {
        return NULL;
    }
    if (nbytes > CS_LABEL_NBYTES) {
        PyErr_SetString(PyExc_ValueError, "label longer than 32 bytes");
        return NULL;
    }
    memset(label, ' ', sizeof(label));
    memcpy(label, utf8, (size_t)nbytes);
    return PyLong_FromUnsignedLong(cs_label_hash(label));
}

#endif /* !CORE_KNOBS_ONLY */

static PyMethodDef methods[] = {
    {"string_length", string_length, METH_O, DOC_string_length},
    {"label_get", label_get, METH_O, DOC_label_get},
#if !defined(CORE_KNOBS_ONLY)
    {"string_borrow", string_borrow, METH_O, DOC_string_borrow},
    {"string_repeat", CORE_FUNCTION(string_repeat), METH_FASTCALL, DOC_string_repeat},
    {"label_hash", label_hash, METH_O, DOC_label_hash},
#endif
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_text(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}

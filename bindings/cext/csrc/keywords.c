/* SPDX-License-Identifier: Apache-2.0
 *
 * keywords.c - the slow path of keywords.h.
 */
#include "keywords.h"

int core_arguments_slow(const core_signature *signature, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                        PyObject **out)
{
    Py_ssize_t keyword_count = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);

    if (nargs > signature->total) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %zd arguments (%zd given)", signature->function,
                     signature->total, nargs + keyword_count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < signature->total; i++) {
        out[i] = i < nargs ? args[i] : NULL;
    }
    for (Py_ssize_t k = 0; k < keyword_count; k++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, k);
        Py_ssize_t i = signature->positional_only;

        while (i < signature->total && PyUnicode_CompareWithASCIIString(name, signature->names[i]) != 0) {
            i++;
        }
        if (i == signature->total) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", signature->function, name);
            return -1;
        }
        if (out[i] != NULL) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", signature->function, name);
            return -1;
        }
        out[i] = args[nargs + k];
    }
    for (Py_ssize_t i = 0; i < signature->required; i++) {
        if (out[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s' (pos %zd)", signature->function,
                         signature->names[i], i + 1);
            return -1;
        }
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * keywords.h - keyword arguments of functions with the shape METH_FASTCALL | METH_KEYWORDS.
 */
#ifndef CSIDE_CEXT_KEYWORDS_H
#define CSIDE_CEXT_KEYWORDS_H

#include "interpreter.h"

typedef struct core_signature {
    const char *function;
    Py_ssize_t positional_only; /**< that many come first and have no name */
    Py_ssize_t required;
    Py_ssize_t total;
    const char *const *names;
} core_signature;

int core_arguments_slow(const core_signature *signature, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                        PyObject **out);

/** Sort the arguments of a METH_FASTCALL | METH_KEYWORDS call into `out`; NULL where one was left out. */
static inline int core_arguments(const core_signature *signature, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames, PyObject **out)
{
    if (kwnames != NULL || nargs < signature->required || nargs > signature->total) {
        return core_arguments_slow(signature, args, nargs, kwnames, out);
    }
    for (Py_ssize_t i = 0; i < signature->total; i++) {
        out[i] = i < nargs ? args[i] : NULL;
    }
    return 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * keywords.h - keyword arguments of functions with the shape METH_FASTCALL | METH_KEYWORDS.
 */
#ifndef CSIDE_CEXT_KEYWORDS_H
#define CSIDE_CEXT_KEYWORDS_H

#include "interpreter.h"

/** The parameters of a function. */
typedef struct core_signature {
    const char *function;
    Py_ssize_t positional_only; /**< number of parameters that cannot be given by name; they come first */
    Py_ssize_t required;        /**< number of parameters without a default */
    Py_ssize_t total;           /**< number of all parameters */
    const char *const *names;   /**< one for each parameter */
} core_signature;

int core_arguments_slow(const core_signature *signature, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                        PyObject **out);

/** Put the arguments of a call into `out`, in the order of the parameters; NULL for an argument that was not given.
 *  Returns 0, or -1 with TypeError. */
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

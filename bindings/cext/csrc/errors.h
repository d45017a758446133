/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.h - exceptions for a status of the library and for wrong arguments. Each function returns NULL.
 */
#ifndef CSIDE_CEXT_ERRORS_H
#define CSIDE_CEXT_ERRORS_H

#include "state.h"

#include "cside/status.h"

/** Raise the exception for a negative status. */
PyObject *core_raise(core_state *state, cs_status status);

/** Raise TypeError for a wrong number of positional arguments. */
PyObject *core_bad_count(const char *function, Py_ssize_t expected, Py_ssize_t given);

/** Raise TypeError with the message "`required` is required, not 'TYPE'", where TYPE is the type of `object`. */
PyObject *core_bad_type(const char *required, PyObject *object);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * add.h - adds types, exceptions and constants to the module.
 */
#ifndef CSIDE_CEXT_ADD_H
#define CSIDE_CEXT_ADD_H

#include "interpreter.h"

/** A vectorcall, which the limited API has no name for. */
typedef PyObject *(*core_construct)(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames);

/** Make a type from its spec, keep it in *slot and give it the vectorcall constructor (or NULL). */
int core_add_type(PyObject *module, PyType_Spec *spec, core_construct construct, PyTypeObject **slot);

/** Make an exception from its dotted name, keep it in *slot and add it under the last part of the name. */
int core_add_exception(PyObject *module, const char *name, const char *doc, PyObject **slot);

/** Add `value` under `name` and drop the caller's reference to it; a NULL value is a pending exception. */
int core_add_value(PyObject *module, const char *name, PyObject *value);

/** The name and value of a constant; a table of them ends with a NULL name. */
typedef struct core_constant {
    const char *name;
    int64_t value;
} core_constant;

/** Add all constants of a table. */
int core_add_constants(PyObject *module, const core_constant *constants);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * add.h - adds types, exceptions and constants to the module.
 */
#ifndef CSIDE_CEXT_ADD_H
#define CSIDE_CEXT_ADD_H

#include "interpreter.h"

/** The type of a vectorcall function. The limited API has no name for it. */
typedef PyObject *(*core_construct)(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames);

/** Make a type from its spec, store it in *slot and add it to the module. `construct` is its vectorcall constructor, or
 *  NULL. Returns 0, or -1 with an exception set. */
int core_add_type(PyObject *module, PyType_Spec *spec, core_construct construct, PyTypeObject **slot);

/** As core_add_type(), but the type does not refer to the module: PyType_GetModuleState() cannot be used with it, and
 *  instances that refer to nothing but their type cannot be part of a cycle. */
int core_add_plain_type(PyObject *module, PyType_Spec *spec, core_construct construct, PyTypeObject **slot);

/** A tp_traverse for instances that refer to nothing but their type. A type refers to its module, an instance can be
 *  stored in the module: the garbage collector can find such a cycle only if the instance reports its type. */
int core_visit_type(PyObject *object, visitproc visit, void *arg);

/** Make an exception class from its dotted name, store it in *slot and add it to the module under the last part of the
 *  name. Returns 0, or -1 with an exception set. */
int core_add_exception(PyObject *module, const char *name, const char *doc, PyObject **slot);

/** Add `value` under `name` and release the caller's reference to it. Returns 0, or -1 with an exception set; a `value`
 *  of NULL means that an exception is set already. */
int core_add_value(PyObject *module, const char *name, PyObject *value);

/** The name and the value of a constant. A table of constants ends with an entry whose name is NULL. */
typedef struct core_constant {
    const char *name;
    int64_t value;
} core_constant;

/** Add all constants of a table. Returns 0, or -1 with an exception set. */
int core_add_constants(PyObject *module, const core_constant *constants);

#endif

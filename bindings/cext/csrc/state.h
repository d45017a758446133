/* SPDX-License-Identifier: Apache-2.0
 *
 * state.h - the state of a module object, and access to it.
 */
#ifndef CSIDE_CEXT_STATE_H
#define CSIDE_CEXT_STATE_H

#include "interpreter.h"

#include "cside/idioms.h"

/** All that the module keeps. One per module object, so one per interpreter: there is no C global with Python in it. */
typedef struct core_state {
    PyTypeObject *point_type;
    PyTypeObject *box_type;
    PyTypeObject *counter_type;
    PyTypeObject *trace_record_type;
    PyTypeObject *compress_type;
    PyTypeObject *decompress_type;
    PyTypeObject *module_type;
    PyObject *status_error;
    PyObject *codec_error;
    const cs_ops *ops;           /**< the library's function table, fetched once */
    struct pkcs11_state *pkcs11; /**< NULL until the first load() */
} core_state;

static inline core_state *core_state_of(PyObject *module)
{
    return (core_state *)PyModule_GetState(module);
}

/** State from an instance. Every type here is final, so the type of an instance is its defining class; that spares
 *  METH_METHOD, whose calls carry one argument more and exclude METH_O. */
static inline core_state *core_state_of_instance(PyObject *instance)
{
    return (core_state *)PyType_GetModuleState(Py_TYPE(instance));
}

#endif

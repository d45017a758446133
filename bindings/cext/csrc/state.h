/* SPDX-License-Identifier: Apache-2.0
 *
 * state.h - the state of the module `_core`, and access to it.
 */
#ifndef CSIDE_CEXT_STATE_H
#define CSIDE_CEXT_STATE_H

#include "interpreter.h"

#include "cside/idioms.h"

/** The state of the module. Each module object, and therefore each interpreter, has its own: no C global refers to a
 *  Python object. */
typedef struct core_state {
    PyTypeObject *point_type;
    PyTypeObject *box_type;
    PyTypeObject *counter_type;
    PyTypeObject *trace_record_type;
    PyTypeObject *compress_type;
    PyTypeObject *decompress_type;
    PyTypeObject *decompressor_type;
    PyTypeObject *module_type;
    PyObject *status_error;
    PyObject *codec_error;
    const cs_ops *ops;           /**< the function table of the library; set when the module is made */
    struct pkcs11_state *pkcs11; /**< NULL until the first load() */
} core_state;

static inline core_state *core_state_of(PyObject *module)
{
    return (core_state *)PyModule_GetState(module);
}

/** The state, from an instance of one of our types. All of them are final, so the type of an instance is its defining
 *  class. METH_METHOD is therefore not needed; its calls pass one argument more and cannot be METH_O. */
static inline core_state *core_state_of_instance(PyObject *instance)
{
    return (core_state *)PyType_GetModuleState(Py_TYPE(instance));
}

#endif

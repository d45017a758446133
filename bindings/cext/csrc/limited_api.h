/* SPDX-License-Identifier: Apache-2.0
 *
 * limited_api.h - operations that the full API does by reading an object's fields, and the limited API by calling a
 * function.
 */
#ifndef CSIDE_CEXT_LIMITED_API_H
#define CSIDE_CEXT_LIMITED_API_H

#include "interpreter.h"

#if defined(Py_LIMITED_API)

static inline void core_free(PyTypeObject *Py_UNUSED(type), PyObject *self)
{
    PyObject_Free(self); /* this is tp_free of a type without a garbage-collector header */
}

static inline Py_ssize_t core_tuple_size(PyObject *tuple)
{
    return PyTuple_Size(tuple);
}

static inline PyObject *core_call(PyObject *callable, PyObject *argument)
{
    /* It makes a vectorcall from an array on the stack. The limited API has PyObject_Vectorcall from 3.12 on. */
    return PyObject_CallFunctionObjArgs(callable, argument, NULL);
}

static inline bool core_is_str(PyObject *object)
{
    return PyUnicode_CheckExact(object) || PyUnicode_Check(object); /* the latter gets the type's flags by a call */
}

#else

static inline void core_free(PyTypeObject *type, PyObject *self)
{
    type->tp_free(self);
}

static inline Py_ssize_t core_tuple_size(PyObject *tuple)
{
    return PyTuple_GET_SIZE(tuple);
}

static inline PyObject *core_call(PyObject *callable, PyObject *argument)
{
    return PyObject_CallOneArg(callable, argument);
}

static inline bool core_is_str(PyObject *object)
{
    return PyUnicode_Check(object);
}

#endif

#endif

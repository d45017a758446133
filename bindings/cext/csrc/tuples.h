/* SPDX-License-Identifier: Apache-2.0
 *
 * tuples.h - tuples of a few new objects.
 *
 * Each function takes over the references that it is given. If one of them is NULL, with an exception set,
 * it releases the others and returns NULL. So calls that make objects can be its arguments, without a check of each.
 */
#ifndef CSIDE_CEXT_TUPLES_H
#define CSIDE_CEXT_TUPLES_H

#include "interpreter.h"

/* A loop over an array of items would store and load each of them: gcc -O2 does not unroll it. The limited API has no
 * PyTuple_SET_ITEM; PyTuple_Pack is faster there than PyTuple_SetItem, which checks each index. */

static inline PyObject *core_tuple_of_4(PyObject *a, PyObject *b, PyObject *c, PyObject *d)
{
    PyObject *tuple = NULL;

    if (a != NULL && b != NULL && c != NULL && d != NULL) {
#if defined(Py_LIMITED_API)
        tuple = PyTuple_Pack(4, a, b, c, d);
#else
        tuple = PyTuple_New(4);
        if (tuple != NULL) {
            PyTuple_SET_ITEM(tuple, 0, a);
            PyTuple_SET_ITEM(tuple, 1, b);
            PyTuple_SET_ITEM(tuple, 2, c);
            PyTuple_SET_ITEM(tuple, 3, d);
            return tuple;
        }
#endif
    }
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    Py_XDECREF(d);
    return tuple;
}

static inline PyObject *core_tuple_of_5(PyObject *a, PyObject *b, PyObject *c, PyObject *d, PyObject *e)
{
    PyObject *tuple = NULL;

    if (a != NULL && b != NULL && c != NULL && d != NULL && e != NULL) {
#if defined(Py_LIMITED_API)
        tuple = PyTuple_Pack(5, a, b, c, d, e);
#else
        tuple = PyTuple_New(5);
        if (tuple != NULL) {
            PyTuple_SET_ITEM(tuple, 0, a);
            PyTuple_SET_ITEM(tuple, 1, b);
            PyTuple_SET_ITEM(tuple, 2, c);
            PyTuple_SET_ITEM(tuple, 3, d);
            PyTuple_SET_ITEM(tuple, 4, e);
            return tuple;
        }
#endif
    }
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    Py_XDECREF(d);
    Py_XDECREF(e);
    return tuple;
}

#endif

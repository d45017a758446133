/* SPDX-License-Identifier: Apache-2.0
 *
 * tables.h - macros for the entries of method tables and type slots.
 */
#ifndef CSIDE_CEXT_TABLES_H
#define CSIDE_CEXT_TABLES_H

#include "errors.h"

/** A function of any METH_ shape, as PyMethodDef wants it. */
#define CORE_FUNCTION(function) ((PyCFunction)(void (*)(void))(function))

/* A module's function without arguments: its body is NAME_body(module), CORE_DEFINE_NO_ARGUMENTS(NAME) wraps that, and
 * CORE_NO_ARGUMENTS goes into the table. Up to CPython 3.13 the interpreter specialises calls of METH_FASTCALL builtins
 * but not of METH_NOARGS ones, which then cost twice as much; elsewhere METH_NOARGS is the faster. Methods are
 * specialised everywhere. One binary for all versions has to choose once. */
#if defined(PYPY_VERSION) || (PY_VERSION_HEX >= 0x030E0000 && !defined(Py_LIMITED_API))
#define CORE_NO_ARGUMENTS METH_NOARGS
#define CORE_DEFINE_NO_ARGUMENTS(NAME) \
    static PyObject *NAME(PyObject *module, PyObject *Py_UNUSED(none)) \
    { \
        return NAME##_body(module); \
    }
#else
#define CORE_NO_ARGUMENTS METH_FASTCALL
#define CORE_DEFINE_NO_ARGUMENTS(NAME) \
    static PyObject *NAME(PyObject *module, PyObject *const *Py_UNUSED(args), Py_ssize_t nargs) \
    { \
        if (nargs != 0) { \
            return core_bad_count(#NAME, 0, nargs); \
        } \
        return NAME##_body(module); \
    }
#endif

/** A function in a slot, which is a `void *`; ISO C knows no direct conversion. */
#define CORE_SLOT(function) ((void *)(uintptr_t)(function))

#endif

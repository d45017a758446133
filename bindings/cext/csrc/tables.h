/* SPDX-License-Identifier: Apache-2.0
 *
 * tables.h - macros for the entries of method tables and type slots.
 */
#ifndef CSIDE_CEXT_TABLES_H
#define CSIDE_CEXT_TABLES_H

#include "errors.h"

/** Cast a function of any METH_ shape to the type of PyMethodDef.ml_meth. */
#define CORE_FUNCTION(function) ((PyCFunction)(void (*)(void))(function))

/* For a function of the module without arguments: write NAME_body(module), define NAME by
 * CORE_DEFINE_NO_ARGUMENTS(NAME), and put CORE_NO_ARGUMENTS into the method table. CPython up to 3.13 specialises calls
 * of METH_FASTCALL builtins but not of METH_NOARGS builtins, which then cost twice as much; on CPython 3.14 and PyPy
 * METH_NOARGS is faster. A binary for the stable ABI runs on all versions and uses METH_FASTCALL. Methods of types are
 * always METH_NOARGS, since every version specialises calls of them. */
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

/** Convert a function to the `void *` of a slot. ISO C has no direct conversion between the two. */
#define CORE_SLOT(function) ((void *)(uintptr_t)(function))

#endif

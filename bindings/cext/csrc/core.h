/* SPDX-License-Identifier: Apache-2.0
 *
 * core.h - what the files of `_core` share: the module's state, exceptions from statuses, and who adds what.
 */
#ifndef CSIDE_CEXT_CORE_H
#define CSIDE_CEXT_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

#include "cside/codec.h"
#include "cside/idioms.h"
#include "cside/status.h"
#include "cside/trace.h"

/* Variants are built from these files with other macros (setup.py): CORE_KNOBS_ONLY leaves out all functions but those
 * that a variant has to have, Py_LIMITED_API chooses the stable ABI, and the package says where the module will be. */
#if !defined(CORE_PACKAGE)
#define CORE_PACKAGE "cside_cext"
#endif

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

/* ---- tables ------------------------------------------------------------------------------------- */

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

/* Each noun's file adds its functions, types and constants; -1 with an exception set. */
int core_add_scalars(PyObject *module);
int core_add_values(PyObject *module);
int core_add_buffers(PyObject *module);
int core_add_strings(PyObject *module);
int core_add_structs(PyObject *module);
int core_add_attrs(PyObject *module);
int core_add_handles(PyObject *module);
int core_add_calls(PyObject *module);
int core_add_library(PyObject *module);
int core_add_constants(PyObject *module);
int core_add_checksums(PyObject *module);
int core_add_oneshot(PyObject *module);
int core_add_compress(PyObject *module);
int core_add_decompress(PyObject *module);
int core_add_pkcs11(PyObject *module);

/* The part of the state that PKCS #11 keeps, or NULL: for the module's own three functions of these names. */
int core_pkcs11_traverse(struct pkcs11_state *state, visitproc visit, void *arg);
void core_pkcs11_clear(struct pkcs11_state *state);
void core_pkcs11_free(struct pkcs11_state *state);

/** A vectorcall, which the limited API has no name for. */
typedef PyObject *(*core_construct)(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *kwnames);

/** Make a type from its spec, keep it in *slot and give it the vectorcall constructor (or NULL). */
int core_add_type(PyObject *module, PyType_Spec *spec, core_construct construct, PyTypeObject **slot);

/** Make an exception from its dotted name, keep it in *slot and add it under the last part of the name. */
int core_add_exception(PyObject *module, const char *name, const char *doc, PyObject **slot);

#define CORE_STATUS_ERROR_DOC "A failure without an exception of its own among Python's; see .status and .name."

/** Add `value` under `name` and drop the caller's reference to it; a NULL value is a pending exception. */
int core_add_value(PyObject *module, const char *name, PyObject *value);

/* ---- exceptions; each returns NULL ----------------------------------------------------------------- */

/** Raise what a negative status stands for. */
PyObject *core_raise(core_state *state, cs_status status);

/** TypeError for a wrong number of positional arguments. */
PyObject *core_bad_count(const char *function, Py_ssize_t expected, Py_ssize_t given);

/** TypeError: "`required` is required, not 'type of the object'". */
PyObject *core_bad_type(const char *required, PyObject *object);

#if !defined(CORE_KNOBS_ONLY)

/** An exception on its way from one thread to another. */
typedef struct core_raised {
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    PyObject *type, *value, *traceback;
#else
    PyObject *exception;
#endif
} core_raised;

static inline void core_raised_take(core_raised *raised)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    PyErr_Fetch(&raised->type, &raised->value, &raised->traceback);
#else
    raised->exception = PyErr_GetRaisedException();
#endif
}

/** Raise it here; false if there is none. */
static inline bool core_raised_give(core_raised *raised)
{
#if defined(PYPY_VERSION) || PY_VERSION_HEX < 0x030C0000
    if (raised->type == NULL) {
        return false;
    }
    PyErr_Restore(raised->type, raised->value, raised->traceback);
#else
    if (raised->exception == NULL) {
        return false;
    }
    PyErr_SetRaisedException(raised->exception);
#endif
    return true;
}

#endif /* !CORE_KNOBS_ONLY */

/* ---- the two APIs ----------------------------------------------------------------------------------- */

/* What the full API reaches into an object for, the limited API has a function for. */
#if defined(Py_LIMITED_API)

static inline void core_free(PyTypeObject *Py_UNUSED(type), PyObject *self)
{
    PyObject_Free(self); /* what tp_free of a type without a garbage-collector header is */
}

static inline Py_ssize_t core_tuple_size(PyObject *tuple)
{
    return PyTuple_Size(tuple);
}

static inline PyObject *core_call(PyObject *callable, PyObject *argument)
{
    /* By vectorcall from an array on the stack; PyObject_Vectorcall itself is in the limited API from 3.12 on. */
    return PyObject_CallFunctionObjArgs(callable, argument, NULL);
}

static inline bool core_is_str(PyObject *object)
{
    return PyUnicode_CheckExact(object) || PyUnicode_Check(object); /* the latter asks for the type's flags by a call */
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

/* ---- free threading ------------------------------------------------------------------------------- */

/* Guard an object's fields where there is no GIL to do it; nothing but braces where there is one. */
#if defined(Py_GIL_DISABLED)
#define CORE_BEGIN_GUARD(object) Py_BEGIN_CRITICAL_SECTION(object)
#define CORE_END_GUARD() Py_END_CRITICAL_SECTION()
#else
#define CORE_BEGIN_GUARD(object) \
    { \
        (void)(object);
#define CORE_END_GUARD() }
#endif

#endif

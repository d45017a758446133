/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_threads.c - calls with the GIL held and released, and state of the process and of a thread.
 */
#include "convert.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"
#include "tables.h"

#include "cside/idioms.h"

static PyObject *spin_held(PyObject *Py_UNUSED(module), PyObject *iterations)
{
    uint64_t count = 0;

    if (core_as_uint64(iterations, &count) < 0) {
        return NULL;
    }
    return PyLong_FromUnsignedLongLong(cs_spin(count));
}

static PyObject *spin_released(PyObject *Py_UNUSED(module), PyObject *iterations)
{
    uint64_t count = 0;
    uint64_t state = 0;

    if (core_as_uint64(iterations, &count) < 0) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    state = cs_spin(count);
    Py_END_ALLOW_THREADS
    return PyLong_FromUnsignedLongLong(state);
}

static PyObject *state_init(PyObject *module, PyObject *seed)
{
    int64_t value = 0;
    cs_status status = CS_OK;

    if (core_as_int64(seed, &value) < 0) {
        return NULL;
    }
    status = cs_state_init(value);
    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    Py_RETURN_NONE;
}

static inline PyObject *state_next_body(PyObject *module)
{
    int64_t value = 0;
    cs_status status = cs_state_next(&value);

    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    return PyLong_FromLongLong(value);
}

CORE_DEFINE_NO_ARGUMENTS(state_next)

static inline PyObject *state_fini_body(PyObject *module)
{
    cs_status status = cs_state_fini();

    if (status < 0) {
        return core_raise(core_state_of(module), status);
    }
    Py_RETURN_NONE;
}

CORE_DEFINE_NO_ARGUMENTS(state_fini)

static PyObject *tls_set(PyObject *Py_UNUSED(module), PyObject *value)
{
    int64_t number = 0;

    if (core_as_int64(value, &number) < 0) {
        return NULL;
    }
    cs_tls_set(number);
    Py_RETURN_NONE;
}

static inline PyObject *tls_get_body(PyObject *Py_UNUSED(module))
{
    return PyLong_FromLongLong(cs_tls_get());
}

CORE_DEFINE_NO_ARGUMENTS(tls_get)

static PyMethodDef methods[] = {
    {"spin_held", spin_held, METH_O, DOC_spin_held},
    {"spin_released", spin_released, METH_O, DOC_spin_released},
    {"state_init", state_init, METH_O, DOC_state_init},
    {"state_next", CORE_FUNCTION(state_next), CORE_NO_ARGUMENTS, DOC_state_next},
    {"state_fini", CORE_FUNCTION(state_fini), CORE_NO_ARGUMENTS, DOC_state_fini},
    {"tls_set", tls_set, METH_O, DOC_tls_set},
    {"tls_get", CORE_FUNCTION(tls_get), CORE_NO_ARGUMENTS, DOC_tls_get},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_threads(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * idioms_callbacks.c - a callback, with arguments and results converted by format strings.
 */
#include "arguments.h"
#include "docstrings.h"
#include "errors.h"
#include "module.h"
#include "state.h"

#include "cside/idioms.h"

static int64_t each(void *user, int32_t value)
{
    PyObject *args = Py_BuildValue("(i)", value);
    PyObject *returned = NULL;
    int result = 0;
    int64_t outcome = CS_EACH_STOP;

    if (args == NULL) {
        goto exit;
    }
    returned = PyObject_CallObject(user, args);
    if (returned != NULL && PyArg_Parse(returned, "i", &result)) {
        outcome = result;
    }
exit:
    Py_XDECREF(returned);
    Py_XDECREF(args);
    return outcome;
}

static PyObject *each_call(PyObject *module, PyObject *args)
{
    PyObject *callback = NULL;
    long long times = 0;
    int64_t sum = 0;
    cs_status status = CS_OK;

    if (!PyArg_ParseTuple(args, "LO:each_call", &times, &callback) ||
        arguments_within(times, 0, UINT32_MAX, "uint32_t") < 0) {
        return NULL;
    }
    if (!PyCallable_Check(callback)) {
        core_bad_type("a callable", callback);
        return NULL;
    }
    status = cs_each_call((uint32_t)times, each, callback, &sum);
    if (status < 0) {
        return PyErr_Occurred() ? NULL : core_raise(core_state_of(module), status);
    }
    return PyLong_FromLongLong(sum);
}

static PyMethodDef methods[] = {
    {"each_call", each_call, METH_VARARGS, DOC_each_call},
    {NULL, NULL, 0, NULL},
};

int core_add_idioms_callbacks(PyObject *module)
{
    return PyModule_AddFunctions(module, methods);
}

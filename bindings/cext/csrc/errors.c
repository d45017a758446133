/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.c - exceptions for a status of the library and for wrong arguments.
 */
#include "errors.h"

PyObject *core_raise(core_state *state, cs_status status)
{
    const char *message = cs_status_message(status);
    PyObject *exception = NULL;
    PyObject *number = NULL;
    PyObject *name = NULL;

    switch (status) {
    case CS_E_MEMORY:
        return PyErr_NoMemory();
    case CS_E_ARGUMENT:
    case CS_E_CLOSED:
        PyErr_SetString(PyExc_ValueError, message);
        return NULL;
    case CS_E_NOT_FOUND:
        PyErr_SetString(PyExc_LookupError, message);
        return NULL;
    default:
        break;
    }
    exception = PyObject_CallFunction(state->status_error, "s", message);
    if (exception == NULL) {
        goto exit;
    }
    number = PyLong_FromLong(status);
    name = PyUnicode_FromString(cs_status_name(status));
    if (number == NULL || name == NULL || PyObject_SetAttrString(exception, "status", number) < 0 ||
        PyObject_SetAttrString(exception, "name", name) < 0) {
        goto exit;
    }
    PyErr_SetObject(state->status_error, exception);
exit:
    Py_XDECREF(name);
    Py_XDECREF(number);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *core_bad_count(const char *function, Py_ssize_t expected, Py_ssize_t given)
{
    PyErr_Format(PyExc_TypeError, "%s() takes exactly %zd argument%s (%zd given)", function, expected,
                 expected == 1 ? "" : "s", given);
    return NULL;
}

PyObject *core_bad_type(const char *required, PyObject *object)
{
#if defined(Py_LIMITED_API)
    PyObject *name = PyType_GetName(Py_TYPE(object));

    if (name != NULL) {
        PyErr_Format(PyExc_TypeError, "%s is required, not '%U'", required, name);
        Py_DECREF(name);
    }
#else
    PyErr_Format(PyExc_TypeError, "%s is required, not '%.100s'", required, Py_TYPE(object)->tp_name);
#endif
    return NULL;
}

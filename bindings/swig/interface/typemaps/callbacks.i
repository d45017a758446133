/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks: a C function that stands in for a Python callable, for a caller that holds the GIL, for one on a thread
 * that Python has never seen, and for one that released the GIL.
 */
%{
static bool cside_callable(PyObject *object)
{
    if (PyCallable_Check(object))
        return true;
    PyErr_Format(PyExc_TypeError, "'%.200s' object is not callable", Py_TYPE(object)->tp_name);
    return false;
}

/* With the GIL. An exception stays raised and stops the caller. */
static int64_t cside_each(void *callable, int32_t position)
{
    int64_t value = CS_EACH_STOP;
    PyObject *result = NULL;
    PyObject *argument = PyLong_FromLong(position);

    if (argument == NULL)
        goto done;
    if ((result = PyObject_CallOneArg((PyObject *)callable, argument)) == NULL)
        goto done;
    if (!cside_as_ranged(result, INT32_MIN, INT32_MAX, "int32_t", &value))
        value = CS_EACH_STOP;
done:
    Py_XDECREF(result);
    Py_XDECREF(argument);
    return value;
}

/* Without the GIL, on any thread: an exception must be carried over to the thread that waits. */
typedef struct cside_carrier {
    PyObject *callable;
    PyObject *type, *value, *traceback;
} cside_carrier;

SWIGINTERN int64_t cside_each_foreign(void *user, int32_t position)
{
    cside_carrier *carrier = user;
    PyGILState_STATE state = PyGILState_Ensure();
    int64_t value = cside_each(carrier->callable, position);

    if (value == CS_EACH_STOP)
        PyErr_Fetch(&carrier->type, &carrier->value, &carrier->traceback);
    PyGILState_Release(state);
    return value;
}
%}

%typemap(in) (cs_each_fn fn, void *user) {
    if (!cside_callable($input))
        SWIG_fail;
    $1 = cside_each;
    $2 = $input;
}

%typemap(in) (cs_each_fn foreign_fn, void *foreign_user) (cside_carrier carrier) {
    if (!cside_callable($input))
        SWIG_fail;
    memset(&carrier, 0, sizeof carrier);
    carrier.callable = $input;
    $1 = cside_each_foreign;
    $2 = &carrier;
}

/* The call that ran the callback ends with the callback's own exception. */
%define %calls_back(NAME)
%exception NAME {
    $action
    if (result == CS_E_ABORTED && PyErr_Occurred())
        SWIG_fail;
}
%enddef

/* Releases the GIL around the call. */
%define %long(NAME)
%exception NAME {
    Py_BEGIN_ALLOW_THREADS
    $action
    Py_END_ALLOW_THREADS
}
%enddef

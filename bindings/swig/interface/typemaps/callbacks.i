/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks. SWIG has no typemap for them: a C function calls the Python callable, which is its `user` argument.
 */
%{
static bool cside_callable(PyObject *object)
{
    if (PyCallable_Check(object))
        return true;
    PyErr_Format(PyExc_TypeError, "'%.200s' object is not callable", Py_TYPE(object)->tp_name);
    return false;
}

/* Called with the GIL. An exception stays raised, and CS_EACH_STOP makes the library return. */
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
%}

%typemap(in) (cs_each_fn fn, void *user) {
    if (!cside_callable($input))
        SWIG_fail;
    $1 = cside_each;
    $2 = $input;
}

%out_integer(int64_t, out_sum, cside_long_from_i64)

/* The call ends with the exception of the callback. */
%define %calls_back(NAME)
%exception NAME {
    $action
    if (result == CS_E_ABORTED && PyErr_Occurred())
        SWIG_fail;
}
%enddef

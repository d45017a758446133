/* SPDX-License-Identifier: Apache-2.0
 *
 * A cs_status becomes None or an exception; out-parameters then replace the None.
 */
%{
static PyObject *cside_StatusError;

static void cside_raise_status_error(cs_status status)
{
    PyObject *number = NULL;
    PyObject *name = NULL;
    PyObject *raised = PyObject_CallFunction(cside_StatusError, "s", cs_status_message(status));

    if (raised == NULL)
        goto done;
    if ((number = PyLong_FromLong(status)) == NULL || PyObject_SetAttrString(raised, "status", number) < 0)
        goto done;
    if ((name = PyUnicode_FromString(cs_status_name(status))) == NULL ||
        PyObject_SetAttrString(raised, "name", name) < 0)
        goto done;
    PyErr_SetObject(cside_StatusError, raised);
done:
    Py_XDECREF(raised);
    Py_XDECREF(number);
    Py_XDECREF(name);
}

static void cside_raise_status(cs_status status)
{
    switch (status) {
    case CS_E_MEMORY:
        PyErr_NoMemory();
        break;
    case CS_E_ARGUMENT:
    case CS_E_CLOSED:
        PyErr_SetString(PyExc_ValueError, cs_status_message(status));
        break;
    case CS_E_NOT_FOUND:
        PyErr_SetString(PyExc_LookupError, cs_status_message(status));
        break;
    default:
        cside_raise_status_error(status);
        break;
    }
}
%}

%init %{
{
    /* Defaults on the class, so that both attributes are always there. */
    PyObject *defaults = Py_BuildValue("{s:i,s:s}", "status", 0, "name", "CS_OK");
    if (defaults == NULL)
        return -1;
    cside_StatusError = PyErr_NewExceptionWithDoc(
        CSIDE_PACKAGE ".idioms.StatusError", "A failure that has no exception of its own in Python.", NULL, defaults);
    Py_DECREF(defaults);
    if (PyModule_AddObjectRef(m, "StatusError", cside_StatusError) < 0)
        return -1;
}
%}

%typemap(out) cs_status {
    if ($1 < 0) {
        cside_raise_status($1);
        SWIG_fail;
    }
    $result = SWIG_Py_Void();
}

/* Puts `OBJECT` in the place of the None of a cs_status (or of void); a NULL is the exception that was raised. */
%define %set_result(OBJECT)
    SWIG_Py_DECREF($result);
    $result = OBJECT;
%enddef

/* For functions whose C code has raised already. */
%define %raises_itself(NAME)
%exception NAME {
    $action
    if (!result)
        SWIG_fail;
}
%enddef

/* For constructors whose C code gives NULL where memory is missing. */
%define %may_lack_memory(NAME)
%exception NAME {
    $action
    if (!result) {
        PyErr_NoMemory();
        SWIG_fail;
    }
}
%enddef

/* SPDX-License-Identifier: Apache-2.0
 *
 * StatusError, status_raise, errno_raise.
 *
 * cside_raise_status() chooses the exception for a status. The typemap that calls it for every function is in
 * typemaps/status.i.
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
    cside_StatusError = PyErr_NewExceptionWithDoc(CSIDE_PACKAGE ".idioms.StatusError", CSIDE_DOC_StatusError, NULL,
                                                  defaults);
    Py_DECREF(defaults);
    if (PyModule_AddObjectRef(m, "StatusError", cside_StatusError) < 0)
        return -1;
}
%}

#ifndef CSIDE_PARTIAL
%rename(status_raise) cs_status_return;

%rename(errno_raise) cs_errno_fail;
%exception cs_errno_fail {
    $action
    if (result < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        SWIG_fail;
    }
}
%typemap(out) int32_t cs_errno_fail "$result = SWIG_Py_Void();"
#endif

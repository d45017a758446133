/* SPDX-License-Identifier: Apache-2.0
 *
 * Callbacks of a module, for locks and for notifications. Any function of the module may call them, on any thread,
 * without the GIL. An exception that a callback raises stays raised on its thread until the function has returned; the
 * caller of the function gets it.
 */
%{
static _Thread_local unsigned cside_calls; /* how many calls of modules run on this thread */

#define CSIDE_CALL_BEGIN \
    { \
        cside_calls++; \
        Py_BEGIN_ALLOW_THREADS

#define CSIDE_CALL_END \
    Py_END_ALLOW_THREADS \
    cside_calls--; \
    }

/* One run of a callback. */
typedef struct cside_visit {
    PyGILState_STATE state;
    PyObject *type, *value, *traceback; /* of an earlier callback in the same call */
} cside_visit;

/* False if the interpreter has been finalised: modules destroy their locks when the process ends. */
static bool cside_visit_begin(cside_visit *self)
{
    if (!Py_IsInitialized())
        return false;
    self->state = PyGILState_Ensure();
    PyErr_Fetch(&self->type, &self->value, &self->traceback);
    return true;
}

/* Returns the value for the module: `rv`, or that of the exception that is raised. Of the exceptions in one call, the
 * first is raised by the call, and the others go to sys.unraisablehook. Takes over the reference to `callable`. */
static CK_RV cside_visit_end(cside_visit *self, PyObject *callable, CK_RV rv)
{
    if (PyErr_Occurred()) {
        rv = cside_raised_rv();
        if (cside_calls == 0 || self->type != NULL)
            PyErr_WriteUnraisable(callable);
    }
    Py_XDECREF(callable);
    if (self->type != NULL)
        PyErr_Restore(self->type, self->value, self->traceback);
    PyGILState_Release(self->state);
    return rv;
}

/* ---- notifications ----------------------------------------------------------------------------------------------- */

/* A module passes the number of a callable, and no pointer to it: if it reports an event too late, the number is
 * unknown. */
static PyObject *cside_notices; /* dict: number -> callable */
static uintptr_t cside_last_notice;

static CK_RV cside_notify(CK_SESSION_HANDLE hSession, CK_NOTIFICATION event, CK_VOID_PTR pApplication)
{
    PyObject *callable = NULL;
    PyObject *result = NULL;
    PyObject *number;
    cside_visit visit;
    CK_RV rv = CKR_OK;

    if (!cside_visit_begin(&visit))
        return CKR_OK;
    if ((number = PyLong_FromVoidPtr(pApplication)) != NULL)
        callable = Py_XNewRef(PyDict_GetItemWithError(cside_notices, number));
    if (callable != NULL && (result = PyObject_CallFunction(callable, "kk", hSession, event)) != NULL &&
        result != Py_None && !cside_as_ulong(result, &rv))
        rv = CKR_GENERAL_ERROR;
    Py_XDECREF(result);
    Py_XDECREF(number);
    return cside_visit_end(&visit, callable, rv);
}

static PyObject *cside_notice_new(PyObject *callable)
{
    PyObject *number;

    if (cside_notices == NULL && (cside_notices = PyDict_New()) == NULL)
        return NULL;
    number = PyLong_FromVoidPtr((void *)++cside_last_notice);
    if (number != NULL && PyDict_SetItem(cside_notices, number, callable) < 0)
        Py_CLEAR(number);
    return number;
}

static void cside_notice_drop(PyObject *number)
{
    if (PyDict_DelItem(cside_notices, number) < 0)
        PyErr_Clear();
}
%}

/* ---- the call of a function, which may run callbacks ------------------------------------------------------------- */

/* Calls without the GIL. The exception of a callback is raised, whatever the module returned. */
%define %released
    CSIDE_CALL_BEGIN
    $action
    CSIDE_CALL_END
    if (PyErr_Occurred())
        SWIG_fail;
%enddef

%define %calls(NAME)
%exception Module::NAME {
    %released
}
%enddef

/* SPDX-License-Identifier: Apache-2.0
 *
 * C_Initialize, C_Finalize, C_OpenSession, C_CloseSession, C_CloseAllSessions: the functions that keep Python
 * callables. Locks are kept from C_Initialize to C_Finalize, and the callable of a session while it is open. They
 * belong to the native module, not to a Module object, because C_Initialize works for the whole process.
 */
%{
/* What is kept for a native module. */
typedef struct cside_state {
    cs_pkcs11_module *module; /* NULL: this entry is free */
    cside_locks *locks;
    PyObject *sessions; /* dict: session handle -> (number of the callable, slotID) */
} cside_state;

static cside_state cside_states[CS_PKCS11_MODULES];

typedef struct Module {
    const CK_FUNCTION_LIST_3_2 *list;
    cs_pkcs11_module *module;
    cside_state *state;
} Module;

static cside_state *cside_state_of(cs_pkcs11_module *module)
{
    for (int i = 0; i < CS_PKCS11_MODULES; i++) {
        cside_state *state = &cside_states[i];
        if (state->module == NULL) {
            if ((state->sessions = PyDict_New()) == NULL)
                return NULL;
            state->module = module;
        }
        if (state->module == module)
            return state;
    }
    PyErr_SetString(PyExc_RuntimeError, "too many modules are open");
    return NULL;
}

/* ---- sessions with a callable for notifications ------------------------------------------------------------------ */

/* A new reference to what is kept for the session. NULL: nothing is kept, or an exception is raised. */
static PyObject *cside_session_known(cside_state *state, CK_SESSION_HANDLE hSession)
{
    PyObject *known = NULL;
    PyObject *handle;

    if (PyDict_Size(state->sessions) == 0 || (handle = PyLong_FromUnsignedLong(hSession)) == NULL)
        return NULL;
    known = Py_XNewRef(PyDict_GetItemWithError(state->sessions, handle));
    Py_DECREF(handle);
    return known;
}

/* Drops what is kept for the session, unless it has been replaced: the module may have given the handle to a new
 * session. */
static void cside_session_forget(cside_state *state, PyObject *handle, PyObject *known)
{
    if (PyDict_GetItemWithError(state->sessions, handle) == known) {
        if (PyDict_DelItem(state->sessions, handle) < 0)
            PyErr_Clear();
        cside_notice_drop(PyTuple_GET_ITEM(known, 0));
    }
    PyErr_Clear();
}

static void cside_session_closed(cside_state *state, CK_SESSION_HANDLE hSession, PyObject *known)
{
    PyObject *handle = PyLong_FromUnsignedLong(hSession);

    if (handle == NULL) {
        PyErr_Clear();
        return;
    }
    cside_session_forget(state, handle, known);
    Py_DECREF(handle);
}

/* Drops what is kept for the sessions of the snapshot: those of one slot, or all if `slotID` is NULL. */
static void cside_sessions_closed(cside_state *state, PyObject *snapshot, const CK_SLOT_ID *slotID)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(snapshot); i++) {
        PyObject *item = PyList_GET_ITEM(snapshot, i);
        PyObject *known = PyTuple_GET_ITEM(item, 1);
        if (slotID == NULL || PyLong_AsUnsignedLong(PyTuple_GET_ITEM(known, 1)) == *slotID)
            cside_session_forget(state, PyTuple_GET_ITEM(item, 0), known);
    }
}

static void cside_session_opened(cside_state *state, CK_SESSION_HANDLE hSession, CK_SLOT_ID slotID, PyObject *number)
{
    PyObject *handle = PyLong_FromUnsignedLong(hSession);
    PyObject *known = NULL;

    if (handle != NULL && (known = cside_session_known(state, hSession)) != NULL) {
        cside_session_forget(state, handle, known); /* the module closed it, and C_CloseSession was not called here */
        Py_CLEAR(known);
    }
    if (handle != NULL && number != NULL && !PyErr_Occurred()) {
        known = cside_tuple(Py_NewRef(number), PyLong_FromUnsignedLong(slotID));
        if (known != NULL)
            PyDict_SetItem(state->sessions, handle, known);
    }
    Py_XDECREF(handle);
    Py_XDECREF(known);
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

/* Each function may return with an exception, its own or that of a callback. That of a callback is put aside while the
 * function updates what is kept. */
typedef struct cside_aside {
    PyObject *type, *value, *traceback;
} cside_aside;

static void cside_put_aside(cside_aside *self)
{
    PyErr_Fetch(&self->type, &self->value, &self->traceback);
}

static void cside_take_back(cside_aside *self)
{
    if (self->type != NULL)
        PyErr_Restore(self->type, self->value, self->traceback);
}

static CK_RV cside_open_session(Module *self, CK_SLOT_ID slotID, CK_FLAGS flags, PyObject *callable,
                                CK_SESSION_HANDLE *out_session)
{
    PyObject *number = NULL;
    void *application = NULL;
    cside_aside aside;
    CK_RV rv;

    if (callable != Py_None) {
        if ((number = cside_notice_new(callable)) == NULL)
            return CKR_GENERAL_ERROR;
        application = PyLong_AsVoidPtr(number);
    }
    CSIDE_CALL_BEGIN
    rv = self->list->C_OpenSession(slotID, flags, application, number != NULL ? cside_notify : NULL, out_session);
    CSIDE_CALL_END
    cside_put_aside(&aside);
    if (rv == CKR_OK && (number != NULL || PyDict_Size(self->state->sessions) > 0))
        cside_session_opened(self->state, *out_session, slotID, number);
    else if (number != NULL && rv != CKR_OK)
        cside_notice_drop(number);
    Py_XDECREF(number);
    cside_take_back(&aside);
    return rv;
}

static CK_RV cside_close_session(Module *self, CK_SESSION_HANDLE hSession)
{
    PyObject *known = cside_session_known(self->state, hSession);
    cside_aside aside;
    CK_RV rv;

    if (known == NULL && PyErr_Occurred())
        return CKR_GENERAL_ERROR;
    CSIDE_CALL_BEGIN
    rv = self->list->C_CloseSession(hSession);
    CSIDE_CALL_END
    if (known != NULL) {
        cside_put_aside(&aside);
        if (rv == CKR_OK)
            cside_session_closed(self->state, hSession, known);
        Py_DECREF(known);
        cside_take_back(&aside);
    }
    return rv;
}

static CK_RV cside_close_all_sessions(Module *self, CK_SLOT_ID slotID)
{
    PyObject *snapshot = PyDict_Items(self->state->sessions);
    cside_aside aside;
    CK_RV rv;

    if (snapshot == NULL)
        return CKR_GENERAL_ERROR;
    CSIDE_CALL_BEGIN
    rv = self->list->C_CloseAllSessions(slotID);
    CSIDE_CALL_END
    cside_put_aside(&aside);
    if (rv == CKR_OK)
        cside_sessions_closed(self->state, snapshot, &slotID);
    Py_DECREF(snapshot);
    cside_take_back(&aside);
    return rv;
}

static CK_RV cside_initialize(Module *self, PyObject *arguments)
{
    cside_locks *locks = NULL;
    cside_locks *former;
    cside_aside aside;
    int callables = 0;
    CK_RV rv;

    if (arguments != Py_None) {
        if ((locks = cside_locks_new(arguments)) == NULL)
            return CKR_GENERAL_ERROR;
        callables = cside_locks_count(locks);
    }
    if (callables != 0 && callables != 4) {
        cside_locks_drop(locks);
        return CKR_ARGUMENTS_BAD;
    }
    CSIDE_CALL_BEGIN
    if (locks == NULL)
        rv = self->list->C_Initialize(NULL);
    else
        rv = cs_pkcs11_initialize(self->module, callables != 0 ? &locks->native : NULL, locks->flags,
                                  locks->reserved.buf);
    CSIDE_CALL_END
    cside_put_aside(&aside);
    former = locks;
    if (rv == CKR_OK) {
        former = self->state->locks;
        self->state->locks = locks;
    }
    cside_locks_drop(former);
    cside_take_back(&aside);
    return rv;
}

static CK_RV cside_finalize(Module *self)
{
    PyObject *snapshot = PyDict_Items(self->state->sessions);
    cside_locks *locks = self->state->locks;
    cside_aside aside;
    CK_RV rv;

    if (snapshot == NULL)
        return CKR_GENERAL_ERROR;
    if (locks != NULL)
        locks->users++; /* another thread may initialise the module anew, and drop these */
    CSIDE_CALL_BEGIN
    rv = self->list->C_Finalize(NULL);
    CSIDE_CALL_END
    cside_put_aside(&aside);
    if (rv == CKR_OK) {
        cside_sessions_closed(self->state, snapshot, NULL);
        if (self->state->locks == locks) {
            self->state->locks = NULL;
            cside_locks_drop(locks);
        }
    }
    cside_locks_drop(locks);
    Py_DECREF(snapshot);
    cside_take_back(&aside);
    return rv;
}
%}

%typemap(in) PyObject *callable {
    if ($input != Py_None && !cside_callable($input))
        SWIG_fail;
    $1 = $input;
}

/* A function whose C code releases the GIL itself. */
%define %calls_itself(NAME)
%exception Module::NAME {
    $action
    if (PyErr_Occurred())
        SWIG_fail;
}
%enddef

%calls_itself(C_Initialize)
%calls_itself(C_Finalize)
%calls_itself(C_OpenSession)
%calls_itself(C_CloseSession)
%calls_itself(C_CloseAllSessions)

%apply CK_ULONG_PTR number { CK_SESSION_HANDLE_PTR phSession };

%extend Module {
    CK_RV C_Initialize(PyObject *pInitArgs = Py_None)
    {
        return cside_initialize($self, pInitArgs);
    }
    CK_RV C_Finalize(void)
    {
        return cside_finalize($self);
    }
    CK_RV C_OpenSession(CK_SLOT_ID slotID, CK_FLAGS flags, PyObject *callable = Py_None,
                        CK_SESSION_HANDLE_PTR phSession)
    {
        return cside_open_session($self, slotID, flags, callable, phSession);
    }
    CK_RV C_CloseSession(CK_SESSION_HANDLE hSession)
    {
        return cside_close_session($self, hSession);
    }
    CK_RV C_CloseAllSessions(CK_SLOT_ID slotID)
    {
        return cside_close_all_sessions($self, slotID);
    }
}

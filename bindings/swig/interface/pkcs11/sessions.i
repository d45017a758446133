/* SPDX-License-Identifier: Apache-2.0
 *
 * What a module keeps of Python's: locks from C_Initialize to C_Finalize, and what is to be notified of a session's
 * events. It is kept for the process, since that is what C_Initialize works for, and not for one Module object.
 */
%{
typedef struct cside_state {
    cs_pkcs11_module *module; /* NULL: not in use */
    cside_locks *locks;
    PyObject *sessions; /* dict: session handle -> (notice, slotID) */
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

/* ---- notices: callables by number. A module that is late with an event has no pointer to one --------------------- */

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

/* ---- sessions with a notice -------------------------------------------------------------------------------------- */

/* A new reference to what is known of the session; NULL for nothing, or with an exception. */
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

/* Forgets the session if it is still what it was: the module may have given its handle to another. */
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

/* Forgets those of the snapshot, of one slot or, for NULL, of all. */
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
        cside_session_forget(state, handle, known); /* closed behind our back */
        Py_CLEAR(known);
    }
    if (handle != NULL && number != NULL && !PyErr_Occurred()) {
        known = cside_tuple(2, Py_NewRef(number), PyLong_FromUnsignedLong(slotID));
        if (known != NULL)
            PyDict_SetItem(state->sessions, handle, known);
    }
    Py_XDECREF(handle);
    Py_XDECREF(known);
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

/* Any of these may return with an exception, a callback's or its own. Bookkeeping runs without that of a callback. */
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
        locks->users++; /* so that no other can be at the same address when the module is initialised anew meanwhile */
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

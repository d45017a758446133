/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_state.c - makes and frees the part of the module's state that PKCS #11 needs.
 */
#include "pkcs11_state.h"
#include "guard.h"
#include "pkcs11_locks.h"
#include "pkcs11_notifications.h"
#include "state.h"

#include "cside/pkcs11.h"

static const char *const tuple_names[PKCS11_TUPLES] = {PKCS11_TUPLE_NAMES};

static void state_free(pkcs11_state *state)
{
    for (int i = 0; i < PKCS11_TUPLES; i++) {
        Py_CLEAR(state->tuples[i]);
    }
    Py_CLEAR(state->error);
    PyMem_Free(state);
}

static pkcs11_state *state_new(void)
{
    pkcs11_state *state = PyMem_Calloc(1, sizeof(*state));
    PyObject *types = NULL;
    PyObject *errors = NULL;
    bool complete = false;

    if (state == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    types = PyImport_ImportModule("cside_native.pkcs11_types");
    if (types == NULL) {
        goto exit;
    }
    for (int i = 0; i < PKCS11_TUPLES; i++) {
        PyObject *type = PyObject_GetAttrString(types, tuple_names[i]);

        if (type == NULL) {
            goto exit;
        }
        state->tuples[i] = (PyTypeObject *)type;
        if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, &PyTuple_Type)) {
            PyErr_Format(PyExc_TypeError, "%s is not a named tuple", tuple_names[i]);
            goto exit;
        }
    }
    errors = PyImport_ImportModule("cside_cext._pkcs11_errors");
    if (errors == NULL) {
        goto exit;
    }
    state->error = PyObject_GetAttrString(errors, "PKCS11Error");
    complete = state->error != NULL;
exit:
    Py_XDECREF(errors);
    Py_XDECREF(types);
    if (!complete) {
        state_free(state);
        return NULL;
    }
    return state;
}

pkcs11_state *pkcs11_state_get(PyObject *module)
{
    core_state *core = core_state_of(module);
    pkcs11_state *state = NULL;
    pkcs11_state *made = NULL;

    CORE_BEGIN_GUARD(module);
    state = core->pkcs11;
    CORE_END_GUARD();
    if (state != NULL) {
        return state;
    }
    made = state_new(); /* this runs Python code, which may call load() too */
    if (made == NULL) {
        return NULL;
    }
    CORE_BEGIN_GUARD(module);
    if (core->pkcs11 == NULL) {
        core->pkcs11 = made;
        made = NULL;
    }
    state = core->pkcs11;
    CORE_END_GUARD();
    if (made != NULL) {
        state_free(made);
    }
    return state;
}

int pkcs11_state_traverse(pkcs11_state *state, visitproc visit, void *arg)
{
    int result = 0;

    if (state == NULL) {
        return 0;
    }
    for (int i = 0; i < PKCS11_TUPLES; i++) {
        Py_VISIT(state->tuples[i]);
    }
    Py_VISIT(state->error);
    result = pkcs11_notifications_traverse(state, visit, arg);
    return result != 0 ? result : pkcs11_locks_traverse(state, visit, arg);
}

void pkcs11_state_clear(pkcs11_state *state)
{
    if (state != NULL) {
        pkcs11_notifications_clear(state);
        pkcs11_locks_clear(state);
    }
}

void pkcs11_state_free(pkcs11_state *state)
{
    if (state != NULL) {
        pkcs11_state_clear(state);
        pkcs11_notifications_abandon(state);
        pkcs11_locks_abandon(state);
        state_free(state);
    }
}

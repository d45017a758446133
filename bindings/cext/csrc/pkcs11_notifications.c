/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_notifications.c - notifications: what the library needs to call a session's Notify callback.
 */
#include "pkcs11_notifications.h"
#include "pkcs11_arguments.h"
#include "pkcs11_callbacks.h"

#include <stdlib.h>

struct pkcs11_notification {
    struct pkcs11_notification *next;
    pkcs11_state *state;
    pkcs11_home home;
    const cs_pkcs11_module *module;
    CK_SLOT_ID slot;
    CK_SESSION_HANDLE session; /* CK_INVALID_HANDLE while C_OpenSession runs */
    PyObject *callable;        /* NULL once retired */
};

CK_RV pkcs11_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, CK_VOID_PTR application)
{
    pkcs11_notification *notification = application;
    pkcs11_state *state = notification->state;
    PyObject *callable = NULL;
    PyObject *returned = NULL;
    CK_RV rv = CKR_OK;
    pkcs11_visit visit;

    if (state == NULL || !pkcs11_visit_begin(&visit, notification->home)) {
        return CKR_OK;
    }
    pkcs11_lists_take(state);
    if (notification->session == session || notification->session == CK_INVALID_HANDLE) {
        callable = Py_XNewRef(notification->callable);
    }
    pkcs11_lists_give(state);
    if (callable == NULL) {
        goto exit;
    }
    returned = PyObject_CallFunction(callable, "kk", session, event);
    if (returned == NULL || (returned != Py_None && pkcs11_as_ulong(returned, &rv) < 0)) {
        rv = pkcs11_visit_failed(state, &visit, callable);
    }
    Py_XDECREF(returned);
    Py_DECREF(callable);
exit:
    pkcs11_visit_end(&visit);
    return rv;
}

pkcs11_notification *pkcs11_notification_new(const pkcs11_module *self, CK_SLOT_ID slot, PyObject *callable)
{
    pkcs11_state *state = self->state;
    pkcs11_notification *notification = NULL;

    pkcs11_lists_take(state);
    notification = state->retired;
    if (notification != NULL) {
        state->retired = notification->next;
    }
    pkcs11_lists_give(state);
    if (notification == NULL) {
        notification = malloc(sizeof(*notification));
        if (notification == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
    }
    notification->next = NULL;
    notification->state = state;
    notification->home = pkcs11_home_here();
    notification->module = self->module;
    notification->slot = slot;
    notification->session = CK_INVALID_HANDLE;
    notification->callable = Py_NewRef(callable);
    return notification;
}

void pkcs11_notification_keep(const pkcs11_module *self, pkcs11_notification *notification, CK_SESSION_HANDLE session)
{
    /* If there is a notification for this number, its session has been closed by other means. */
    pkcs11_notification *stale = pkcs11_notifications_take(self, NULL, &session);

    pkcs11_notifications_retire(self->state, stale);
    pkcs11_lists_take(self->state);
    notification->session = session;
    notification->next = self->state->open;
    self->state->open = notification;
    pkcs11_lists_give(self->state);
}

pkcs11_notification *pkcs11_notifications_take(const pkcs11_module *self, const CK_SLOT_ID *slot,
                                               const CK_SESSION_HANDLE *session)
{
    pkcs11_state *state = self->state;
    pkcs11_notification *taken = NULL;
    pkcs11_notification **link = NULL;

    pkcs11_lists_take(state);
    link = &state->open;
    while (*link != NULL) {
        pkcs11_notification *notification = *link;

        if (notification->module == self->module && (slot == NULL || notification->slot == *slot) &&
            (session == NULL || notification->session == *session)) {
            *link = notification->next;
            notification->next = taken;
            taken = notification;
        } else {
            link = &notification->next;
        }
    }
    pkcs11_lists_give(state);
    return taken;
}

void pkcs11_notifications_return(pkcs11_state *state, pkcs11_notification *notifications)
{
    while (notifications != NULL) {
        pkcs11_notification *next = notifications->next;

        pkcs11_lists_take(state);
        notifications->next = state->open;
        state->open = notifications;
        pkcs11_lists_give(state);
        notifications = next;
    }
}

void pkcs11_notifications_retire(pkcs11_state *state, pkcs11_notification *notifications)
{
    while (notifications != NULL) {
        pkcs11_notification *next = notifications->next;
        PyObject *callable = notifications->callable;

        pkcs11_lists_take(state);
        notifications->callable = NULL;
        notifications->next = state->retired;
        state->retired = notifications;
        pkcs11_lists_give(state);
        Py_XDECREF(callable);
        notifications = next;
    }
}

/* ---- garbage collection, and the end of the interpreter --------------------------------------- */

int pkcs11_notifications_traverse(pkcs11_state *state, visitproc visit, void *arg)
{
    for (pkcs11_notification *notification = state->open; notification != NULL; notification = notification->next) {
        Py_VISIT(notification->callable);
    }
    return 0;
}

/** The list is kept, because the library may still call; it then finds no callable. */
void pkcs11_notifications_clear(pkcs11_state *state)
{
    for (pkcs11_notification *notification = state->open; notification != NULL; notification = notification->next) {
        Py_CLEAR(notification->callable);
    }
}

void pkcs11_notifications_abandon(pkcs11_state *state)
{
    for (pkcs11_notification *notification = state->open; notification != NULL; notification = notification->next) {
        notification->state = NULL;
    }
    for (pkcs11_notification *notification = state->retired; notification != NULL; notification = notification->next) {
        notification->state = NULL;
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_notifications.c - notifications: what the library needs to call a session's Notify callback.
 */
#include "pkcs11_notifications.h"
#include "pkcs11_arguments.h"
#include "pkcs11_callbacks.h"
#include "pkcs11_memory.h"

#include <stdlib.h>

struct pkcs11_notification {
    pkcs11_entry entry;               /* the first field */
    struct pkcs11_notification *next; /* in the list of the state */
    const cs_pkcs11_module *module;
    CK_SLOT_ID slot;
    CK_SESSION_HANDLE session; /* CK_INVALID_HANDLE while C_OpenSession runs */
    PyObject *callable;        /* NULL once the interpreter has let go of it */
};

CK_RV pkcs11_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, CK_VOID_PTR application)
{
    const pkcs11_notification *notification = NULL;
    const pkcs11_state *state = NULL;
    PyObject *callable = NULL;
    PyObject *returned = NULL;
    CK_RV rv = CKR_OK;
    pkcs11_visit visit;

    if (pkcs11_visit_begin(&visit, application) != PKCS11_ENTERED) {
        return CKR_OK;
    }
    pkcs11_lists_take();
    notification = (const pkcs11_notification *)pkcs11_entry_find(application);
    if (notification != NULL && (notification->session == session || notification->session == CK_INVALID_HANDLE)) {
        state = notification->entry.state;
        callable = Py_XNewRef(notification->callable);
    }
    pkcs11_lists_give();
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
    pkcs11_notification *notification = calloc(1, sizeof(*notification));

    if (notification == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    notification->module = self->module;
    notification->slot = slot;
    notification->session = CK_INVALID_HANDLE;
    notification->callable = Py_NewRef(callable);
    pkcs11_entry_add(&notification->entry, self->state);
    return notification;
}

void *pkcs11_notification_number(const pkcs11_notification *notification)
{
    return PKCS11_POINTER(notification->entry.number);
}

void pkcs11_notification_keep(const pkcs11_module *self, pkcs11_notification *notification, CK_SESSION_HANDLE session)
{
    /* If there is a notification for this number, its session has been closed by other means. */
    pkcs11_notification *stale = pkcs11_notifications_take(self, NULL, &session);

    pkcs11_notifications_free(stale);
    pkcs11_lists_take();
    notification->session = session;
    notification->next = self->state->open;
    self->state->open = notification;
    pkcs11_lists_give();
}

pkcs11_notification *pkcs11_notifications_take(const pkcs11_module *self, const CK_SLOT_ID *slot,
                                               const CK_SESSION_HANDLE *session)
{
    pkcs11_state *state = self->state;
    pkcs11_notification *taken = NULL;
    pkcs11_notification **link = NULL;

    pkcs11_lists_take();
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
    pkcs11_lists_give();
    return taken;
}

void pkcs11_notifications_return(pkcs11_state *state, pkcs11_notification *notifications)
{
    while (notifications != NULL) {
        pkcs11_notification *next = notifications->next;

        pkcs11_lists_take();
        notifications->next = state->open;
        state->open = notifications;
        pkcs11_lists_give();
        notifications = next;
    }
}

void pkcs11_notifications_free(pkcs11_notification *notifications)
{
    while (notifications != NULL) {
        pkcs11_notification *next = notifications->next;

        pkcs11_lists_take();
        pkcs11_entry_remove(&notifications->entry);
        pkcs11_lists_give();
        Py_XDECREF(notifications->callable);
        free(notifications);
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

/** Take one callable out of the list; NULL if none is left. */
static PyObject *callable_take(const pkcs11_state *state)
{
    PyObject *callable = NULL;

    pkcs11_lists_take();
    for (pkcs11_notification *notification = state->open; notification != NULL && callable == NULL;
         notification = notification->next) {
        callable = notification->callable;
        notification->callable = NULL;
    }
    pkcs11_lists_give();
    return callable;
}

/** The list is kept, because the library may still call; it then finds no callable. Releasing a callable may run code
 *  that closes a session, so nothing of the list is kept meanwhile. */
void pkcs11_notifications_clear(pkcs11_state *state)
{
    PyObject *callable = callable_take(state);

    while (callable != NULL) {
        Py_DECREF(callable);
        callable = callable_take(state);
    }
}

void pkcs11_notifications_abandon(pkcs11_state *state)
{
    pkcs11_lists_take();
    for (pkcs11_notification *notification = state->open; notification != NULL; notification = notification->next) {
        notification->entry.state = NULL;
    }
    pkcs11_lists_give();
}

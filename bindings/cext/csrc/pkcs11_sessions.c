/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_sessions.c - the methods that initialise and finalise a module and open and close sessions.
 *
 * These methods begin and end the lives of callbacks. The callbacks of a session that is to be closed are taken out of
 * the list before the native call and put back if the call fails: after the call another thread may already have a
 * session with the same number.
 */
#include "pkcs11_sessions.h"
#include "convert.h"
#include "pkcs11_arguments.h"
#include "pkcs11_calls.h"
#include "pkcs11_errors.h"
#include "pkcs11_locks.h"
#include "pkcs11_module.h"
#include "pkcs11_notifications.h"

static PyObject *none_or_error(const pkcs11_module *self, pkcs11_call *call, CK_RV rv, const char *function)
{
    return pkcs11_settle(self, call, rv, function) < 0 ? NULL : Py_NewRef(Py_None);
}

/* ---- initialisation --------------------------------------------------------------------------- */

/** What a module keeps of the argument of C_Initialize, an instance of CK_C_INITIALIZE_ARGS; NULL with an exception
 *  set. */
static pkcs11_locks *initialize_arguments(const pkcs11_module *self, PyObject *arguments, CK_FLAGS *flags)
{
    PyTypeObject *type = self->state->tuples[PKCS11_CK_C_INITIALIZE_ARGS];
    Py_buffer reserved = {.obj = NULL};
    PyObject *callables[4] = {NULL, NULL, NULL, NULL};
    pkcs11_locks *locks = NULL;
    int given = 0;

    if (!PyObject_TypeCheck(arguments, type) || PyTuple_GET_SIZE(arguments) != 6) {
        PyErr_Format(PyExc_TypeError, "a CK_C_INITIALIZE_ARGS is required, not '%.100s'", Py_TYPE(arguments)->tp_name);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < 4; i++) {
        callables[i] = PyTuple_GET_ITEM(arguments, i);
        if (callables[i] != Py_None) {
            if (core_as_callable(callables[i]) < 0) {
                return NULL;
            }
            given++;
        }
    }
    if (pkcs11_as_ulong(PyTuple_GET_ITEM(arguments, 4), flags) < 0) {
        return NULL;
    }
    if (PyTuple_GET_ITEM(arguments, 5) != Py_None &&
        PyObject_GetBuffer(PyTuple_GET_ITEM(arguments, 5), &reserved, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    if (given == 0 || given == 4) {
        locks = pkcs11_locks_new(self, given == 0 ? NULL : callables, &reserved);
    } else {
        pkcs11_raise(self->state, CKR_ARGUMENTS_BAD, "C_Initialize", NULL);
    }
    if (reserved.obj != NULL) {
        PyBuffer_Release(&reserved);
    }
    return locks;
}

PyObject *pkcs11_C_Initialize(PyObject *object, PyObject *const *args, Py_ssize_t nargs)
{
    const pkcs11_module *self = (pkcs11_module *)object;
    pkcs11_locks *locks = NULL;
    pkcs11_locks *stale_locks = NULL;
    pkcs11_notification *stale = NULL;
    pkcs11_call call;
    CK_FLAGS flags = 0;
    CK_RV rv = CKR_OK;

    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError, "C_Initialize() takes at most 1 argument (%zd given)", nargs);
        return NULL;
    }
    if (nargs == 1 && args[0] != Py_None) {
        locks = initialize_arguments(self, args[0], &flags);
        if (locks == NULL) {
            return NULL;
        }
    }
    /* These are left over if other code in the process has finalised the module. */
    stale = pkcs11_notifications_take(self, NULL, NULL);
    stale_locks = pkcs11_locks_take(self);
    pkcs11_enter(&call);
    if (locks == NULL) {
        rv = self->functions->C_Initialize(NULL);
    } else {
        rv = cs_pkcs11_initialize(self->module, pkcs11_locks_table(locks), flags, pkcs11_locks_reserved(locks));
    }
    pkcs11_leave(&call);
    if (rv == CKR_OK) {
        pkcs11_locks_return(self->state, locks);
        pkcs11_notifications_free(stale);
        pkcs11_locks_free(stale_locks);
    } else {
        pkcs11_notifications_return(self->state, stale);
        pkcs11_locks_return(self->state, stale_locks);
        pkcs11_locks_free(locks);
    }
    return none_or_error(self, &call, rv, "C_Initialize");
}

PyObject *pkcs11_C_Finalize(PyObject *object, PyObject *Py_UNUSED(none))
{
    const pkcs11_module *self = (pkcs11_module *)object;
    pkcs11_notification *notifications = pkcs11_notifications_take(self, NULL, NULL);
    pkcs11_locks *locks = pkcs11_locks_take(self);
    pkcs11_call call;
    CK_RV rv = CKR_OK;

    pkcs11_enter(&call);
    rv = self->functions->C_Finalize(NULL);
    pkcs11_leave(&call);
    if (rv == CKR_OK) {
        pkcs11_notifications_free(notifications);
        pkcs11_locks_free(locks);
    } else {
        pkcs11_notifications_return(self->state, notifications);
        pkcs11_locks_return(self->state, locks);
    }
    return none_or_error(self, &call, rv, "C_Finalize");
}

/* ---- sessions --------------------------------------------------------------------------------- */

PyObject *pkcs11_C_OpenSession(PyObject *object, PyObject *const *args, Py_ssize_t nargs)
{
    const pkcs11_module *self = (pkcs11_module *)object;
    pkcs11_notification *notification = NULL;
    pkcs11_call call;
    CK_SLOT_ID slot = 0;
    CK_FLAGS flags = 0;
    CK_SESSION_HANDLE session = CK_INVALID_HANDLE;
    CK_RV rv = CKR_OK;

    if (nargs < 2 || nargs > 3) {
        PyErr_Format(PyExc_TypeError, "C_OpenSession() takes 2 or 3 positional arguments (%zd given)", nargs);
        return NULL;
    }
    if (pkcs11_as_ulong(args[0], &slot) < 0 || pkcs11_as_ulong(args[1], &flags) < 0) {
        return NULL;
    }
    if (nargs == 3 && args[2] != Py_None) {
        if (core_as_callable(args[2]) < 0) {
            return NULL;
        }
        notification = pkcs11_notification_new(self, slot, args[2]);
        if (notification == NULL) {
            return NULL;
        }
    }
    pkcs11_enter(&call);
    rv = self->functions->C_OpenSession(slot, flags,
                                        notification == NULL ? NULL : pkcs11_notification_number(notification),
                                        notification == NULL ? NULL : pkcs11_notify, &session);
    pkcs11_leave(&call);
    if (notification != NULL) {
        if (rv == CKR_OK) {
            pkcs11_notification_keep(self, notification, session);
        } else {
            pkcs11_notifications_free(notification);
        }
    }
    if (pkcs11_settle(self, &call, rv, "C_OpenSession") < 0) {
        return NULL;
    }
    return PyLong_FromUnsignedLong(session);
}

/** Release the callbacks of sessions that a call has closed, or put them back if the call has failed. */
static void ended(const pkcs11_module *self, pkcs11_notification *notifications, CK_RV rv)
{
    if (rv == CKR_OK || rv == CKR_SESSION_HANDLE_INVALID) {
        pkcs11_notifications_free(notifications);
    } else {
        pkcs11_notifications_return(self->state, notifications);
    }
}

PyObject *pkcs11_C_CloseSession(PyObject *object, PyObject *argument)
{
    const pkcs11_module *self = (pkcs11_module *)object;
    pkcs11_notification *notifications = NULL;
    pkcs11_call call;
    CK_SESSION_HANDLE session = 0;
    CK_RV rv = CKR_OK;

    if (pkcs11_as_ulong(argument, &session) < 0) {
        return NULL;
    }
    notifications = pkcs11_notifications_take(self, NULL, &session);
    pkcs11_enter(&call);
    rv = self->functions->C_CloseSession(session);
    pkcs11_leave(&call);
    ended(self, notifications, rv);
    return none_or_error(self, &call, rv, "C_CloseSession");
}

PyObject *pkcs11_C_CloseAllSessions(PyObject *object, PyObject *argument)
{
    const pkcs11_module *self = (pkcs11_module *)object;
    pkcs11_notification *notifications = NULL;
    pkcs11_call call;
    CK_SLOT_ID slot = 0;
    CK_RV rv = CKR_OK;

    if (pkcs11_as_ulong(argument, &slot) < 0) {
        return NULL;
    }
    notifications = pkcs11_notifications_take(self, &slot, NULL);
    pkcs11_enter(&call);
    rv = self->functions->C_CloseAllSessions(slot);
    pkcs11_leave(&call);
    ended(self, notifications, rv);
    return none_or_error(self, &call, rv, "C_CloseAllSessions");
}

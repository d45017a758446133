/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_notifications.h - Notify, the callback of a session.
 */
#ifndef CSIDE_CEXT_PKCS11_NOTIFICATIONS_H
#define CSIDE_CEXT_PKCS11_NOTIFICATIONS_H

#include "pkcs11_module.h"

typedef struct pkcs11_notification pkcs11_notification;

/** CK_NOTIFY; `application` is a pkcs11_notification. */
CK_RV pkcs11_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, CK_VOID_PTR application);

/** A notification for a session about to be opened; NULL with MemoryError. */
pkcs11_notification *pkcs11_notification_new(const pkcs11_module *self, CK_SLOT_ID slot, PyObject *callable);
void pkcs11_notification_keep(const pkcs11_module *self, pkcs11_notification *notification, CK_SESSION_HANDLE session);

/** Take the notifications of one session, of a slot's (`session` NULL), or all of the module's (both NULL) out of the list. */
pkcs11_notification *pkcs11_notifications_take(const pkcs11_module *self, const CK_SLOT_ID *slot,
                                               const CK_SESSION_HANDLE *session);
/** Put them back, or let go of their callables. */
void pkcs11_notifications_return(pkcs11_state *state, pkcs11_notification *notifications);
void pkcs11_notifications_retire(pkcs11_state *state, pkcs11_notification *notifications);

/* For the garbage collector, and for the interpreter's end. */
int pkcs11_notifications_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_notifications_clear(pkcs11_state *state);
void pkcs11_notifications_abandon(pkcs11_state *state);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs11_notifications.h - notifications: what the library needs to call a session's Notify callback.
 */
#ifndef CSIDE_CEXT_PKCS11_NOTIFICATIONS_H
#define CSIDE_CEXT_PKCS11_NOTIFICATIONS_H

#include "pkcs11_module.h"

typedef struct pkcs11_notification pkcs11_notification;

/** The CK_NOTIFY function of all sessions. `application` is the number of a pkcs11_notification. */
CK_RV pkcs11_notify(CK_SESSION_HANDLE session, CK_NOTIFICATION event, CK_VOID_PTR application);

/** A notification for a session that is about to be opened; NULL with MemoryError. */
pkcs11_notification *pkcs11_notification_new(const pkcs11_module *self, CK_SLOT_ID slot, PyObject *callable);
/** What the module is to call pkcs11_notify() with. */
void *pkcs11_notification_number(const pkcs11_notification *notification);
/** Put the notification into the list, once the session is open. */
void pkcs11_notification_keep(const pkcs11_module *self, pkcs11_notification *notification, CK_SESSION_HANDLE session);

/** Take notifications of a module out of the list: those of one session (`slot` is NULL), of one slot (`session` is
 *  NULL), or all (both are NULL). */
pkcs11_notification *pkcs11_notifications_take(const pkcs11_module *self, const CK_SLOT_ID *slot,
                                               const CK_SESSION_HANDLE *session);
/** Put notifications back into the list. */
void pkcs11_notifications_return(pkcs11_state *state, pkcs11_notification *notifications);
/** Free notifications, and release their callables. */
void pkcs11_notifications_free(pkcs11_notification *notifications);

/* For the garbage collector (traverse, clear) and for the end of the interpreter (abandon). */
int pkcs11_notifications_traverse(pkcs11_state *state, visitproc visit, void *arg);
void pkcs11_notifications_clear(pkcs11_state *state);
void pkcs11_notifications_abandon(pkcs11_state *state);

#endif

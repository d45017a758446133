/* SPDX-License-Identifier: Apache-2.0
 *
 * sessions_open.c - opens and closes sessions. With the last session of a slot its login and the objects of the session end.
 */
#include "objects.h"

#include <stdlib.h>

static void session_close(struct session *session)
{
    struct slot *slot = session->slot;

    handle_remove(&module->sessions, session->handle);
    atomic_store(&session->is_open, false);
    objects_destroy_owned(session);
    slot->session_count--;
    slot->rw_session_count -= session_is_rw(session) ? 1 : 0;
    if (slot->session_count == 0) {
        token_logout(slot);
    }
    session_unref(session);
}

void sessions_close(struct slot *slot)
{
    for (uint32_t i = 0; i < module->sessions.used && slot->session_count > 0; i++) {
        struct session *session = handle_at(&module->sessions, i);

        if (session != NULL && session->slot == slot) {
            session_close(session);
        }
    }
}

void sessions_free(void)
{
    for (CK_ULONG i = 0; module->slots != NULL && i < module->slot_count; i++) {
        sessions_close(&module->slots[i]);
    }
}

static CK_RV session_open(struct slot *slot, CK_FLAGS flags, void *application, CK_NOTIFY notify,
                          CK_SESSION_HANDLE *out_handle)
{
    struct session *session = calloc(1, sizeof *session);
    CK_RV rv = CKR_OK;

    if (session == NULL) {
        return CKR_HOST_MEMORY;
    }
    rv = lock_create(&session->lock);
    if (rv != CKR_OK) {
        free(session);
        return rv;
    }
    atomic_init(&session->refs, 1);
    atomic_init(&session->is_open, true);
    session->life = module_life();
    session->slot = slot;
    session->flags = flags & (CKF_RW_SESSION | CKF_SERIAL_SESSION);
    session->application = application;
    session->notify = notify;
    session->handle = handle_add(&module->sessions, session);
    if (session->handle == CK_INVALID_HANDLE) {
        session_unref(session);
        return CKR_SESSION_COUNT;
    }
    slot->session_count++;
    slot->rw_session_count += session_is_rw(session) ? 1 : 0;
    *out_handle = session->handle;
    return CKR_OK;
}

CK_RV C_OpenSession(CK_SLOT_ID slotID, CK_FLAGS flags, CK_VOID_PTR pApplication, CK_NOTIFY Notify,
                    CK_SESSION_HANDLE_PTR phSession)
{
    struct slot *slot = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    if (phSession == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if ((flags & CKF_SERIAL_SESSION) == 0) {
        rv = CKR_SESSION_PARALLEL_NOT_SUPPORTED;
    } else if ((flags & CKF_ASYNC_SESSION) != 0) {
        rv = CKR_SESSION_ASYNC_NOT_SUPPORTED;
    } else {
        rv = slot_with_token(slotID, &slot);
    }
    if (rv == CKR_OK && slot->state != TOKEN_GOOD) {
        rv = CKR_TOKEN_NOT_RECOGNIZED;
    }
    if (rv == CKR_OK && slot->logged_in == CKU_SO && (flags & CKF_RW_SESSION) == 0) {
        rv = CKR_SESSION_READ_WRITE_SO_EXISTS;
    }
    if (rv == CKR_OK) {
        rv = session_open(slot, flags, pApplication, Notify, phSession);
    }
    module_leave();
    return rv;
}

CK_RV C_CloseSession(CK_SESSION_HANDLE hSession)
{
    struct session *session = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv == CKR_OK) {
        session_close(session);
        module_leave();
    }
    return rv;
}

CK_RV C_CloseAllSessions(CK_SLOT_ID slotID)
{
    struct slot *slot = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    rv = slot_find(slotID, &slot);
    if (rv == CKR_OK && !slot->is_present) {
        rv = CKR_TOKEN_NOT_PRESENT;
    }
    if (rv == CKR_OK) {
        sessions_close(slot);
    }
    module_leave();
    return rv;
}

CK_RV C_GetSessionInfo(CK_SESSION_HANDLE hSession, CK_SESSION_INFO_PTR pInfo)
{
    struct session *session = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (pInfo == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        pInfo->slotID = session->slot->id;
        pInfo->flags = session->flags;
        pInfo->ulDeviceError = 0;
        if (session->slot->logged_in == CKU_SO) {
            pInfo->state = CKS_RW_SO_FUNCTIONS;
        } else if (session->slot->logged_in == CKU_USER) {
            pInfo->state = session_is_rw(session) ? CKS_RW_USER_FUNCTIONS : CKS_RO_USER_FUNCTIONS;
        } else {
            pInfo->state = session_is_rw(session) ? CKS_RW_PUBLIC_SESSION : CKS_RO_PUBLIC_SESSION;
        }
    }
    module_leave();
    return rv;
}

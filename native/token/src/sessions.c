/* SPDX-License-Identifier: Apache-2.0
 *
 * sessions.c - finds the session of a call, and keeps it while the call lasts.
 */
#include "sessions.h"

#include <stdlib.h>

static void session_free(struct session *session)
{
    hash_end(&session->hash);
    cipher_end(&session->cipher);
    EVP_MD_CTX_free(session->hash.md);
    EVP_MAC_CTX_free(session->hash.mac);
    EVP_CIPHER_CTX_free(session->cipher.ctx);
    free(session->find.handles);
    lock_destroy(&session->lock);
    free(session);
}

void session_unref(struct session *session)
{
    if (atomic_fetch_sub(&session->refs, 1) == 1) {
        session_free(session);
    }
}

CK_RV session_hold(CK_SESSION_HANDLE handle, struct session **out)
{
    struct session *session = NULL;
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    session = handle_get(&module->sessions, handle);
    if (session != NULL) {
        atomic_fetch_add(&session->refs, 1);
    }
    lock_give(&module->lock);
    if (session == NULL) {
        call_leave();
        return CKR_SESSION_HANDLE_INVALID;
    }
    *out = session;
    return CKR_OK;
}

/* Whether the session belongs to the parent's module, in a child of fork() that was made in a callback. Its memory is
 * still there. Nothing holds its lock or counts its call. */
static bool is_abandoned(const struct session *session)
{
    return session->life != module_life();
}

void session_drop(struct session *session)
{
    if (is_abandoned(session)) {
        return;
    }
    session_unref(session);
    call_leave();
}

CK_RV session_enter(CK_SESSION_HANDLE handle, struct session **out)
{
    CK_RV rv = session_hold(handle, out);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = lock_take(&(*out)->lock);
    if (rv == CKR_OK && (!atomic_load(&(*out)->is_open) || (*out)->is_busy)) {
        rv = (*out)->is_busy ? CKR_OPERATION_ACTIVE : CKR_SESSION_HANDLE_INVALID;
        lock_give(&(*out)->lock);
    }
    if (rv != CKR_OK) {
        session_drop(*out);
        *out = NULL;
    }
    return rv;
}

void session_leave(struct session *session)
{
    if (is_abandoned(session)) {
        return;
    }
    lock_give(&session->lock);
    session_drop(session);
}

CK_RV session_enter_module(CK_SESSION_HANDLE handle, struct session **out)
{
    CK_RV rv = module_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    *out = handle_get(&module->sessions, handle);
    if (*out == NULL) {
        module_leave();
        return CKR_SESSION_HANDLE_INVALID;
    }
    return CKR_OK;
}

CK_RV session_surrender_unlocked(struct session *session)
{
    CK_RV rv = CKR_OK;

    if (session->notify == NULL) {
        return CKR_OK;
    }
    module_callback_begin();
    rv = session->notify(session->handle, CKN_SURRENDER, session->application);
    if (is_abandoned(session)) {
        return CKR_CRYPTOKI_NOT_INITIALIZED;
    }
    module_callback_end();
    if (!atomic_load(&session->is_open)) {
        return CKR_SESSION_CLOSED;
    }
    return rv == CKR_CANCEL ? CKR_FUNCTION_CANCELED : CKR_OK;
}

CK_RV session_surrender(struct session *session)
{
    CK_RV rv = CKR_OK;

    if (session->notify == NULL) {
        return CKR_OK;
    }
    session->is_busy = true;
    lock_give(&session->lock);
    rv = session_surrender_unlocked(session);
    if (!is_abandoned(session)) {
        lock_take(&session->lock);
        session->is_busy = false;
    }
    return rv;
}

bool session_is_rw(const struct session *session)
{
    return (session->flags & CKF_RW_SESSION) != 0;
}

bool session_is_user(const struct session *session)
{
    return session->slot->logged_in == CKU_USER;
}

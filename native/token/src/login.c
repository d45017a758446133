/* SPDX-License-Identifier: Apache-2.0
 *
 * login.c - login and logout. A token has nobody, the user or the security officer logged in, for all its sessions
 * alike.
 */
#include "objects.h"

void token_logout(struct slot *slot)
{
    if (slot->logged_in == CKU_USER) {
        objects_renew_private(slot);
    }
    slot->logged_in = CKU_USER_NOBODY;
}

static CK_RV login(struct slot *slot, CK_USER_TYPE user_type, const CK_UTF8CHAR *pin, CK_ULONG pin_nbytes)
{
    const struct pin *expected = user_type == CKU_SO ? &slot->token.so_pin : &slot->token.user_pin;
    CK_RV rv = CKR_OK;

    if (slot->logged_in == user_type) {
        return CKR_USER_ALREADY_LOGGED_IN;
    }
    if (slot->logged_in != CKU_USER_NOBODY) {
        return CKR_USER_ANOTHER_ALREADY_LOGGED_IN;
    }
    if (!expected->is_set) {
        return CKR_USER_PIN_NOT_INITIALIZED;
    }
    if (user_type == CKU_SO && slot->session_count > slot->rw_session_count) {
        return CKR_SESSION_READ_ONLY_EXISTS;
    }
    rv = pin_check(slot, user_type, pin, pin_nbytes);
    if (rv == CKR_OK) {
        slot->logged_in = user_type;
    }
    return rv;
}

/* Find what says that an active operation waits for a login. NULL if none does. */
static bool *waiting(struct session *session)
{
    if (session->hash.kind == HASH_SIGN && session->hash.must_login) {
        return &session->hash.must_login;
    }
    return session->cipher.kind == CIPHER_DECRYPT && session->cipher.must_login ? &session->cipher.must_login : NULL;
}

/* Log in for the private key of the active operation, which has CKA_ALWAYS_AUTHENTICATE. */
static CK_RV login_context(struct session *session, const CK_UTF8CHAR *pin, CK_ULONG pin_nbytes)
{
    struct slot *slot = session->slot;
    bool *must_login = waiting(session);
    CK_RV rv = CKR_OK;

    if (must_login == NULL) {
        return CKR_OPERATION_NOT_INITIALIZED;
    }
    rv = lock_take(&module->lock);
    if (rv != CKR_OK) {
        return rv;
    }
    rv = slot->logged_in != CKU_USER ? CKR_USER_NOT_LOGGED_IN : pin_check(slot, CKU_USER, pin, pin_nbytes);
    if (rv == CKR_PIN_LOCKED) {
        token_logout(slot); /* by the standard, a user whose PIN is locked is not logged in */
    }
    lock_give(&module->lock);
    if (rv == CKR_OK) {
        *must_login = false;
    }
    return rv;
}

CK_RV C_Login(CK_SESSION_HANDLE hSession, CK_USER_TYPE userType, CK_UTF8CHAR_PTR pPin, CK_ULONG ulPinLen)
{
    struct session *session = NULL;
    CK_RV rv = CKR_OK;

    if (userType == CKU_CONTEXT_SPECIFIC) {
        rv = session_enter(hSession, &session);
        if (rv == CKR_OK) {
            rv = pPin == NULL ? CKR_ARGUMENTS_BAD : login_context(session, pPin, ulPinLen);
            session_leave(session);
        }
        return rv;
    }
    rv = session_enter_module(hSession, &session);
    if (rv != CKR_OK) {
        return rv;
    }
    if (userType != CKU_SO && userType != CKU_USER) {
        rv = CKR_USER_TYPE_INVALID;
    } else if (pPin == NULL) {
        rv = CKR_ARGUMENTS_BAD; /* there is no other way to enter a PIN */
    } else {
        rv = login(session->slot, userType, pPin, ulPinLen);
    }
    module_leave();
    return rv;
}

CK_RV C_LoginUser(CK_SESSION_HANDLE hSession, CK_USER_TYPE userType, CK_UTF8CHAR_PTR pPin, CK_ULONG ulPinLen,
                  CK_UTF8CHAR_PTR pUsername, CK_ULONG ulUsernameLen)
{
    struct session *session = NULL;
    CK_RV rv = CKR_OK;

    if (ulUsernameLen == 0) {
        return C_Login(hSession, userType, pPin, ulPinLen);
    }
    rv = session_enter_module(hSession, &session);
    if (rv != CKR_OK) {
        return rv;
    }
    rv = pUsername == NULL ? CKR_ARGUMENTS_BAD : CKR_USER_TYPE_INVALID; /* users of this token have no names */
    module_leave();
    return rv;
}

CK_RV C_Logout(CK_SESSION_HANDLE hSession)
{
    struct session *session = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->slot->logged_in == CKU_USER_NOBODY) {
        rv = CKR_USER_NOT_LOGGED_IN;
    } else {
        token_logout(session->slot);
    }
    module_leave();
    return rv;
}

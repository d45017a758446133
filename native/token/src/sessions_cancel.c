/* SPDX-License-Identifier: Apache-2.0
 *
 * sessions_cancel.c - ends operations early: C_SessionCancel, and the older functions C_GetFunctionStatus and
 * C_CancelFunction.
 */
#include "sessions.h"

CK_RV C_SessionCancel(CK_SESSION_HANDLE hSession, CK_FLAGS flags)
{
    static const CK_FLAGS hash_flags[] = {0, CKF_DIGEST, CKF_SIGN, CKF_VERIFY, CKF_VERIFY};
    static const CK_FLAGS cipher_flags[] = {0, CKF_ENCRYPT, CKF_DECRYPT, CKF_MESSAGE_ENCRYPT, CKF_MESSAGE_DECRYPT};
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if ((flags & hash_flags[session->hash.kind]) != 0) {
        hash_end(&session->hash);
    }
    if ((flags & cipher_flags[session->cipher.kind]) != 0) {
        cipher_end(&session->cipher);
    }
    if ((flags & CKF_FIND_OBJECTS) != 0) {
        session->find.is_active = false;
    }
    session_leave(session);
    return CKR_OK;
}

static CK_RV not_parallel(CK_SESSION_HANDLE handle)
{
    struct session *session = NULL;
    CK_RV rv = session_enter_module(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    module_leave();
    return CKR_FUNCTION_NOT_PARALLEL;
}

CK_RV C_GetFunctionStatus(CK_SESSION_HANDLE hSession)
{
    return not_parallel(hSession);
}

CK_RV C_CancelFunction(CK_SESSION_HANDLE hSession)
{
    return not_parallel(hSession);
}

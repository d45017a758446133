/* SPDX-License-Identifier: Apache-2.0
 *
 * sessions_cancel.c - ends operations early: C_SessionCancel, and the C_...Init functions without a mechanism; the
 * older functions C_GetFunctionStatus and C_CancelFunction; and the room for results, which all operations check.
 */
#include "sessions.h"

CK_RV output_room(const void *out, CK_ULONG *io_nbytes, CK_ULONG nbytes, bool *out_asked)
{
    CK_ULONG room = *io_nbytes;

    *io_nbytes = nbytes;
    *out_asked = out == NULL;
    return out != NULL && room < nbytes ? CKR_BUFFER_TOO_SMALL : CKR_OK;
}

CK_RV part_room(const void *out, CK_ULONG *io_nbytes, CK_ULONG nbytes, CK_ULONG in_nbytes, bool *out_asked)
{
    CK_RV rv = output_room(out, io_nbytes, nbytes, out_asked);

    if (*out_asked && nbytes == 0) {
        *io_nbytes = in_nbytes;
    }
    return rv;
}

CK_RV hash_cancel(struct hash_operation *hash, enum hash_kind kind)
{
    if (hash->kind != kind) {
        return CKR_ARGUMENTS_BAD;
    }
    hash_end(hash);
    return CKR_OK;
}

CK_RV cipher_cancel(struct cipher_operation *cipher, enum cipher_kind kind)
{
    if (cipher->kind != kind) {
        return CKR_ARGUMENTS_BAD;
    }
    cipher_end(cipher);
    return CKR_OK;
}

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

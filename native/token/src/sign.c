/* SPDX-License-Identifier: Apache-2.0
 *
 * sign.c - C_Sign, C_SignUpdate and C_SignFinal.
 */
#include "signatures.h"

CK_RV C_SignInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = signature_start(session, HASH_SIGN, pMechanism, hKey);
    session_leave(session);
    return rv;
}

static CK_RV finish(struct session *session, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out, CK_ULONG *io_nbytes)
{
    struct hash_operation *hash = &session->hash;
    bool asked = false;
    CK_RV rv = io_nbytes == NULL || (data == NULL && nbytes > 0) ? CKR_ARGUMENTS_BAD : CKR_OK;

    if (rv == CKR_OK) {
        rv = output_room(out, io_nbytes, hash->out_nbytes, &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            return rv;
        }
        rv = signature_make(session, data, nbytes, out);
    }
    hash_end(hash);
    return rv;
}

CK_RV C_Sign(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen, CK_BYTE_PTR pSignature,
             CK_ULONG_PTR pulSignatureLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != HASH_SIGN) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else if (session->hash.updated) {
        rv = CKR_OPERATION_ACTIVE;
        hash_end(&session->hash);
    } else {
        rv = finish(session, pData, ulDataLen, pSignature, pulSignatureLen);
    }
    session_leave(session);
    return rv;
}

CK_RV C_SignUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pPart, CK_ULONG ulPartLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != HASH_SIGN) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else {
        rv = session->hash.must_login ? CKR_USER_NOT_LOGGED_IN : signature_update(session, pPart, ulPartLen);
        if (rv != CKR_OK) {
            hash_end(&session->hash);
        }
    }
    session_leave(session);
    return rv;
}

CK_RV C_SignFinal(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = session->hash.kind != HASH_SIGN ? CKR_OPERATION_NOT_INITIALIZED
                                         : finish(session, NULL, 0, pSignature, pulSignatureLen);
    session_leave(session);
    return rv;
}

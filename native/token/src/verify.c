/* SPDX-License-Identifier: Apache-2.0
 *
 * verify.c - C_Verify, C_VerifyUpdate and C_VerifyFinal, and the functions of 3.2 that take the signature first.
 */
#include "signatures.h"

#include <string.h>

CK_RV C_VerifyInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = signature_start(session, HASH_VERIFY, pMechanism, hKey);
    session_leave(session);
    return rv;
}

CK_RV C_VerifySignatureInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey,
                            CK_BYTE_PTR pSignature, CK_ULONG ulSignatureLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pSignature == NULL && ulSignatureLen > 0 ? CKR_ARGUMENTS_BAD
                                                  : signature_start(session, HASH_VERIFY_SIGNATURE, pMechanism, hKey);
    if (rv == CKR_OK && pMechanism != NULL && ulSignatureLen != session->hash.out_nbytes) {
        rv = CKR_SIGNATURE_LEN_RANGE;
        hash_end(&session->hash);
    }
    if (rv == CKR_OK && pMechanism != NULL) {
        if (ulSignatureLen > 0) {
            memcpy(session->hash.expected, pSignature, ulSignatureLen);
        }
        session->hash.expected_nbytes = ulSignatureLen;
    }
    session_leave(session);
    return rv;
}

/* Verify `data` after the parts before, and end the operation. For HASH_VERIFY_SIGNATURE, the signature is the one that
 * was given to C_VerifySignatureInit. */
static CK_RV verify_one(CK_SESSION_HANDLE handle, enum hash_kind kind, const uint8_t *data, CK_ULONG nbytes,
                        const uint8_t *signature, CK_ULONG signature_nbytes)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != kind) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else {
        if (kind == HASH_VERIFY_SIGNATURE) {
            signature = session->hash.expected;
            signature_nbytes = session->hash.expected_nbytes;
        }
        if (session->hash.updated) {
            rv = CKR_OPERATION_ACTIVE;
        } else if ((data == NULL && nbytes > 0) || (signature == NULL && signature_nbytes > 0)) {
            rv = CKR_ARGUMENTS_BAD;
        } else {
            rv = signature_check(session, data, nbytes, signature, signature_nbytes);
        }
        hash_end(&session->hash);
    }
    session_leave(session);
    return rv;
}

static CK_RV verify_part(CK_SESSION_HANDLE handle, enum hash_kind kind, const uint8_t *data, CK_ULONG nbytes)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != kind) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else {
        rv = signature_update(session, data, nbytes);
        if (rv != CKR_OK) {
            hash_end(&session->hash);
        }
    }
    session_leave(session);
    return rv;
}

static CK_RV verify_end(CK_SESSION_HANDLE handle, enum hash_kind kind, const uint8_t *signature,
                        CK_ULONG signature_nbytes)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != kind) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else {
        if (kind == HASH_VERIFY_SIGNATURE) {
            signature = session->hash.expected;
            signature_nbytes = session->hash.expected_nbytes;
        }
        rv = signature == NULL && signature_nbytes > 0 ? CKR_ARGUMENTS_BAD
                                                       : signature_check(session, NULL, 0, signature, signature_nbytes);
        hash_end(&session->hash);
    }
    session_leave(session);
    return rv;
}

CK_RV C_Verify(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen, CK_BYTE_PTR pSignature,
               CK_ULONG ulSignatureLen)
{
    return verify_one(hSession, HASH_VERIFY, pData, ulDataLen, pSignature, ulSignatureLen);
}

CK_RV C_VerifyUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pPart, CK_ULONG ulPartLen)
{
    return verify_part(hSession, HASH_VERIFY, pPart, ulPartLen);
}

CK_RV C_VerifyFinal(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pSignature, CK_ULONG ulSignatureLen)
{
    return verify_end(hSession, HASH_VERIFY, pSignature, ulSignatureLen);
}

CK_RV C_VerifySignature(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen)
{
    return verify_one(hSession, HASH_VERIFY_SIGNATURE, pData, ulDataLen, NULL, 0);
}

CK_RV C_VerifySignatureUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pPart, CK_ULONG ulPartLen)
{
    return verify_part(hSession, HASH_VERIFY_SIGNATURE, pPart, ulPartLen);
}

CK_RV C_VerifySignatureFinal(CK_SESSION_HANDLE hSession)
{
    return verify_end(hSession, HASH_VERIFY_SIGNATURE, NULL, 0);
}

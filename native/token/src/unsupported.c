/* SPDX-License-Identifier: Apache-2.0
 *
 * unsupported.c - functions that are in the lists and that the token does not support.
 */
#include "sessions.h"

static CK_RV not_supported(void)
{
    CK_RV rv = call_enter();

    if (rv != CKR_OK) {
        return rv;
    }
    call_leave();
    return CKR_FUNCTION_NOT_SUPPORTED;
}

/* These functions exist, but no mechanism of the token supports them. */
static CK_RV recover_init(CK_SESSION_HANDLE handle, const CK_MECHANISM *mechanism)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv == CKR_OK) {
        session_leave(session);
        rv = mechanism == NULL ? CKR_ARGUMENTS_BAD : CKR_MECHANISM_INVALID;
    }
    return rv;
}

static CK_RV recover(CK_SESSION_HANDLE handle)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv == CKR_OK) {
        session_leave(session);
        rv = CKR_OPERATION_NOT_INITIALIZED;
    }
    return rv;
}

CK_RV C_SignRecoverInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    (void)hKey;
    return recover_init(hSession, pMechanism);
}

CK_RV C_VerifyRecoverInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    (void)hKey;
    return recover_init(hSession, pMechanism);
}

CK_RV C_SignRecover(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen, CK_BYTE_PTR pSignature,
                    CK_ULONG_PTR pulSignatureLen)
{
    (void)pData, (void)ulDataLen, (void)pSignature, (void)pulSignatureLen;
    return recover(hSession);
}

CK_RV C_VerifyRecover(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pSignature, CK_ULONG ulSignatureLen, CK_BYTE_PTR pData,
                      CK_ULONG_PTR pulDataLen)
{
    (void)pSignature, (void)ulSignatureLen, (void)pData, (void)pulDataLen;
    return recover(hSession);
}

/* ---- 3.0: messages to sign
 * ------------------------------------------------------------------------------------------- */

CK_RV C_MessageSignInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    (void)hSession, (void)pMechanism, (void)hKey;
    return not_supported();
}

CK_RV C_SignMessage(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen, CK_BYTE_PTR pData,
                    CK_ULONG ulDataLen, CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen)
{
    (void)hSession, (void)pParameter, (void)ulParameterLen, (void)pData, (void)ulDataLen, (void)pSignature;
    (void)pulSignatureLen;
    return not_supported();
}

CK_RV C_SignMessageBegin(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen)
{
    (void)hSession, (void)pParameter, (void)ulParameterLen;
    return not_supported();
}

CK_RV C_SignMessageNext(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen, CK_BYTE_PTR pData,
                        CK_ULONG ulDataLen, CK_BYTE_PTR pSignature, CK_ULONG_PTR pulSignatureLen)
{
    (void)hSession, (void)pParameter, (void)ulParameterLen, (void)pData, (void)ulDataLen, (void)pSignature;
    (void)pulSignatureLen;
    return not_supported();
}

CK_RV C_MessageSignFinal(CK_SESSION_HANDLE hSession)
{
    (void)hSession;
    return not_supported();
}

CK_RV C_MessageVerifyInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    (void)hSession, (void)pMechanism, (void)hKey;
    return not_supported();
}

CK_RV C_VerifyMessage(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen, CK_BYTE_PTR pData,
                      CK_ULONG ulDataLen, CK_BYTE_PTR pSignature, CK_ULONG ulSignatureLen)
{
    (void)hSession, (void)pParameter, (void)ulParameterLen, (void)pData, (void)ulDataLen, (void)pSignature;
    (void)ulSignatureLen;
    return not_supported();
}

CK_RV C_VerifyMessageBegin(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen)
{
    (void)hSession, (void)pParameter, (void)ulParameterLen;
    return not_supported();
}

CK_RV C_VerifyMessageNext(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen,
                          CK_BYTE_PTR pData, CK_ULONG ulDataLen, CK_BYTE_PTR pSignature, CK_ULONG ulSignatureLen)
{
    (void)hSession, (void)pParameter, (void)ulParameterLen, (void)pData, (void)ulDataLen, (void)pSignature;
    (void)ulSignatureLen;
    return not_supported();
}

CK_RV C_MessageVerifyFinal(CK_SESSION_HANDLE hSession)
{
    (void)hSession;
    return not_supported();
}

/* ---- 3.2
 * ------------------------------------------------------------------------------------------------------------- */

CK_RV C_EncapsulateKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hPublicKey,
                       CK_ATTRIBUTE_PTR pTemplate, CK_ULONG ulAttributeCount, CK_BYTE_PTR pCiphertext,
                       CK_ULONG_PTR pulCiphertextLen, CK_OBJECT_HANDLE_PTR phKey)
{
    (void)hSession, (void)pMechanism, (void)hPublicKey, (void)pTemplate, (void)ulAttributeCount, (void)pCiphertext;
    (void)pulCiphertextLen, (void)phKey;
    return not_supported();
}

CK_RV C_DecapsulateKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hPrivateKey,
                       CK_ATTRIBUTE_PTR pTemplate, CK_ULONG ulAttributeCount, CK_BYTE_PTR pCiphertext,
                       CK_ULONG ulCiphertextLen, CK_OBJECT_HANDLE_PTR phKey)
{
    (void)hSession, (void)pMechanism, (void)hPrivateKey, (void)pTemplate, (void)ulAttributeCount, (void)pCiphertext;
    (void)ulCiphertextLen, (void)phKey;
    return not_supported();
}

CK_RV C_GetSessionValidationFlags(CK_SESSION_HANDLE hSession, CK_SESSION_VALIDATION_FLAGS_TYPE type,
                                  CK_FLAGS_PTR pFlags)
{
    (void)hSession, (void)type, (void)pFlags;
    return not_supported();
}

CK_RV C_AsyncComplete(CK_SESSION_HANDLE hSession, CK_UTF8CHAR_PTR pFunctionName, CK_ASYNC_DATA_PTR pResult)
{
    (void)hSession, (void)pFunctionName, (void)pResult;
    return not_supported();
}

CK_RV C_AsyncGetID(CK_SESSION_HANDLE hSession, CK_UTF8CHAR_PTR pFunctionName, CK_ULONG_PTR pulID)
{
    (void)hSession, (void)pFunctionName, (void)pulID;
    return not_supported();
}

CK_RV C_AsyncJoin(CK_SESSION_HANDLE hSession, CK_UTF8CHAR_PTR pFunctionName, CK_ULONG ulID, CK_BYTE_PTR pData,
                  CK_ULONG ulData)
{
    (void)hSession, (void)pFunctionName, (void)ulID, (void)pData, (void)ulData;
    return not_supported();
}

CK_RV C_WrapKeyAuthenticated(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hWrappingKey,
                             CK_OBJECT_HANDLE hKey, CK_BYTE_PTR pAssociatedData, CK_ULONG ulAssociatedDataLen,
                             CK_BYTE_PTR pWrappedKey, CK_ULONG_PTR pulWrappedKeyLen)
{
    (void)hSession, (void)pMechanism, (void)hWrappingKey, (void)hKey, (void)pAssociatedData;
    (void)ulAssociatedDataLen, (void)pWrappedKey, (void)pulWrappedKeyLen;
    return not_supported();
}

CK_RV C_UnwrapKeyAuthenticated(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hUnwrappingKey,
                               CK_BYTE_PTR pWrappedKey, CK_ULONG ulWrappedKeyLen, CK_ATTRIBUTE_PTR pTemplate,
                               CK_ULONG ulAttributeCount, CK_BYTE_PTR pAssociatedData, CK_ULONG ulAssociatedDataLen,
                               CK_OBJECT_HANDLE_PTR phKey)
{
    (void)hSession, (void)pMechanism, (void)hUnwrappingKey, (void)pWrappedKey, (void)ulWrappedKeyLen;
    (void)pTemplate, (void)ulAttributeCount, (void)pAssociatedData, (void)ulAssociatedDataLen, (void)phKey;
    return not_supported();
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a wrong list of 2.40, 3.0 or 3.2, and a function that gives a wrong return value if the module is not
 * initialised, a session handle is invalid, a pointer is NULL, or the token does not support the function.
 */
#include "token.h"

static CK_SESSION_HANDLE session;

static void lists(void)
{
    CK_FUNCTION_LIST *old = NULL;
    CK_INTERFACE *found = NULL;
    CK_INTERFACE all[3];
    CK_ULONG count = 2;
    CK_VERSION versions[] = {{3, 2}, {3, 0}, {2, 40}};
    CK_VERSION unknown = {2, 11};

    EXPECT(p11->C_GetFunctionList(NULL), CKR_ARGUMENTS_BAD);
    OK(p11->C_GetFunctionList(&old));
    CHECK(old->version.major == 2 && old->version.minor == 40 && old->C_Sign == p11->C_Sign);
    EXPECT(p11->C_GetInterfaceList(NULL, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_GetInterfaceList(all, &count), CKR_BUFFER_TOO_SMALL);
    CHECK_EQ(count, 3);
    OK(p11->C_GetInterfaceList(NULL, &count));
    OK(p11->C_GetInterfaceList(all, &count));
    for (size_t i = 0; i < 3; i++) {
        CHECK_TEXT((const char *)all[i].pInterfaceName, "PKCS 11");
        OK(p11->C_GetInterface(text("PKCS 11"), &versions[i], &found, 0));
        CHECK(memcmp(found->pFunctionList, &versions[i], sizeof versions[i]) == 0);
    }
    EXPECT(p11->C_GetInterface(NULL, NULL, NULL, 0), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_GetInterface(text("Vendor"), NULL, &found, 0), CKR_FUNCTION_FAILED);
    EXPECT(p11->C_GetInterface(NULL, &unknown, &found, 0), CKR_FUNCTION_FAILED);
    EXPECT(p11->C_GetInterface(NULL, NULL, &found, CKF_INTERFACE_FORK_SAFE), CKR_FUNCTION_FAILED);
}

/* Call every function that takes a session with this session and no other argument. All must return `rv`. */
static void everywhere(CK_SESSION_HANDLE s, CK_RV rv)
{
    EXPECT(p11->C_InitPIN(s, NULL, 0), rv);
    EXPECT(p11->C_SetPIN(s, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_CloseSession(s), rv);
    EXPECT(p11->C_GetSessionInfo(s, NULL), rv);
    EXPECT(p11->C_GetOperationState(s, NULL, NULL), rv);
    EXPECT(p11->C_SetOperationState(s, NULL, 0, 0, 0), rv);
    EXPECT(p11->C_Login(s, CKU_USER, NULL, 0), rv);
    EXPECT(p11->C_Login(s, CKU_CONTEXT_SPECIFIC, NULL, 0), rv);
    EXPECT(p11->C_LoginUser(s, CKU_USER, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_Logout(s), rv);
    EXPECT(p11->C_CreateObject(s, NULL, 0, NULL), rv);
    EXPECT(p11->C_CopyObject(s, 0, NULL, 0, NULL), rv);
    EXPECT(p11->C_DestroyObject(s, 0), rv);
    EXPECT(p11->C_GetObjectSize(s, 0, NULL), rv);
    EXPECT(p11->C_GetAttributeValue(s, 0, NULL, 0), rv);
    EXPECT(p11->C_SetAttributeValue(s, 0, NULL, 0), rv);
    EXPECT(p11->C_FindObjectsInit(s, NULL, 0), rv);
    EXPECT(p11->C_FindObjects(s, NULL, 0, NULL), rv);
    EXPECT(p11->C_FindObjectsFinal(s), rv);
    EXPECT(p11->C_EncryptInit(s, NULL, 0), rv);
    EXPECT(p11->C_Encrypt(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_EncryptUpdate(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_EncryptFinal(s, NULL, NULL), rv);
    EXPECT(p11->C_DecryptInit(s, NULL, 0), rv);
    EXPECT(p11->C_Decrypt(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_DecryptUpdate(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_DecryptFinal(s, NULL, NULL), rv);
    EXPECT(p11->C_DigestInit(s, NULL), rv);
    EXPECT(p11->C_Digest(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_DigestUpdate(s, NULL, 0), rv);
    EXPECT(p11->C_DigestKey(s, 0), rv);
    EXPECT(p11->C_DigestFinal(s, NULL, NULL), rv);
    EXPECT(p11->C_SignInit(s, NULL, 0), rv);
    EXPECT(p11->C_Sign(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_SignUpdate(s, NULL, 0), rv);
    EXPECT(p11->C_SignFinal(s, NULL, NULL), rv);
    EXPECT(p11->C_SignRecoverInit(s, NULL, 0), rv);
    EXPECT(p11->C_SignRecover(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_VerifyInit(s, NULL, 0), rv);
    EXPECT(p11->C_Verify(s, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_VerifyUpdate(s, NULL, 0), rv);
    EXPECT(p11->C_VerifyFinal(s, NULL, 0), rv);
    EXPECT(p11->C_VerifyRecoverInit(s, NULL, 0), rv);
    EXPECT(p11->C_VerifyRecover(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_DigestEncryptUpdate(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_DecryptDigestUpdate(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_SignEncryptUpdate(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_DecryptVerifyUpdate(s, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_GenerateKey(s, NULL, NULL, 0, NULL), rv);
    EXPECT(p11->C_GenerateKeyPair(s, NULL, NULL, 0, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_WrapKey(s, NULL, 0, 0, NULL, NULL), rv);
    EXPECT(p11->C_UnwrapKey(s, NULL, 0, NULL, 0, NULL, 0, NULL), rv);
    EXPECT(p11->C_DeriveKey(s, NULL, 0, NULL, 0, NULL), rv);
    EXPECT(p11->C_SeedRandom(s, NULL, 0), rv);
    EXPECT(p11->C_GenerateRandom(s, NULL, 0), rv);
    EXPECT(p11->C_GetFunctionStatus(s), rv);
    EXPECT(p11->C_CancelFunction(s), rv);
    EXPECT(p11->C_SessionCancel(s, 0), rv);
    EXPECT(p11->C_MessageEncryptInit(s, NULL, 0), rv);
    EXPECT(p11->C_EncryptMessage(s, NULL, 0, NULL, 0, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_EncryptMessageBegin(s, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_EncryptMessageNext(s, NULL, 0, NULL, 0, NULL, NULL, 0), rv);
    EXPECT(p11->C_MessageEncryptFinal(s), rv);
    EXPECT(p11->C_MessageDecryptInit(s, NULL, 0), rv);
    EXPECT(p11->C_DecryptMessage(s, NULL, 0, NULL, 0, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_DecryptMessageBegin(s, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_DecryptMessageNext(s, NULL, 0, NULL, 0, NULL, NULL, 0), rv);
    EXPECT(p11->C_MessageDecryptFinal(s), rv);
    EXPECT(p11->C_VerifySignatureInit(s, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_VerifySignature(s, NULL, 0), rv);
    EXPECT(p11->C_VerifySignatureUpdate(s, NULL, 0), rv);
    EXPECT(p11->C_VerifySignatureFinal(s), rv);
}

static void without_session(CK_RV rv)
{
    EXPECT(p11->C_GetInfo(NULL), rv);
    EXPECT(p11->C_GetSlotList(CK_FALSE, NULL, NULL), rv);
    EXPECT(p11->C_GetSlotInfo(0, NULL), rv);
    EXPECT(p11->C_GetTokenInfo(0, NULL), rv);
    EXPECT(p11->C_GetMechanismList(0, NULL, NULL), rv);
    EXPECT(p11->C_GetMechanismInfo(0, CKM_SHA256, NULL), rv);
    EXPECT(p11->C_InitToken(0, NULL, 0, NULL), rv);
    EXPECT(p11->C_OpenSession(0, RO, NULL, NULL, NULL), rv);
    EXPECT(p11->C_WaitForSlotEvent(CKF_DONT_BLOCK, NULL, NULL), rv);
}

/* Functions that are in the lists and that the token does not support. */
static void missing(CK_RV rv)
{
    EXPECT(p11->C_MessageSignInit(session, NULL, 0), rv);
    EXPECT(p11->C_SignMessage(session, NULL, 0, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_SignMessageBegin(session, NULL, 0), rv);
    EXPECT(p11->C_SignMessageNext(session, NULL, 0, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_MessageSignFinal(session), rv);
    EXPECT(p11->C_MessageVerifyInit(session, NULL, 0), rv);
    EXPECT(p11->C_VerifyMessage(session, NULL, 0, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_VerifyMessageBegin(session, NULL, 0), rv);
    EXPECT(p11->C_VerifyMessageNext(session, NULL, 0, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_MessageVerifyFinal(session), rv);
    EXPECT(p11->C_EncapsulateKey(session, NULL, 0, NULL, 0, NULL, NULL, NULL), rv);
    EXPECT(p11->C_DecapsulateKey(session, NULL, 0, NULL, 0, NULL, 0, NULL), rv);
    EXPECT(p11->C_GetSessionValidationFlags(session, 0, NULL), rv);
    EXPECT(p11->C_AsyncComplete(session, NULL, NULL), rv);
    EXPECT(p11->C_AsyncGetID(session, NULL, NULL), rv);
    EXPECT(p11->C_AsyncJoin(session, NULL, 0, NULL, 0), rv);
    EXPECT(p11->C_WrapKeyAuthenticated(session, NULL, 0, 0, NULL, 0, NULL, NULL), rv);
    EXPECT(p11->C_UnwrapKeyAuthenticated(session, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL), rv);
}

static void mechanisms(void)
{
    CK_MECHANISM_TYPE types[200];
    CK_MECHANISM_INFO info;
    CK_ULONG count = 0;
    CK_ULONG few = 1;
    CK_SLOT_ID slots[8];

    OK(p11->C_GetMechanismList(0, NULL, &count));
    CHECK(count > 50 && count <= COUNT(types));
    EXPECT(p11->C_GetMechanismList(0, types, &few), CKR_BUFFER_TOO_SMALL);
    CHECK_EQ(few, count);
    OK(p11->C_GetMechanismList(0, types, &count));
    for (CK_ULONG i = 0; i < count; i++) {
        OK(p11->C_GetMechanismInfo(0, types[i], &info));
        CHECK(info.flags != 0 && info.ulMinKeySize <= info.ulMaxKeySize);
        for (CK_ULONG j = 0; j < i; j++) {
            CHECK(types[i] != types[j]);
        }
    }
    EXPECT(p11->C_GetMechanismInfo(0, CKM_RSA_9796, &info), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_GetMechanismInfo(9, CKM_SHA256, &info), CKR_SLOT_ID_INVALID);
    few = 1;
    EXPECT(p11->C_GetSlotList(CK_TRUE, slots, &few), CKR_BUFFER_TOO_SMALL);
    CHECK_EQ(few, 3);
    OK(p11->C_GetSlotList(CK_TRUE, slots, &few));
    CHECK(slots[0] == 0 && slots[2] == 2);
}

int main(void)
{
    CK_MECHANISM any = {CKM_SHA256, NULL, 0};

    token_load();
    lists();
    everywhere(1, CKR_CRYPTOKI_NOT_INITIALIZED);
    missing(CKR_CRYPTOKI_NOT_INITIALIZED);
    without_session(CKR_CRYPTOKI_NOT_INITIALIZED);
    EXPECT(p11->C_CloseAllSessions(0), CKR_CRYPTOKI_NOT_INITIALIZED);
    token_start();
    without_session(CKR_ARGUMENTS_BAD);
    everywhere(0, CKR_SESSION_HANDLE_INVALID);
    everywhere(1, CKR_SESSION_HANDLE_INVALID);
    everywhere(~0UL, CKR_SESSION_HANDLE_INVALID);
    session = user_session();
    everywhere(session + 1, CKR_SESSION_HANDLE_INVALID);
    missing(CKR_FUNCTION_NOT_SUPPORTED);
    EXPECT(p11->C_SignRecoverInit(session, &any, 0), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_SignRecoverInit(session, NULL, 0), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_VerifyRecoverInit(session, &any, 0), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_SignRecover(session, NULL, 0, NULL, NULL), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_VerifyRecover(session, NULL, 0, NULL, NULL), CKR_OPERATION_NOT_INITIALIZED);
    mechanisms();
    OK(p11->C_Finalize(NULL));
    return 0;
}

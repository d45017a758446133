/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: two operations at once whose results differ from those of each alone, and messages of 3.0 that differ from
 * C_Encrypt.
 */
#include "token.h"

static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE key;
static CK_OBJECT_HANDLE mac;
static CK_BYTE iv[16] = {3};
static CK_BYTE message[64];
static CK_MECHANISM cbc = {CKM_AES_CBC, iv, 16};
static CK_MECHANISM sha256 = {CKM_SHA256, NULL, 0};
static CK_MECHANISM hmac = {CKM_SHA256_HMAC, NULL, 0};

static void pairs(void)
{
    CK_BYTE cipher[64];
    CK_BYTE plain[64];
    CK_BYTE expected[32];
    CK_BYTE got[32];
    CK_BYTE signature[32];
    CK_ULONG nbytes = 32;
    CK_ULONG room = 64;

    EXPECT(p11->C_DigestEncryptUpdate(session, message, 64, cipher, &room), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_Digest(session, message, 64, expected, &nbytes));

    OK(p11->C_DigestInit(session, &sha256));
    EXPECT(p11->C_DigestEncryptUpdate(session, message, 64, cipher, &room), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_EncryptInit(session, &cbc, key));
    OK(p11->C_DigestEncryptUpdate(session, message, 64, NULL, &room));
    room = 63;
    EXPECT(p11->C_DigestEncryptUpdate(session, message, 64, cipher, &room), CKR_BUFFER_TOO_SMALL);
    OK(p11->C_DigestEncryptUpdate(session, message, 64, cipher, &room));
    OK(p11->C_DigestFinal(session, got, &nbytes));
    CHECK(memcmp(got, expected, 32) == 0);
    room = 0;
    OK(p11->C_EncryptFinal(session, cipher, &room));

    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_DecryptInit(session, &cbc, key));
    room = 64;
    OK(p11->C_DecryptDigestUpdate(session, cipher, 64, plain, &room));
    OK(p11->C_DigestFinal(session, got, &nbytes));
    CHECK(memcmp(got, expected, 32) == 0);
    CHECK(memcmp(plain, message, 64) == 0);
    OK(p11->C_SessionCancel(session, CKF_DECRYPT));

    OK(p11->C_SignInit(session, &hmac, mac));
    OK(p11->C_EncryptInit(session, &cbc, key));
    room = 64;
    OK(p11->C_SignEncryptUpdate(session, message, 64, cipher, &room));
    OK(p11->C_SignFinal(session, signature, &nbytes));
    OK(p11->C_SessionCancel(session, CKF_ENCRYPT));
    OK(p11->C_VerifyInit(session, &hmac, mac));
    OK(p11->C_DecryptInit(session, &cbc, key));
    room = 64;
    OK(p11->C_DecryptVerifyUpdate(session, cipher, 64, plain, &room));
    OK(p11->C_VerifyFinal(session, signature, 32));
    EXPECT(p11->C_DecryptVerifyUpdate(session, cipher, 64, plain, NULL), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_VerifyInit(session, &hmac, mac));
    EXPECT(p11->C_DecryptVerifyUpdate(session, cipher, 64, plain, NULL), CKR_ARGUMENTS_BAD);
    /* both operations have ended */
    EXPECT(p11->C_DecryptUpdate(session, cipher, 64, plain, &room), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_VerifyFinal(session, signature, 32), CKR_OPERATION_NOT_INITIALIZED);
}

/* The plaintext of GCM comes with C_DecryptFinal. To hash nothing before, and succeed, would be wrong. */
static void gcm_has_no_parts(void)
{
    CK_BYTE cipher[80];
    CK_BYTE plain[80];
    CK_ULONG nbytes = sizeof cipher;
    CK_ULONG room = sizeof plain;
    CK_GCM_PARAMS params = {iv, 12, 96, NULL, 0, 128};
    CK_MECHANISM gcm = {CKM_AES_GCM, &params, sizeof params};

    OK(p11->C_EncryptInit(session, &gcm, key));
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_DigestEncryptUpdate(session, message, 64, cipher, &nbytes)); /* the plaintext is there */
    room = sizeof cipher - nbytes;
    OK(p11->C_EncryptFinal(session, cipher + nbytes, &room));
    CHECK_EQ(nbytes + room, 80);
    OK(p11->C_DecryptInit(session, &gcm, key));
    room = sizeof plain;
    EXPECT(p11->C_DecryptDigestUpdate(session, cipher, 80, plain, &room), CKR_FUNCTION_NOT_SUPPORTED);
    EXPECT(p11->C_DecryptFinal(session, plain, &room), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_DigestFinal(session, plain, &room), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DecryptInit(session, &gcm, key));
    OK(p11->C_VerifyInit(session, &hmac, mac));
    EXPECT(p11->C_DecryptVerifyUpdate(session, cipher, 80, plain, &room), CKR_FUNCTION_NOT_SUPPORTED);
}

static void messages(void)
{
    CK_BYTE tag[16];
    CK_BYTE cipher[64];
    CK_BYTE whole[80];
    CK_BYTE plain[64];
    CK_ULONG nbytes = sizeof cipher;
    CK_ULONG part = 0;
    CK_GCM_PARAMS old = {iv, 12, 96, text("aad"), 3, 128};
    CK_GCM_MESSAGE_PARAMS params = {iv, 12, 0, CKG_NO_GENERATE, tag, 128};
    CK_MECHANISM gcm = {CKM_AES_GCM, &old, sizeof old};
    CK_MECHANISM by_message = {CKM_AES_GCM, NULL, 0};

    EXPECT(p11->C_EncryptMessage(session, &params, sizeof params, text("aad"), 3, message, 64, cipher, &nbytes),
           CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_MessageEncryptInit(session, &cbc, key), CKR_MECHANISM_INVALID);
    OK(p11->C_MessageEncryptInit(session, &by_message, key));
    EXPECT(p11->C_EncryptInit(session, &gcm, key), CKR_OPERATION_ACTIVE);
    OK(p11->C_EncryptMessage(session, &params, sizeof params, text("aad"), 3, message, 64, cipher, &nbytes));
    CHECK_EQ(nbytes, 64);
    EXPECT(p11->C_EncryptMessage(session, NULL, 0, NULL, 0, message, 64, cipher, &nbytes), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 3, message, 64, cipher, &nbytes),
           CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 0, NULL, 64, cipher, &nbytes),
           CKR_ARGUMENTS_BAD);
    nbytes = 63;
    EXPECT(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 0, message, 64, cipher, &nbytes),
           CKR_BUFFER_TOO_SMALL);
    memset(tag, 0, sizeof tag);
    OK(p11->C_EncryptMessageBegin(session, &params, sizeof params, text("aad"), 3)); /* the same in parts */
    EXPECT(p11->C_EncryptMessageBegin(session, &params, sizeof params, text("aad"), 3), CKR_OPERATION_ACTIVE);
    part = 10;
    OK(p11->C_EncryptMessageNext(session, &params, sizeof params, message, 10, cipher, &part, 0));
    part = 54;
    OK(p11->C_EncryptMessageNext(session, &params, sizeof params, message + 10, 54, cipher + 10, &part,
                                 CKF_END_OF_MESSAGE));
    EXPECT(p11->C_EncryptMessageNext(session, &params, sizeof params, message, 1, cipher, &part, 0),
           CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_MessageEncryptFinal(session));
    EXPECT(p11->C_MessageEncryptFinal(session), CKR_OPERATION_NOT_INITIALIZED);

    nbytes = sizeof whole;
    OK(p11->C_EncryptInit(session, &gcm, key));
    OK(p11->C_Encrypt(session, message, 64, whole, &nbytes));
    CHECK(memcmp(whole, cipher, 64) == 0 && memcmp(whole + 64, tag, 16) == 0);

    OK(p11->C_MessageDecryptInit(session, &by_message, key));
    nbytes = sizeof plain;
    OK(p11->C_DecryptMessage(session, &params, sizeof params, text("aad"), 3, cipher, 64, plain, &nbytes));
    CHECK(memcmp(plain, message, 64) == 0);
    tag[0] ^= 1;
    EXPECT(p11->C_DecryptMessage(session, &params, sizeof params, text("aad"), 3, cipher, 64, plain, &nbytes),
           CKR_AEAD_DECRYPT_FAILED);
    tag[0] ^= 1; /* the next message is not affected */
    OK(p11->C_DecryptMessageBegin(session, &params, sizeof params, text("aad"), 3));
    part = sizeof plain;
    OK(p11->C_DecryptMessageNext(session, &params, sizeof params, cipher, 10, plain, &part, 0));
    CHECK_EQ(part, 0);
    part = 63;
    EXPECT(
        p11->C_DecryptMessageNext(session, &params, sizeof params, cipher + 10, 54, plain, &part, CKF_END_OF_MESSAGE),
        CKR_BUFFER_TOO_SMALL);
    memset(plain, 0, sizeof plain);
    OK(p11->C_DecryptMessageNext(session, &params, sizeof params, cipher + 10, 54, plain, &part, CKF_END_OF_MESSAGE));
    CHECK_EQ(part, 64);
    CHECK(memcmp(plain, message, 64) == 0);
    OK(p11->C_MessageDecryptFinal(session));

    params.ivGenerator = CKG_GENERATE_RANDOM; /* the token generates the IV after its fixed bits */
    params.ulIvFixedBits = 12;
    memset(iv, 0xa5, 12);
    OK(p11->C_MessageEncryptInit(session, &by_message, key));
    nbytes = sizeof cipher;
    OK(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 0, message, 64, cipher, &nbytes));
    CHECK(iv[0] == 0xa5 && (iv[1] & 0xf0) == 0xa0);
    CHECK(memcmp(iv + 2, "\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5", 10) != 0);
    params.ivGenerator = CKG_GENERATE_COUNTER;
    EXPECT(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 0, message, 64, cipher, &nbytes),
           CKR_MECHANISM_PARAM_INVALID);
    OK(p11->C_SessionCancel(session, CKF_MESSAGE_ENCRYPT));
    EXPECT(p11->C_MessageEncryptFinal(session), CKR_OPERATION_NOT_INITIALIZED);
}

/* Generate `count` IVs that are all different, and check the return value of the next message. */
static void check_ivs(CK_ULONG free_bits, CK_ULONG count, CK_RV next)
{
    CK_BYTE tag[16];
    CK_BYTE cipher[16];
    CK_BYTE made[64][12];
    CK_ULONG nbytes = sizeof cipher;
    CK_GCM_MESSAGE_PARAMS params = {iv, 12, 96 - free_bits, CKG_GENERATE, tag, 128};
    CK_MECHANISM by_message = {CKM_AES_GCM, NULL, 0};

    memset(iv, 0xa5, 12);
    OK(p11->C_MessageEncryptInit(session, &by_message, key));
    for (CK_ULONG i = 0; i < count; i++) {
        OK(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 0, message, 16, cipher, &nbytes));
        for (CK_ULONG k = 0; k < i && i < COUNT(made); k++) {
            CHECK(memcmp(made[k], iv, 12) != 0);
        }
        if (i < COUNT(made)) {
            memcpy(made[i], iv, 12);
        }
    }
    EXPECT(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 0, message, 16, cipher, &nbytes), next);
    EXPECT(p11->C_EncryptMessageBegin(session, &params, sizeof params, NULL, 0), next);
    params.ivGenerator = CKG_NO_GENERATE; /* an IV of the application is its own affair */
    OK(p11->C_EncryptMessage(session, &params, sizeof params, NULL, 0, message, 16, cipher, &nbytes));
    OK(p11->C_MessageEncryptFinal(session));
}

/* The token generates as many IVs as the free bits allow without a chance of more than 2^-32 for one twice. */
static void generated_ivs(void)
{
    check_ivs(0, 0, CKR_MECHANISM_PARAM_INVALID);
    check_ivs(8, 0, CKR_MECHANISM_PARAM_INVALID);
    check_ivs(31, 0, CKR_MECHANISM_PARAM_INVALID);
    check_ivs(32, 1, CKR_KEY_EXHAUSTED);
    check_ivs(41, 16, CKR_KEY_EXHAUSTED);
    check_ivs(64, 65536, CKR_KEY_EXHAUSTED);
}

int main(void)
{
    token_start();
    session = user_session();
    check_fill(message, sizeof message);
    key = secret_key(session, CKK_AES, "0123456789abcdef", 16);
    mac = secret_key(session, CKK_GENERIC_SECRET, "0123456789abcdef", 16);
    pairs();
    gcm_has_no_parts();
    messages();
    generated_ivs();
    OK(p11->C_Finalize(NULL));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an operation that ends when only the length is asked for or the room is too small, one that does not end at
 * another error, one-shot calls that are accepted after parts, and keys that are used for what they do not allow.
 */
#include "token.h"

static CK_SESSION_HANDLE session;
static CK_MECHANISM sha256 = {CKM_SHA256, NULL, 0};
static CK_MECHANISM hmac = {CKM_SHA256_HMAC, NULL, 0};
static CK_MECHANISM ecdsa = {CKM_ECDSA, NULL, 0};
static CK_MECHANISM ecdsa_sha256 = {CKM_ECDSA_SHA256, NULL, 0};
static CK_BYTE out[128];
static CK_ULONG nbytes;

static void digest(void)
{
    CK_MECHANISM with_parameter = {CKM_SHA256, out, 4};
    CK_MECHANISM lying = {CKM_SHA256, NULL, 4};
    CK_MECHANISM unknown = {0x80001234, NULL, 0};

    nbytes = 32;
    EXPECT(p11->C_Digest(session, text("a"), 1, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_DigestUpdate(session, text("a"), 1), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_DigestKey(session, 1), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_DigestFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_DigestInit(session, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_DigestInit(session, &unknown), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_DigestInit(session, &hmac), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_DigestInit(session, &with_parameter), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_DigestInit(session, &lying), CKR_MECHANISM_PARAM_INVALID);
    OK(p11->C_DigestInit(session, &sha256));
    EXPECT(p11->C_DigestInit(session, &sha256), CKR_OPERATION_ACTIVE);
    OK(p11->C_Digest(session, text("a"), 1, NULL, &nbytes));
    CHECK_EQ(nbytes, 32);
    nbytes = 31;
    EXPECT(p11->C_Digest(session, text("a"), 1, out, &nbytes), CKR_BUFFER_TOO_SMALL);
    CHECK_EQ(nbytes, 32);
    OK(p11->C_Digest(session, text("a"), 1, out, &nbytes));
    EXPECT(p11->C_Digest(session, text("a"), 1, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_Digest(session, NULL, 0, out, &nbytes)); /* the empty message */
    CHECK(out[0] == 0xe3 && out[31] == 0x55);
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_DigestUpdate(session, text("a"), 1));
    EXPECT(p11->C_Digest(session, text("a"), 1, out, &nbytes), CKR_OPERATION_ACTIVE);
    /* the error ended the operation */
    EXPECT(p11->C_DigestUpdate(session, text("a"), 1), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DigestInit(session, &sha256));
    EXPECT(p11->C_DigestUpdate(session, NULL, 1), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_DigestFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DigestInit(session, &sha256));
    EXPECT(p11->C_DigestFinal(session, out, NULL), CKR_ARGUMENTS_BAD);
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_DigestFinal(session, NULL, &nbytes));
    nbytes = 0;
    EXPECT(p11->C_DigestFinal(session, out, &nbytes), CKR_BUFFER_TOO_SMALL);
    OK(p11->C_DigestFinal(session, out, &nbytes));
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_SessionCancel(session, CKF_DIGEST));
    EXPECT(p11->C_DigestUpdate(session, text("a"), 1), CKR_OPERATION_NOT_INITIALIZED);
}

static void digest_key(void)
{
    CK_BYTE expected[32];
    CK_OBJECT_HANDLE key = secret_key(session, CKK_GENERIC_SECRET, "some secret", 11);
    CK_ATTRIBUTE hidden = {CKA_EXTRACTABLE, &no, 1};

    nbytes = 32;
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_Digest(session, text("<some secret>"), 13, expected, &nbytes));
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_DigestUpdate(session, text("<"), 1));
    OK(p11->C_DigestKey(session, key));
    OK(p11->C_DigestUpdate(session, text(">"), 1));
    OK(p11->C_DigestFinal(session, out, &nbytes));
    CHECK(memcmp(out, expected, 32) == 0);
    OK(p11->C_DigestInit(session, &sha256));
    EXPECT(p11->C_DigestKey(session, 1), CKR_KEY_HANDLE_INVALID);
    OK(p11->C_SetAttributeValue(session, key, &hidden, 1));
    OK(p11->C_DigestInit(session, &sha256));
    EXPECT(p11->C_DigestKey(session, key), CKR_KEY_INDIGESTIBLE);
}

static void state(void)
{
    CK_BYTE saved[64];
    CK_BYTE expected[32];
    CK_ULONG saved_nbytes = sizeof saved;
    CK_SESSION_HANDLE other = 0;
    CK_OBJECT_HANDLE key = secret_key(session, CKK_GENERIC_SECRET, "key", 3);

    nbytes = 32;
    EXPECT(p11->C_GetOperationState(session, saved, &saved_nbytes), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_DigestUpdate(session, text("abc"), 3));
    OK(p11->C_GetOperationState(session, NULL, &saved_nbytes));
    saved_nbytes--;
    EXPECT(p11->C_GetOperationState(session, saved, &saved_nbytes), CKR_BUFFER_TOO_SMALL);
    OK(p11->C_GetOperationState(session, saved, &saved_nbytes));
    EXPECT(p11->C_GetOperationState(session, saved, NULL), CKR_ARGUMENTS_BAD);
    OK(p11->C_DigestUpdate(session, text("def"), 3)); /* continues with the saved state */
    OK(p11->C_DigestFinal(session, expected, &nbytes));
    OK(p11->C_OpenSession(0, RO, NULL, NULL, &other));
    for (int i = 0; i < 2; i++) { /* may be repeated */
        OK(p11->C_SetOperationState(other, saved, saved_nbytes, 0, 0));
        OK(p11->C_DigestUpdate(other, text("def"), 3));
        OK(p11->C_DigestFinal(other, out, &nbytes));
        CHECK(memcmp(out, expected, 32) == 0);
    }
    EXPECT(p11->C_SetOperationState(other, saved, saved_nbytes, key, 0), CKR_KEY_NOT_NEEDED);
    EXPECT(p11->C_SetOperationState(other, saved, saved_nbytes - 1, 0, 0), CKR_SAVED_STATE_INVALID);
    EXPECT(p11->C_SetOperationState(other, NULL, saved_nbytes, 0, 0), CKR_ARGUMENTS_BAD);
    saved[20] ^= 1;
    EXPECT(p11->C_SetOperationState(other, saved, saved_nbytes, 0, 0), CKR_SAVED_STATE_INVALID);
    OK(p11->C_SignInit(session, &hmac, key));
    EXPECT(p11->C_GetOperationState(session, saved, &saved_nbytes), CKR_STATE_UNSAVEABLE);
    OK(p11->C_SessionCancel(session, CKF_SIGN));
}

static void sign(void)
{
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;
    CK_OBJECT_HANDLE aes = secret_key(session, CKK_AES, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE mac = secret_key(session, CKK_SHA256_HMAC, "0123456789abcdef", 16);
    CK_MECHANISM sha1_hmac = {CKM_SHA_1_HMAC, NULL, 0};
    CK_ULONG too_long = 33;
    CK_MECHANISM general = {CKM_SHA256_HMAC_GENERAL, &too_long, sizeof too_long};
    CK_ATTRIBUTE no_sign = {CKA_SIGN, &no, 1};
    CK_BYTE signature[64];

    ec_pair(session, &public_key, &private_key);
    EXPECT(p11->C_SignInit(session, NULL, mac), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_SignInit(session, &sha256, mac), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_SignInit(session, &hmac, 77), CKR_KEY_HANDLE_INVALID);
    EXPECT(p11->C_SignInit(session, &hmac, aes), CKR_KEY_TYPE_INCONSISTENT);
    EXPECT(p11->C_SignInit(session, &sha1_hmac, mac), CKR_KEY_TYPE_INCONSISTENT);
    EXPECT(p11->C_SignInit(session, &ecdsa, public_key), CKR_KEY_TYPE_INCONSISTENT);
    EXPECT(p11->C_VerifyInit(session, &ecdsa, private_key), CKR_KEY_TYPE_INCONSISTENT);
    EXPECT(p11->C_SignInit(session, &general, mac), CKR_MECHANISM_PARAM_INVALID);
    OK(p11->C_SignInit(session, &hmac, mac));
    EXPECT(p11->C_DigestInit(session, &sha256), CKR_OPERATION_ACTIVE);
    EXPECT(p11->C_VerifyInit(session, &hmac, mac), CKR_OPERATION_ACTIVE);
    EXPECT(p11->C_Verify(session, text("a"), 1, signature, 32), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_Sign(session, text("a"), 1, NULL, &nbytes));
    CHECK_EQ(nbytes, 32);
    nbytes = 5;
    EXPECT(p11->C_Sign(session, text("a"), 1, out, &nbytes), CKR_BUFFER_TOO_SMALL);
    OK(p11->C_SignUpdate(session, text("a"), 1));
    OK(p11->C_SignFinal(session, NULL, &nbytes));
    OK(p11->C_SignFinal(session, out, &nbytes));
    OK(p11->C_VerifyInit(session, &hmac, mac));
    EXPECT(p11->C_Verify(session, text("a"), 1, out, 31), CKR_SIGNATURE_LEN_RANGE);
    OK(p11->C_VerifyInit(session, &hmac, mac));
    EXPECT(p11->C_Verify(session, text("b"), 1, out, 32), CKR_SIGNATURE_INVALID);
    EXPECT(p11->C_Verify(session, text("a"), 1, out, 32), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_VerifyInit(session, &hmac, mac));
    EXPECT(p11->C_Verify(session, text("a"), 1, NULL, 32), CKR_ARGUMENTS_BAD);
    OK(p11->C_VerifyInit(session, &hmac, mac));
    OK(p11->C_VerifyUpdate(session, text("a"), 1));
    EXPECT(p11->C_Verify(session, text("a"), 1, out, 32), CKR_OPERATION_ACTIVE);
    OK(p11->C_SetAttributeValue(session, mac, &no_sign, 1));
    EXPECT(p11->C_SignInit(session, &hmac, mac), CKR_KEY_FUNCTION_NOT_PERMITTED);

    nbytes = sizeof signature;
    OK(p11->C_SignInit(session, &ecdsa_sha256, private_key));
    OK(p11->C_SignUpdate(session, text("ab"), 2));
    OK(p11->C_SignUpdate(session, text("c"), 1));
    OK(p11->C_SignFinal(session, signature, &nbytes));
    OK(p11->C_VerifySignatureInit(session, &ecdsa_sha256, public_key, signature, 64));
    OK(p11->C_VerifySignature(session, text("abc"), 3));
    OK(p11->C_VerifySignatureInit(session, &ecdsa_sha256, public_key, signature, 64));
    OK(p11->C_VerifySignatureUpdate(session, text("abx"), 3));
    EXPECT(p11->C_VerifySignatureFinal(session), CKR_SIGNATURE_INVALID);
    EXPECT(p11->C_VerifySignatureInit(session, &ecdsa_sha256, public_key, signature, 63), CKR_SIGNATURE_LEN_RANGE);
    EXPECT(p11->C_VerifySignature(session, text("abc"), 3), CKR_OPERATION_NOT_INITIALIZED);
    nbytes = 32;
    OK(p11->C_DigestInit(session, &sha256));
    OK(p11->C_Digest(session, text("abc"), 3, out, &nbytes));
    OK(p11->C_VerifyInit(session, &ecdsa, public_key)); /* the same with a digest that the caller computed */
    OK(p11->C_Verify(session, out, 32, signature, 64));
    memset(signature, 0, sizeof signature);
    OK(p11->C_VerifyInit(session, &ecdsa, public_key));
    EXPECT(p11->C_Verify(session, out, 32, signature, 64), CKR_SIGNATURE_INVALID);
    OK(p11->C_SignInit(session, &ecdsa, private_key));
    EXPECT(p11->C_SignUpdate(session, text("abc"), 3), CKR_FUNCTION_NOT_SUPPORTED); /* the mechanism has no parts */
    OK(p11->C_SignInit(session, &ecdsa, private_key));
    nbytes = 64;
    EXPECT(p11->C_Sign(session, out, 0, signature, &nbytes), CKR_DATA_LEN_RANGE);
    OK(p11->C_SignInit(session, &ecdsa, private_key));
    EXPECT(p11->C_Sign(session, NULL, 5, signature, &nbytes), CKR_ARGUMENTS_BAD);
}

static void allowed_mechanisms(void)
{
    CK_MECHANISM gen = {CKM_GENERIC_SECRET_KEY_GEN, NULL, 0};
    CK_MECHANISM_TYPE allowed[] = {CKM_SHA_1_HMAC, CKM_SHA512_HMAC};
    CK_MECHANISM sha1_hmac = {CKM_SHA_1_HMAC, NULL, 0};
    CK_ULONG length = 20;
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &length, sizeof length},
                               {CKA_ALLOWED_MECHANISMS, allowed, sizeof allowed}};
    CK_OBJECT_HANDLE key = 0;

    OK(p11->C_GenerateKey(session, &gen, template, 2, &key));
    OK(p11->C_SignInit(session, &sha1_hmac, key));
    OK(p11->C_SessionCancel(session, CKF_SIGN));
    EXPECT(p11->C_SignInit(session, &hmac, key), CKR_MECHANISM_INVALID);
}

static void always_authenticate(void)
{
    CK_MECHANISM gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE public_template = {CKA_EC_PARAMS, p256, sizeof p256};
    CK_ATTRIBUTE private_template = {CKA_ALWAYS_AUTHENTICATE, &yes, 1};
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;

    nbytes = 64;
    OK(p11->C_GenerateKeyPair(session, &gen, &public_template, 1, &private_template, 1, &public_key, &private_key));
    OK(p11->C_SignInit(session, &ecdsa_sha256, private_key));
    EXPECT(p11->C_Sign(session, text("abc"), 3, out, &nbytes), CKR_USER_NOT_LOGGED_IN);
    OK(p11->C_SignInit(session, &ecdsa_sha256, private_key));
    EXPECT(p11->C_Login(session, CKU_CONTEXT_SPECIFIC, text("wrong"), 5), CKR_PIN_INCORRECT);
    OK(p11->C_Login(session, CKU_CONTEXT_SPECIFIC, text(USER_PIN), 8));
    OK(p11->C_Sign(session, text("abc"), 3, out, &nbytes));
    EXPECT(p11->C_Login(session, CKU_CONTEXT_SPECIFIC, text(USER_PIN), 8), CKR_OPERATION_NOT_INITIALIZED);
}

/* By 3.0 a C_...Init function without a mechanism cancels the operation that it would begin, and no other. */
static void cancelled_by_init(void)
{
    CK_BYTE iv[16] = {0};
    CK_GCM_PARAMS gcm_params = {iv, 12, 96, NULL, 0, 128};
    CK_MECHANISM sha = {CKM_SHA256, NULL, 0};
    CK_MECHANISM gcm = {CKM_AES_GCM, &gcm_params, sizeof gcm_params};
    CK_MECHANISM by_message = {CKM_AES_GCM, NULL, 0};
    CK_OBJECT_HANDLE aes = secret_key(session, CKK_AES, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE generic = secret_key(session, CKK_GENERIC_SECRET, "0123456789abcdef", 16);

    for (int round = 0; round < 2; round++) { /* the second round shows that nothing is left of the first */
        nbytes = sizeof out;
        OK(p11->C_DigestInit(session, &sha));
        EXPECT(p11->C_SignInit(session, NULL, 0), CKR_ARGUMENTS_BAD);
        EXPECT(p11->C_DecryptInit(session, NULL, 0), CKR_ARGUMENTS_BAD);
        OK(p11->C_DigestUpdate(session, out, 1)); /* it is still active */
        OK(p11->C_DigestInit(session, NULL));
        EXPECT(p11->C_DigestFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
        OK(p11->C_SignInit(session, &hmac, generic));
        OK(p11->C_SignInit(session, NULL, 0));
        EXPECT(p11->C_SignFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
        OK(p11->C_VerifyInit(session, &hmac, generic));
        OK(p11->C_VerifyInit(session, NULL, generic));
        EXPECT(p11->C_VerifyFinal(session, out, 32), CKR_OPERATION_NOT_INITIALIZED);
        OK(p11->C_VerifySignatureInit(session, &hmac, generic, out, 32));
        OK(p11->C_VerifySignatureInit(session, NULL, 0, NULL, 0));
        EXPECT(p11->C_VerifySignatureFinal(session), CKR_OPERATION_NOT_INITIALIZED);
        EXPECT(p11->C_VerifySignatureInit(session, NULL, 0, NULL, 0), CKR_ARGUMENTS_BAD);
        OK(p11->C_EncryptInit(session, &gcm, aes));
        OK(p11->C_EncryptInit(session, NULL, 0));
        EXPECT(p11->C_EncryptFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
        OK(p11->C_DecryptInit(session, &gcm, aes));
        OK(p11->C_DecryptUpdate(session, out, 20, out + 30, &nbytes));
        OK(p11->C_DecryptInit(session, NULL, 0));
        EXPECT(p11->C_DecryptFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
        OK(p11->C_MessageEncryptInit(session, &by_message, aes));
        EXPECT(p11->C_MessageDecryptInit(session, NULL, 0), CKR_ARGUMENTS_BAD);
        OK(p11->C_MessageEncryptInit(session, NULL, 0));
        EXPECT(p11->C_MessageEncryptFinal(session), CKR_OPERATION_NOT_INITIALIZED);
        OK(p11->C_MessageDecryptInit(session, &by_message, aes));
        OK(p11->C_MessageDecryptInit(session, NULL, 0));
        EXPECT(p11->C_MessageDecryptFinal(session), CKR_OPERATION_NOT_INITIALIZED);
    }
}

static void random_numbers(void)
{
    CK_BYTE *big = check_alloc(3000000);

    OK(p11->C_GenerateRandom(session, big, 3000000));
    OK(p11->C_GenerateRandom(session, NULL, 0));
    EXPECT(p11->C_GenerateRandom(session, NULL, 1), CKR_ARGUMENTS_BAD);
    OK(p11->C_SeedRandom(session, big, 20));
    EXPECT(p11->C_SeedRandom(session, NULL, 1), CKR_ARGUMENTS_BAD);
    free(big);
}

int main(void)
{
    token_start();
    session = user_session();
    digest();
    digest_key();
    state();
    sign();
    allowed_mechanisms();
    always_authenticate();
    cancelled_by_init();
    random_numbers();
    OK(p11->C_Finalize(NULL));
    return 0;
}

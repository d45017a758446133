/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a key that was made under the policy "standard" and both wraps and decrypts under the policy "safe"; and a limit
 * of "safe" that is off by one.
 */
#include "store_files.h"

/* Sixteen bytes are the shortest key that is derived from a sensitive one. */
static void derived_length(CK_SESSION_HANDLE session)
{
    CK_MECHANISM gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_BYTE point[67];
    CK_ECDH1_DERIVE_PARAMS params = {CKD_NULL, 0, NULL, sizeof point, point};
    CK_MECHANISM ecdh = {CKM_ECDH1_DERIVE, &params, sizeof params};
    CK_ATTRIBUTE public_template = {CKA_EC_PARAMS, p256, sizeof p256};
    CK_ATTRIBUTE private_template = {CKA_DERIVE, &yes, 1};
    CK_ATTRIBUTE wanted = {CKA_EC_POINT, point, sizeof point};
    CK_ULONG length = 15;
    CK_ATTRIBUTE template = {CKA_VALUE_LEN, &length, sizeof length};
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE base = 0;
    CK_OBJECT_HANDLE key = 0;

    OK(p11->C_GenerateKeyPair(session, &gen, &public_template, 1, &private_template, 1, &public_key, &base));
    OK(p11->C_GetAttributeValue(session, public_key, &wanted, 1));
    EXPECT(p11->C_DeriveKey(session, &ecdh, base, &template, 1, &key), CKR_KEY_SIZE_RANGE);
    length = 16;
    OK(p11->C_DeriveKey(session, &ecdh, base, &template, 1, &key));
}

int main(void)
{
    CK_MECHANISM gen = {CKM_AES_KEY_GEN, NULL, 0};
    CK_MECHANISM kwp = {CKM_AES_KEY_WRAP_KWP, NULL, 0};
    CK_MECHANISM ecb = {CKM_AES_ECB, NULL, 0};
    CK_ULONG length = 32;
    CK_ATTRIBUTE template[] = {
        {CKA_VALUE_LEN, &length, sizeof length}, {CKA_TOKEN, &yes, 1}, {CKA_WRAP, &yes, 1}, {CKA_DECRYPT, &yes, 1}};
    CK_ATTRIBUTE no_wrap = {CKA_WRAP, &no, 1};
    CK_BYTE wrapped[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_OBJECT_HANDLE key = 0;
    CK_SESSION_HANDLE session = 0;

    store_create();
    CHECK_EQ(setenv("CSIDE_TOKEN_POLICY", "standard", 1), 0);
    token_start();
    session = user_session();
    OK(p11->C_GenerateKey(session, &gen, template, COUNT(template), &key));
    OK(p11->C_DecryptInit(session, &ecb, key));
    OK(p11->C_Finalize(NULL));

    CHECK_EQ(unsetenv("CSIDE_TOKEN_POLICY"), 0);
    OK(p11->C_Initialize(NULL));
    session = user_session();
    CHECK_EQ(find_all(session, &key, 1), 1);
    EXPECT(p11->C_DecryptInit(session, &ecb, key), CKR_KEY_FUNCTION_NOT_PERMITTED);
    EXPECT(p11->C_EncryptInit(session, &ecb, key), CKR_KEY_FUNCTION_NOT_PERMITTED);
    EXPECT(p11->C_WrapKey(session, &kwp, key, key, wrapped, &nbytes), CKR_KEY_FUNCTION_NOT_PERMITTED);
    OK(p11->C_SetAttributeValue(session, key, &no_wrap, 1)); /* to decrypt what is left */
    OK(p11->C_DecryptInit(session, &ecb, key));
    derived_length(session);
    OK(p11->C_Finalize(NULL));
    store_destroy();
    return 0;
}

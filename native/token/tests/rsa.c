/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: RSA keys that have other attributes than the standard's, ciphertexts that are refused or decrypted wrongly, and misuse
 * that gets the wrong return value.
 */
#include "rsa.h"

#define DATA "what is sealed"
#define DATA_NBYTES 14

static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE public_key;
static CK_OBJECT_HANDLE private_key;

static void attributes(void)
{
    CK_BYTE modulus[RSA_NBYTES];
    CK_BYTE exponent[8];
    CK_BYTE secret[RSA_NBYTES];
    CK_ULONG bits = 0;
    CK_ATTRIBUTE of_public[] = {{CKA_MODULUS, modulus, sizeof modulus},
                                {CKA_PUBLIC_EXPONENT, exponent, sizeof exponent},
                                {CKA_MODULUS_BITS, &bits, sizeof bits}};
    CK_ATTRIBUTE hidden[] = {{CKA_PRIVATE_EXPONENT, secret, sizeof secret}, {CKA_PRIME_1, secret, sizeof secret},
                             {CKA_PRIME_2, secret, sizeof secret},          {CKA_EXPONENT_1, secret, sizeof secret},
                             {CKA_EXPONENT_2, secret, sizeof secret},       {CKA_COEFFICIENT, secret, sizeof secret}};
    CK_ATTRIBUTE shown = {CKA_MODULUS, modulus, sizeof modulus};
    CK_ATTRIBUTE of_curves = {CKA_VALUE, secret, sizeof secret};
    CK_MECHANISM_INFO info;

    OK(p11->C_GetAttributeValue(session, public_key, of_public, 3));
    CHECK(bits == 2048 && of_public[0].ulValueLen == RSA_NBYTES && (modulus[0] & 0x80) != 0);
    CHECK(of_public[1].ulValueLen == 3 && memcmp(exponent, "\1\0\1", 3) == 0); /* the default */
    for (size_t i = 0; i < COUNT(hidden); i++) {
        EXPECT(p11->C_GetAttributeValue(session, private_key, &hidden[i], 1), CKR_ATTRIBUTE_SENSITIVE);
    }
    OK(p11->C_GetAttributeValue(session, private_key, &shown, 1));
    EXPECT(p11->C_GetAttributeValue(session, private_key, &of_curves, 1), CKR_ATTRIBUTE_TYPE_INVALID);
    OK(p11->C_GetMechanismInfo(0, CKM_RSA_PKCS_PSS, &info));
    CHECK(info.ulMinKeySize == 2048 && info.ulMaxKeySize == 4096 && info.flags == (CKF_SIGN | CKF_VERIFY));
}

static void templates(void)
{
    CK_BYTE even[] = {2};
    CK_BYTE large[9] = {1, 0, 0, 0, 0, 0, 0, 0, 1};
    CK_ATTRIBUTE exponents[] = {
        {CKA_PUBLIC_EXPONENT, even, 1}, {CKA_PUBLIC_EXPONENT, large, sizeof large}, {CKA_PUBLIC_EXPONENT, NULL, 0}};
    CK_ATTRIBUTE params = {CKA_EC_PARAMS, p256, sizeof p256};
    CK_ATTRIBUTE modulus = {CKA_MODULUS, large, sizeof large};
    CK_MECHANISM generate = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    CK_OBJECT_HANDLE out[2];

    for (size_t i = 0; i < COUNT(exponents); i++) {
        EXPECT(rsa_pair_with(session, &exponents[i], 1, NULL, 0, &out[0], &out[1]), CKR_ATTRIBUTE_VALUE_INVALID);
    }
    EXPECT(rsa_pair_with(session, &params, 1, NULL, 0, &out[0], &out[1]), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(rsa_pair_with(session, &modulus, 1, NULL, 0, &out[0], &out[1]), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(rsa_pair_with(session, NULL, 0, &exponents[0], 1, &out[0], &out[1]), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(p11->C_GenerateKeyPair(session, &generate, NULL, 0, NULL, 0, &out[0], &out[1]), CKR_TEMPLATE_INCOMPLETE);
    for (rsa_bits = 2047; rsa_bits < 5000; rsa_bits += 2050) {
        EXPECT(rsa_pair_with(session, NULL, 0, NULL, 0, &out[0], &out[1]), CKR_ATTRIBUTE_VALUE_INVALID);
    }
    rsa_bits = 2048;
}

/* ---- ciphertexts
 * ----------------------------------------------------------------------------------------------------- */

/* Encrypt at most `most` bytes, and decrypt them. */
static void encrypt_and_decrypt(CK_MECHANISM *mechanism, CK_ULONG most, CK_ULONG plain_nbytes)
{
    CK_BYTE data[RSA_NBYTES] = DATA;
    CK_BYTE sealed[RSA_NBYTES];
    CK_BYTE plain[RSA_NBYTES];
    CK_ULONG nbytes = 0;
    CK_ULONG got = 0;

    OK(p11->C_EncryptInit(session, mechanism, public_key));
    OK(p11->C_Encrypt(session, data, most, NULL, &nbytes));
    CHECK_EQ(nbytes, RSA_NBYTES);
    nbytes--;
    EXPECT(p11->C_Encrypt(session, data, most, sealed, &nbytes), CKR_BUFFER_TOO_SMALL);
    OK(p11->C_Encrypt(session, data, most, sealed, &nbytes));
    OK(p11->C_DecryptInit(session, mechanism, private_key));
    OK(p11->C_Decrypt(session, sealed, nbytes, NULL, &got));
    CHECK(got >= plain_nbytes);
    got = plain_nbytes - 1;
    EXPECT(p11->C_Decrypt(session, sealed, nbytes, plain, &got), CKR_BUFFER_TOO_SMALL);
    CHECK_EQ(got, plain_nbytes);
    OK(p11->C_Decrypt(session, sealed, nbytes, plain, &got));
    CHECK(got == plain_nbytes && memcmp(plain + got - most, data, most) == 0);
    EXPECT(p11->C_Decrypt(session, sealed, nbytes, plain, &got), CKR_OPERATION_NOT_INITIALIZED);

    OK(p11->C_DecryptInit(session, mechanism, private_key));
    EXPECT(p11->C_Decrypt(session, sealed, nbytes - 1, plain, &got), CKR_ENCRYPTED_DATA_LEN_RANGE);
    OK(p11->C_EncryptInit(session, mechanism, public_key));
    EXPECT(p11->C_EncryptUpdate(session, data, 1, sealed, &nbytes), CKR_FUNCTION_NOT_SUPPORTED);
    EXPECT(p11->C_EncryptFinal(session, sealed, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DecryptInit(session, mechanism, private_key));
    EXPECT(p11->C_DecryptUpdate(session, sealed, 1, data, &nbytes), CKR_FUNCTION_NOT_SUPPORTED);
    OK(p11->C_EncryptInit(session, mechanism, public_key));
    EXPECT(p11->C_Encrypt(session, data, most + 1, sealed, &nbytes), CKR_DATA_LEN_RANGE);
}

static void ciphertexts(void)
{
    CK_RSA_PKCS_OAEP_PARAMS oaep = {CKM_SHA256, CKG_MGF1_SHA1, CKZ_DATA_SPECIFIED, text("label"), 5};
    CK_MECHANISM mechanism = {CKM_RSA_PKCS, NULL, 0};
    CK_BYTE sealed[RSA_NBYTES];
    CK_BYTE plain[RSA_NBYTES];
    CK_ULONG nbytes = sizeof sealed;

    encrypt_and_decrypt(&mechanism, RSA_NBYTES - 11, RSA_NBYTES - 11);
    mechanism = (CK_MECHANISM){CKM_RSA_PKCS_OAEP, &oaep, sizeof oaep};
    encrypt_and_decrypt(&mechanism, RSA_NBYTES - 2 * 32 - 2, RSA_NBYTES - 2 * 32 - 2);
    OK(p11->C_EncryptInit(session, &mechanism, public_key));
    OK(p11->C_Encrypt(session, text(DATA), DATA_NBYTES, sealed, &nbytes));
    oaep.ulSourceDataLen = 4; /* another label */
    OK(p11->C_DecryptInit(session, &mechanism, private_key));
    EXPECT(p11->C_Decrypt(session, sealed, nbytes, plain, &nbytes), CKR_ENCRYPTED_DATA_INVALID);
    oaep.source = 0;
    EXPECT(p11->C_DecryptInit(session, &mechanism, private_key), CKR_MECHANISM_PARAM_INVALID);
    oaep.pSourceData = NULL;
    oaep.source = CKZ_DATA_SPECIFIED;
    EXPECT(p11->C_DecryptInit(session, &mechanism, private_key), CKR_MECHANISM_PARAM_INVALID);
    oaep.ulSourceDataLen = 0;
    oaep.hashAlg = CKM_AES_ECB;
    EXPECT(p11->C_EncryptInit(session, &mechanism, public_key), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_EncryptInit(session, &mechanism, private_key), CKR_KEY_TYPE_INCONSISTENT);
    mechanism = (CK_MECHANISM){CKM_RSA_X_509, NULL, 0};
    memset(plain, 0xff, sizeof plain);
    OK(p11->C_EncryptInit(session, &mechanism, public_key));
    EXPECT(p11->C_Encrypt(session, plain, sizeof plain, sealed, &nbytes), CKR_DATA_INVALID);
    OK(p11->C_EncryptInit(session, &mechanism, public_key));
    OK(p11->C_Encrypt(session, text(DATA), DATA_NBYTES, sealed, &nbytes));
    OK(p11->C_DecryptInit(session, &mechanism, private_key));
    OK(p11->C_Decrypt(session, sealed, nbytes, plain, &nbytes));
    CHECK(nbytes == RSA_NBYTES && memcmp(plain + RSA_NBYTES - DATA_NBYTES, DATA, DATA_NBYTES) == 0);
}

int main(void)
{
    token_start();
    session = user_session();
    OK(rsa_pair_with(session, NULL, 0, NULL, 0, &public_key, &private_key));
    attributes();
    templates();
    ciphertexts();
    OK(p11->C_Finalize(NULL));
    return 0;
}

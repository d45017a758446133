/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: signatures by RSA that others do not understand, and misuse that gets the wrong return value.
 */
#include "rsa.h"

#define DATA "what is signed"
#define DATA_NBYTES 14

static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE public_key;
static CK_OBJECT_HANDLE private_key;
static EVP_PKEY *theirs; /* libcrypto's public key */

/* Verify by libcrypto. `salt_nbytes` is negative for PKCS #1 v1.5. */
static void verify_outside(const char *digest, int salt_nbytes, const CK_BYTE *signature)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *padding = NULL;

    CHECK_EQ(EVP_DigestVerifyInit_ex(ctx, &padding, digest, NULL, NULL, theirs, NULL), 1);
    if (salt_nbytes >= 0) {
        CHECK_EQ(EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PSS_PADDING), 1);
        CHECK_EQ(EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, salt_nbytes), 1);
    }
    CHECK_EQ(EVP_DigestVerify(ctx, signature, RSA_NBYTES, (const CK_BYTE *)DATA, DATA_NBYTES), 1);
    EVP_MD_CTX_free(ctx);
}

/* Sign in one call and in parts; verify here and by libcrypto; refuse a signature that was changed. */
static void sign_and_verify(CK_MECHANISM *mechanism, const char *digest, int salt_nbytes)
{
    CK_BYTE signature[2][RSA_NBYTES];
    CK_ULONG nbytes = RSA_NBYTES;

    OK(p11->C_SignInit(session, mechanism, private_key));
    OK(p11->C_Sign(session, text(DATA), DATA_NBYTES, signature[0], &nbytes));
    CHECK_EQ(nbytes, RSA_NBYTES);
    verify_outside(digest, salt_nbytes, signature[0]);
    OK(p11->C_SignInit(session, mechanism, private_key));
    OK(p11->C_SignUpdate(session, text(DATA), 4));
    OK(p11->C_SignUpdate(session, text(DATA) + 4, DATA_NBYTES - 4));
    OK(p11->C_SignFinal(session, signature[1], &nbytes));
    for (int i = 0; i < 2; i++) {
        OK(p11->C_VerifySignatureInit(session, mechanism, public_key, signature[i], nbytes));
        OK(p11->C_VerifySignature(session, text(DATA), DATA_NBYTES));
    }
    signature[1][100] ^= 1;
    OK(p11->C_VerifyInit(session, mechanism, public_key));
    EXPECT(p11->C_Verify(session, text(DATA), DATA_NBYTES, signature[1], nbytes), CKR_SIGNATURE_INVALID);
    OK(p11->C_VerifyInit(session, mechanism, public_key));
    EXPECT(p11->C_Verify(session, text(DATA), DATA_NBYTES, signature[1], nbytes - 1), CKR_SIGNATURE_LEN_RANGE);
}

static void signatures(void)
{
    static const struct {
        CK_MECHANISM_TYPE plain;
        CK_MECHANISM_TYPE pss;
        CK_MECHANISM_TYPE hash;
        CK_RSA_PKCS_MGF_TYPE mask;
        CK_ULONG nbytes;
        const char *name;
    } rows[] = {
        {CKM_SHA1_RSA_PKCS, CKM_SHA1_RSA_PKCS_PSS, CKM_SHA_1, CKG_MGF1_SHA1, 20, "SHA1"},
        {CKM_SHA224_RSA_PKCS, CKM_SHA224_RSA_PKCS_PSS, CKM_SHA224, CKG_MGF1_SHA224, 28, "SHA224"},
        {CKM_SHA256_RSA_PKCS, CKM_SHA256_RSA_PKCS_PSS, CKM_SHA256, CKG_MGF1_SHA256, 32, "SHA256"},
        {CKM_SHA384_RSA_PKCS, CKM_SHA384_RSA_PKCS_PSS, CKM_SHA384, CKG_MGF1_SHA384, 48, "SHA384"},
        {CKM_SHA512_RSA_PKCS, CKM_SHA512_RSA_PKCS_PSS, CKM_SHA512, CKG_MGF1_SHA512, 64, "SHA512"},
        {CKM_SHA3_224_RSA_PKCS, CKM_SHA3_224_RSA_PKCS_PSS, CKM_SHA3_224, CKG_MGF1_SHA3_224, 28, "SHA3-224"},
        {CKM_SHA3_256_RSA_PKCS, CKM_SHA3_256_RSA_PKCS_PSS, CKM_SHA3_256, CKG_MGF1_SHA3_256, 32, "SHA3-256"},
        {CKM_SHA3_384_RSA_PKCS, CKM_SHA3_384_RSA_PKCS_PSS, CKM_SHA3_384, CKG_MGF1_SHA3_384, 48, "SHA3-384"},
        {CKM_SHA3_512_RSA_PKCS, CKM_SHA3_512_RSA_PKCS_PSS, CKM_SHA3_512, CKG_MGF1_SHA3_512, 64, "SHA3-512"},
    };
    CK_MECHANISM md5 = {CKM_MD5_RSA_PKCS, NULL, 0};

    sign_and_verify(&md5, "MD5", -1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        CK_RSA_PKCS_PSS_PARAMS params = {rows[i].hash, rows[i].mask, rows[i].nbytes};
        CK_MECHANISM plain = {rows[i].plain, NULL, 0};
        CK_MECHANISM pss = {rows[i].pss, &params, sizeof params};
        CK_MECHANISM raw = {CKM_RSA_PKCS_PSS, &params, sizeof params};
        CK_BYTE digest[64];
        CK_BYTE signature[RSA_NBYTES];
        CK_ULONG nbytes = sizeof signature;

        sign_and_verify(&plain, rows[i].name, -1);
        sign_and_verify(&pss, rows[i].name, (int)rows[i].nbytes);
        params.sLen = 0;
        sign_and_verify(&pss, rows[i].name, 0);
        CHECK(EVP_Digest(DATA, DATA_NBYTES, digest, NULL, EVP_get_digestbyname(rows[i].name), NULL) == 1);
        OK(p11->C_SignInit(session, &raw, private_key));
        OK(p11->C_Sign(session, digest, rows[i].nbytes, signature, &nbytes));
        verify_outside(rows[i].name, 0, signature);
        OK(p11->C_VerifyInit(session, &raw, public_key));
        OK(p11->C_Verify(session, digest, rows[i].nbytes, signature, nbytes));
        OK(p11->C_SignInit(session, &raw, private_key));
        EXPECT(p11->C_Sign(session, digest, rows[i].nbytes - 1, signature, &nbytes), CKR_DATA_LEN_RANGE);
    }
}

static void bad_pss(void)
{
    CK_RSA_PKCS_PSS_PARAMS rows[] = {
        {CKM_SHA512, CKG_MGF1_SHA256, 32},              /* not the mechanism's digest */
        {CKM_SHA256, 0, 32},                            /* no mask */
        {CKM_SHA256, 10, 32},                           /* an unknown one */
        {CKM_SHA256, CKG_MGF1_SHA256, RSA_NBYTES - 33}, /* the longest salt is RSA_NBYTES - 34 */
        {CKM_SHA256, CKG_MGF1_SHA256, (CK_ULONG)-1},
        {CKM_SHA256_HMAC, CKG_MGF1_SHA256, 32}, /* no digest */
        {CKM_MD5, CKG_MGF1_SHA256, 16},
    };
    CK_RSA_PKCS_PSS_PARAMS longest = {CKM_SHA256, CKG_MGF1_SHA256, RSA_NBYTES - 34};
    CK_MECHANISM mechanism = {CKM_SHA256_RSA_PKCS_PSS, &longest, sizeof longest};

    sign_and_verify(&mechanism, "SHA256", RSA_NBYTES - 34);
    for (size_t i = 0; i < COUNT(rows); i++) {
        mechanism.pParameter = &rows[i];
        EXPECT(p11->C_SignInit(session, &mechanism, private_key), CKR_MECHANISM_PARAM_INVALID);
        EXPECT(p11->C_VerifyInit(session, &mechanism, public_key), CKR_MECHANISM_PARAM_INVALID);
    }
    mechanism = (CK_MECHANISM){CKM_SHA256_RSA_PKCS_PSS, NULL, 0};
    EXPECT(p11->C_SignInit(session, &mechanism, private_key), CKR_MECHANISM_PARAM_INVALID);
    mechanism = (CK_MECHANISM){CKM_SHA256_RSA_PKCS, &longest, sizeof longest};
    EXPECT(p11->C_SignInit(session, &mechanism, private_key), CKR_MECHANISM_PARAM_INVALID);
}

/* CKM_RSA_PKCS and CKM_RSA_X_509 sign what they get. */
static void signed_as_it_is(void)
{
    CK_MECHANISM pkcs = {CKM_RSA_PKCS, NULL, 0};
    CK_MECHANISM raw = {CKM_RSA_X_509, NULL, 0};
    CK_BYTE data[RSA_NBYTES + 1] = {0};
    CK_BYTE signature[RSA_NBYTES];
    CK_BYTE back[RSA_NBYTES];
    CK_ULONG nbytes = sizeof signature;
    size_t back_nbytes = sizeof back;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, theirs, NULL);

    OK(p11->C_SignInit(session, &pkcs, private_key));
    OK(p11->C_Sign(session, text(DATA), DATA_NBYTES, signature, &nbytes));
    CHECK(EVP_PKEY_verify_recover_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1);
    CHECK_EQ(EVP_PKEY_verify_recover(ctx, back, &back_nbytes, signature, nbytes), 1);
    CHECK(back_nbytes == DATA_NBYTES && memcmp(back, DATA, DATA_NBYTES) == 0);
    EVP_PKEY_CTX_free(ctx);
    OK(p11->C_VerifyInit(session, &pkcs, public_key));
    OK(p11->C_Verify(session, text(DATA), DATA_NBYTES, signature, nbytes));
    OK(p11->C_SignInit(session, &pkcs, private_key));
    EXPECT(p11->C_Sign(session, data, RSA_NBYTES - 10, signature, &nbytes), CKR_DATA_LEN_RANGE);
    OK(p11->C_SignInit(session, &pkcs, private_key));
    EXPECT(p11->C_SignUpdate(session, data, 1), CKR_FUNCTION_NOT_SUPPORTED);
    EXPECT(p11->C_Sign(session, data, 1, signature, &nbytes), CKR_OPERATION_NOT_INITIALIZED);

    OK(p11->C_SignInit(session, &raw, private_key)); /* a short number, with zeros before it */
    OK(p11->C_Sign(session, text(DATA), DATA_NBYTES, signature, &nbytes));
    memcpy(data + RSA_NBYTES - DATA_NBYTES, DATA, DATA_NBYTES);
    OK(p11->C_VerifyInit(session, &raw, public_key));
    OK(p11->C_Verify(session, data, RSA_NBYTES, signature, nbytes));
    OK(p11->C_SignInit(session, &raw, private_key));
    EXPECT(p11->C_Sign(session, data, RSA_NBYTES + 1, signature, &nbytes), CKR_DATA_LEN_RANGE);
    memset(data, 0xff, sizeof data);
    OK(p11->C_SignInit(session, &raw, private_key));
    EXPECT(p11->C_Sign(session, data, RSA_NBYTES, signature, &nbytes), CKR_DATA_INVALID);
}

int main(void)
{
    token_start();
    session = user_session();
    OK(rsa_pair_with(session, NULL, 0, NULL, 0, &public_key, &private_key));
    theirs = public_key_of(session, public_key);
    signatures();
    bad_pss();
    signed_as_it_is();
    EVP_PKEY_free(theirs);
    OK(p11->C_Finalize(NULL));
    return 0;
}

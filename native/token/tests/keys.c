/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: keys that are generated, wrapped, unwrapped or derived wrongly, or where the standard forbids it.
 */
#include "token.h"

#include <openssl/evp.h>

static CK_SESSION_HANDLE session;
static CK_BYTE iv[16] = {7};

static void generated(void)
{
    static const struct {
        CK_MECHANISM_TYPE type;
        CK_ULONG nbytes; /* 0 for the length of the digest */
        CK_ULONG expected;
    } rows[] = {
        {CKM_AES_KEY_GEN, 16, 16},
        {CKM_AES_KEY_GEN, 24, 24},
        {CKM_AES_KEY_GEN, 32, 32},
        {CKM_GENERIC_SECRET_KEY_GEN, 1, 1},
        {CKM_GENERIC_SECRET_KEY_GEN, 4096, 4096},
        {CKM_SHA_1_KEY_GEN, 0, 20},
        {CKM_SHA224_KEY_GEN, 0, 28},
        {CKM_SHA256_KEY_GEN, 0, 32},
        {CKM_SHA256_KEY_GEN, 64, 64},
        {CKM_SHA384_KEY_GEN, 0, 48},
        {CKM_SHA512_KEY_GEN, 0, 64},
        {CKM_SHA3_224_KEY_GEN, 0, 28},
        {CKM_SHA3_256_KEY_GEN, 0, 32},
        {CKM_SHA3_384_KEY_GEN, 0, 48},
        {CKM_SHA3_512_KEY_GEN, 0, 64},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        CK_MECHANISM mechanism = {rows[i].type, NULL, 0};
        CK_ULONG nbytes = rows[i].nbytes;
        CK_ATTRIBUTE template = {CKA_VALUE_LEN, &nbytes, sizeof nbytes};
        CK_OBJECT_HANDLE key = 0;

        OK(p11->C_GenerateKey(session, &mechanism, &template, nbytes > 0 ? 1 : 0, &key));
        OK(p11->C_GetAttributeValue(session, key, &template, 1));
        CHECK_EQ(nbytes, rows[i].expected);
    }
}

static CK_RV unwrap(CK_MECHANISM *mechanism, CK_OBJECT_HANDLE wrapping, CK_BYTE *wrapped, CK_ULONG nbytes,
                    CK_OBJECT_CLASS object_class, CK_KEY_TYPE key_type, CK_OBJECT_HANDLE *out)
{
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_KEY_TYPE, &key_type, sizeof key_type},
                               {CKA_SENSITIVE, &no, 1},
                               {CKA_EXTRACTABLE, &yes, 1}};

    return p11->C_UnwrapKey(session, mechanism, wrapping, wrapped, nbytes, template, COUNT(template), out);
}

/* AES-CBC-PAD outside of the token, with the key of `wrapped()`. */
static CK_ULONG aes_cbc(bool encrypts, const CK_BYTE *in, CK_ULONG nbytes, CK_BYTE *out)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int first = 0;
    int last = 0;

    CHECK(ctx != NULL);
    CHECK_EQ(EVP_CipherInit_ex(ctx, EVP_aes_128_cbc(), NULL, (const CK_BYTE *)"0123456789abcdef", iv, encrypts), 1);
    CHECK_EQ(EVP_CipherUpdate(ctx, out, &first, in, (int)nbytes), 1);
    CHECK_EQ(EVP_CipherFinal_ex(ctx, out + first, &last), 1);
    EVP_CIPHER_CTX_free(ctx);
    return (CK_ULONG)(first + last);
}

/* A PKCS #8 structure has the public key, too. One that belongs to another private key must not be accepted. */
static void mismatched_pair(void)
{
    CK_MECHANISM pad = {CKM_AES_CBC_PAD, iv, sizeof iv};
    CK_OBJECT_HANDLE wrapping = wrapping_key(session, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;
    CK_OBJECT_HANDLE again = 0;
    CK_BYTE out[2][256];
    CK_BYTE plain[2][256];
    CK_ULONG nbytes[2] = {sizeof out[0], sizeof out[1]};

    for (int i = 0; i < 2; i++) {
        ec_pair(session, &public_key, &private_key);
        OK(p11->C_WrapKey(session, &pad, wrapping, private_key, out[i], &nbytes[i]));
        nbytes[i] = aes_cbc(false, out[i], nbytes[i], plain[i]);
    }
    CHECK_EQ(nbytes[0], nbytes[1]);
    nbytes[1] = aes_cbc(true, plain[0], nbytes[0], out[1]);
    OK(unwrap(&pad, wrapping, out[1], nbytes[1], CKO_PRIVATE_KEY, CKK_EC, &again));
    CHECK_EQ(plain[0][nbytes[0] - 65], 4); /* the structure ends with the point */
    memcpy(plain[0] + nbytes[0] - 65, plain[1] + nbytes[0] - 65, 65);
    nbytes[1] = aes_cbc(true, plain[0], nbytes[0], out[1]);
    EXPECT(unwrap(&pad, wrapping, out[1], nbytes[1], CKO_PRIVATE_KEY, CKK_EC, &again), CKR_WRAPPED_KEY_INVALID);
    plain[0][nbytes[0] - 65 + 40] ^= 1; /* a point that is not on the curve */
    nbytes[1] = aes_cbc(true, plain[0], nbytes[0], out[1]);
    EXPECT(unwrap(&pad, wrapping, out[1], nbytes[1], CKO_PRIVATE_KEY, CKK_EC, &again), CKR_WRAPPED_KEY_INVALID);
}

static void wrapped(void)
{
    CK_MECHANISM kwp = {CKM_AES_KEY_WRAP_KWP, NULL, 0};
    CK_MECHANISM kw = {CKM_AES_KEY_WRAP, NULL, 0};
    CK_MECHANISM pad = {CKM_AES_CBC_PAD, iv, 16};
    CK_MECHANISM *both[] = {&kwp, &pad};
    CK_MECHANISM hash = {CKM_SHA256, NULL, 0};
    CK_OBJECT_HANDLE wrapping = wrapping_key(session, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE generic = secret_key(session, CKK_GENERIC_SECRET, "odd length", 10);
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;
    CK_OBJECT_HANDLE again = 0;
    CK_BYTE out[512];
    CK_ULONG nbytes = 0;
    CK_ATTRIBUTE trusted_only = {CKA_WRAP_WITH_TRUSTED, &yes, 1};
    CK_ATTRIBUTE hidden = {CKA_EXTRACTABLE, &no, 1};
    CK_ATTRIBUTE no_wrap[] = {{CKA_WRAP, &no, 1}, {CKA_UNWRAP, &no, 1}};

    ec_pair(session, &public_key, &private_key);
    for (size_t i = 0; i < 2; i++) { /* wrap and unwrap a private key, whose signatures still verify */
        CK_MECHANISM ecdsa = {CKM_ECDSA_SHA256, NULL, 0};
        CK_BYTE signature[64];
        CK_ULONG signature_nbytes = sizeof signature;

        OK(p11->C_WrapKey(session, both[i], wrapping, private_key, NULL, &nbytes));
        nbytes--;
        EXPECT(p11->C_WrapKey(session, both[i], wrapping, private_key, out, &nbytes), CKR_BUFFER_TOO_SMALL);
        OK(p11->C_WrapKey(session, both[i], wrapping, private_key, out, &nbytes));
        OK(unwrap(both[i], wrapping, out, nbytes, CKO_PRIVATE_KEY, CKK_EC, &again));
        OK(p11->C_SignInit(session, &ecdsa, again));
        OK(p11->C_Sign(session, text("abc"), 3, signature, &signature_nbytes));
        OK(p11->C_VerifyInit(session, &ecdsa, public_key));
        OK(p11->C_Verify(session, text("abc"), 3, signature, 64));
        out[3] ^= 1;
        EXPECT(unwrap(both[i], wrapping, out, nbytes, CKO_PRIVATE_KEY, CKK_EC, &again), CKR_WRAPPED_KEY_INVALID);
        out[3] ^= 1;
        EXPECT(unwrap(both[i], wrapping, out, nbytes - 1, CKO_PRIVATE_KEY, CKK_EC, &again), CKR_WRAPPED_KEY_LEN_RANGE);
        EXPECT(unwrap(both[i], wrapping, out, nbytes, CKO_SECRET_KEY, CKK_AES, &again), CKR_WRAPPED_KEY_LEN_RANGE);
    }
    nbytes = sizeof out;
    OK(p11->C_WrapKey(session, &pad, wrapping, generic, out, &nbytes));
    CHECK_EQ(nbytes, 16);
    EXPECT(unwrap(&pad, wrapping, out, nbytes, CKO_PRIVATE_KEY, CKK_EC, &again), CKR_WRAPPED_KEY_INVALID);
    EXPECT(unwrap(&pad, wrapping, out, nbytes, CKO_DATA, CKK_EC, &again), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(unwrap(&pad, 1, out, nbytes, CKO_SECRET_KEY, CKK_AES, &again), CKR_UNWRAPPING_KEY_HANDLE_INVALID);
    EXPECT(unwrap(&pad, generic, out, nbytes, CKO_SECRET_KEY, CKK_AES, &again), CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT);
    EXPECT(unwrap(&hash, wrapping, out, nbytes, CKO_SECRET_KEY, CKK_AES, &again), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_UnwrapKey(session, &pad, wrapping, out, nbytes, NULL, 0, &again), CKR_TEMPLATE_INCOMPLETE);
    EXPECT(p11->C_UnwrapKey(session, &pad, wrapping, NULL, 16, NULL, 0, &again), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_UnwrapKey(session, &pad, wrapping, out, nbytes, NULL, 0, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_WrapKey(session, &kw, wrapping, generic, out, &nbytes), CKR_KEY_SIZE_RANGE);
    EXPECT(p11->C_WrapKey(session, &kwp, 1, generic, out, &nbytes), CKR_WRAPPING_KEY_HANDLE_INVALID);
    EXPECT(p11->C_WrapKey(session, &kwp, generic, generic, out, &nbytes), CKR_WRAPPING_KEY_TYPE_INCONSISTENT);
    EXPECT(p11->C_WrapKey(session, &kwp, wrapping, 1, out, &nbytes), CKR_KEY_HANDLE_INVALID);
    EXPECT(p11->C_WrapKey(session, &kwp, wrapping, public_key, out, &nbytes), CKR_KEY_NOT_WRAPPABLE);
    EXPECT(p11->C_WrapKey(session, &kwp, wrapping, generic, out, NULL), CKR_ARGUMENTS_BAD);
    OK(p11->C_SetAttributeValue(session, generic, &trusted_only, 1));
    EXPECT(p11->C_WrapKey(session, &kwp, wrapping, generic, out, &nbytes), CKR_KEY_NOT_WRAPPABLE);
    OK(p11->C_SetAttributeValue(session, generic, &hidden, 1));
    EXPECT(p11->C_WrapKey(session, &kwp, wrapping, generic, out, &nbytes), CKR_KEY_UNEXTRACTABLE);
    OK(p11->C_SetAttributeValue(session, wrapping, no_wrap, 2));
    EXPECT(p11->C_WrapKey(session, &kwp, wrapping, private_key, out, &nbytes), CKR_KEY_FUNCTION_NOT_PERMITTED);
}

static void derived(void)
{
    CK_OBJECT_HANDLE public_keys[2];
    CK_OBJECT_HANDLE private_keys[2];
    CK_OBJECT_HANDLE secrets[2];
    CK_BYTE points[2][67];
    CK_BYTE values[2][80];
    CK_BYTE whole[32];
    CK_ULONG kdfs[] = {CKD_NULL, CKD_SHA1_KDF, CKD_SHA224_KDF, CKD_SHA256_KDF, CKD_SHA384_KDF, CKD_SHA512_KDF};
    CK_KEY_TYPE aes = CKK_AES;
    CK_ULONG length = 16;
    CK_ECDH1_DERIVE_PARAMS params = {CKD_NULL, 0, NULL, 67, points[0]};
    CK_MECHANISM ecdh = {CKM_ECDH1_DERIVE, &params, sizeof params};
    CK_ATTRIBUTE template[] = {{CKA_SENSITIVE, &no, 1},
                               {CKA_EXTRACTABLE, &yes, 1},
                               {CKA_VALUE_LEN, &length, sizeof length},
                               {CKA_KEY_TYPE, &aes, sizeof aes}};
    CK_ATTRIBUTE no_derive = {CKA_DERIVE, &no, 1};

    for (int i = 0; i < 2; i++) {
        CK_ATTRIBUTE point = {CKA_EC_POINT, points[i], sizeof points[i]};

        ec_pair(session, &public_keys[i], &private_keys[i]);
        OK(p11->C_GetAttributeValue(session, public_keys[i], &point, 1));
        CHECK_EQ(point.ulValueLen, 67);
    }
    for (size_t k = 0; k < COUNT(kdfs); k++) {
        for (int i = 0; i < 2; i++) { /* each side uses the other's point, as an OCTET STRING and raw */
            CK_ATTRIBUTE value = {CKA_VALUE, values[i], sizeof values[i]};

            params.kdf = kdfs[k];
            params.pPublicData = i ? points[0] : points[1] + 2;
            params.ulPublicDataLen = i ? 67 : 65;
            params.pSharedData = k ? text("info") : NULL;
            params.ulSharedDataLen = k ? 4 : 0;
            OK(p11->C_DeriveKey(session, &ecdh, private_keys[i], template, 4, &secrets[i]));
            OK(p11->C_GetAttributeValue(session, secrets[i], &value, 1));
            CHECK_EQ(value.ulValueLen, 16);
        }
        CHECK(memcmp(values[0], values[1], 16) == 0);
        if (k == 0) { /* the last bytes of the whole secret */
            CK_ATTRIBUTE value = {CKA_VALUE, whole, sizeof whole};

            OK(p11->C_DeriveKey(session, &ecdh, private_keys[1], template, 2, &secrets[1]));
            OK(p11->C_GetAttributeValue(session, secrets[1], &value, 1));
            CHECK_EQ(value.ulValueLen, 32);
            CHECK(memcmp(whole + 16, values[0], 16) == 0);
        }
    }
    params = (CK_ECDH1_DERIVE_PARAMS){CKD_NULL, 0, NULL, 67, points[0]};
    EXPECT(p11->C_DeriveKey(session, &ecdh, private_keys[1], template, 4, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_DeriveKey(session, NULL, private_keys[1], template, 4, &secrets[0]), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_DeriveKey(session, &ecdh, 1, template, 4, &secrets[0]), CKR_KEY_HANDLE_INVALID);
    EXPECT(p11->C_DeriveKey(session, &ecdh, public_keys[0], template, 4, &secrets[0]), CKR_KEY_TYPE_INCONSISTENT);
    length = 33;
    EXPECT(p11->C_DeriveKey(session, &ecdh, private_keys[1], template, 3, &secrets[0]), CKR_ATTRIBUTE_VALUE_INVALID);
    length = 16;
    params.kdf = 999;
    EXPECT(p11->C_DeriveKey(session, &ecdh, private_keys[1], template, 4, &secrets[0]), CKR_MECHANISM_PARAM_INVALID);
    params.kdf = CKD_NULL;
    points[0][40] ^= 1; /* the point is not on the curve */
    EXPECT(p11->C_DeriveKey(session, &ecdh, private_keys[1], template, 4, &secrets[0]), CKR_MECHANISM_PARAM_INVALID);
    params.pPublicData = NULL;
    EXPECT(p11->C_DeriveKey(session, &ecdh, private_keys[1], template, 4, &secrets[0]), CKR_MECHANISM_PARAM_INVALID);
    OK(p11->C_SetAttributeValue(session, private_keys[1], &no_derive, 1));
    params.pPublicData = points[1];
    EXPECT(p11->C_DeriveKey(session, &ecdh, private_keys[1], template, 4, &secrets[0]), CKR_KEY_FUNCTION_NOT_PERMITTED);
}

static void check_values(void)
{
    /* AES-128 of a block of zeros under a key of zeros begins 66e94b (FIPS 197 implementations agree; GCM's H for case
     * 1) */
    CK_BYTE zeros[16] = {0};
    CK_BYTE check[3];
    CK_OBJECT_HANDLE key = secret_key(session, CKK_AES, zeros, 16);
    CK_ATTRIBUTE attribute = {CKA_CHECK_VALUE, check, sizeof check};

    OK(p11->C_GetAttributeValue(session, key, &attribute, 1));
    CHECK(check[0] == 0x66 && check[1] == 0xe9 && check[2] == 0x4b);
}

int main(void)
{
    token_start();
    session = user_session();
    generated();
    wrapped();
    mismatched_pair();
    derived();
    check_values();
    OK(p11->C_Finalize(NULL));
    return 0;
}

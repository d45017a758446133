/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: keys on other curves than P-256, whose lengths and encodings differ: signatures that others do not understand,
 * shared secrets that are cut, points that are taken for others.
 */
#include "token.h"

#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#define DATA "what is signed"
#define DATA_NBYTES 14
#define POINT_MAX_NBYTES 136

static CK_SESSION_HANDLE session;

/* Object identifiers in DER, and the name of PKCS #11 3.0 */
static CK_BYTE p384[] = {0x06, 5, 0x2b, 0x81, 0x04, 0x00, 0x22};
static CK_BYTE p521[] = {0x06, 5, 0x2b, 0x81, 0x04, 0x00, 0x23};
static CK_BYTE ed25519[] = {0x06, 3, 0x2b, 0x65, 0x70};
static CK_BYTE ed25519_name[] = {0x13, 12, 'e', 'd', 'w', 'a', 'r', 'd', 's', '2', '5', '5', '1', '9'};
static CK_BYTE ed25519_other[] = {0x06, 9, 0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x0f, 0x01};

static struct row {
    CK_BYTE *params;
    CK_ULONG params_nbytes;
    CK_KEY_TYPE key_type;
    CK_ULONG value_nbytes;
    CK_ULONG point_nbytes;
    CK_ULONG head_nbytes; /* of the OCTET STRING */
} rows[] = {
    {p256, sizeof p256, CKK_EC, 32, 65, 2},
    {p384, sizeof p384, CKK_EC, 48, 97, 2},
    {p521, sizeof p521, CKK_EC, 66, 133, 3},
    {ed25519, sizeof ed25519, CKK_EC_EDWARDS, 32, 32, 2},
    {ed25519_name, sizeof ed25519_name, CKK_EC_EDWARDS, 32, 32, 2},
    {ed25519_other, sizeof ed25519_other, CKK_EC_EDWARDS, 32, 32, 2},
};

static void generate(const struct row *row, CK_OBJECT_HANDLE *out_public, CK_OBJECT_HANDLE *out_private)
{
    CK_MECHANISM mechanism = {row->key_type == CKK_EC ? CKM_EC_KEY_PAIR_GEN : CKM_EC_EDWARDS_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE public_template[] = {{CKA_EC_PARAMS, row->params, row->params_nbytes}};
    CK_ATTRIBUTE private_template[] = {{CKA_DERIVE, &yes, 1}, {CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};

    OK(p11->C_GenerateKeyPair(session, &mechanism, public_template, 1, private_template, 3, out_public, out_private));
}

static CK_ULONG read_value(CK_OBJECT_HANDLE key, CK_ATTRIBUTE_TYPE type, CK_BYTE *out, CK_ULONG room)
{
    CK_ATTRIBUTE attribute = {type, out, room};

    OK(p11->C_GetAttributeValue(session, key, &attribute, 1));
    return attribute.ulValueLen;
}

/* Verify by libcrypto, with the key that CKA_PUBLIC_KEY_INFO describes. */
static void verify_outside(const struct row *row, CK_OBJECT_HANDLE public_key, const CK_BYTE *signature)
{
    CK_BYTE info[200];
    const unsigned char *next = info;
    CK_ULONG nbytes = read_value(public_key, CKA_PUBLIC_KEY_INFO, info, sizeof info);
    EVP_PKEY *key = d2i_PUBKEY(NULL, &next, (long)nbytes);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    ECDSA_SIG *parts = ECDSA_SIG_new();
    unsigned char *der = NULL;
    int half = (int)row->value_nbytes;
    bool is_ec = row->key_type == CKK_EC;
    int der_nbytes = 2 * half;

    CHECK(key != NULL && next == info + nbytes);
    CHECK_EQ(ECDSA_SIG_set0(parts, BN_bin2bn(signature, half, NULL), BN_bin2bn(signature + half, half, NULL)), 1);
    if (is_ec) {
        der_nbytes = i2d_ECDSA_SIG(parts, &der);
    }
    CHECK_EQ(EVP_DigestVerifyInit_ex(ctx, NULL, is_ec ? "SHA512" : NULL, NULL, NULL, key, NULL), 1);
    CHECK_EQ(EVP_DigestVerify(ctx, is_ec ? der : signature, (size_t)der_nbytes, (const CK_BYTE *)DATA, DATA_NBYTES), 1);
    OPENSSL_free(der);
    ECDSA_SIG_free(parts);
    EVP_MD_CTX_free(ctx);
    EVP_PKEY_free(key);
}

static void sign_and_verify(const struct row *row, CK_OBJECT_HANDLE public_key, CK_OBJECT_HANDLE private_key)
{
    CK_MECHANISM mechanism = {row->key_type == CKK_EC ? CKM_ECDSA_SHA512 : CKM_EDDSA, NULL, 0};
    CK_BYTE signature[132];
    CK_ULONG nbytes = sizeof signature;

    OK(p11->C_SignInit(session, &mechanism, private_key));
    OK(p11->C_Sign(session, text(DATA), DATA_NBYTES, signature, &nbytes));
    CHECK_EQ(nbytes, 2 * row->value_nbytes);
    verify_outside(row, public_key, signature);
    OK(p11->C_VerifyInit(session, &mechanism, public_key));
    OK(p11->C_Verify(session, text(DATA), DATA_NBYTES, signature, nbytes));
    OK(p11->C_VerifyInit(session, &mechanism, public_key));
    EXPECT(p11->C_Verify(session, text(DATA), DATA_NBYTES, signature, nbytes - 1), CKR_SIGNATURE_LEN_RANGE);
    signature[10] ^= 1;
    OK(p11->C_VerifyInit(session, &mechanism, public_key));
    EXPECT(p11->C_Verify(session, text(DATA), DATA_NBYTES, signature, nbytes), CKR_SIGNATURE_INVALID);
}

/* Make both keys again of the values of the first ones; the point is given raw, too. */
static void create_again(const struct row *row, CK_OBJECT_HANDLE public_key, CK_OBJECT_HANDLE private_key)
{
    CK_BYTE value[66];
    CK_BYTE point[POINT_MAX_NBYTES];
    CK_BYTE other[POINT_MAX_NBYTES];
    CK_KEY_TYPE key_type = row->key_type;
    CK_OBJECT_CLASS object_class = CKO_PRIVATE_KEY;
    CK_ULONG point_nbytes = read_value(public_key, CKA_EC_POINT, point, sizeof point);
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_KEY_TYPE, &key_type, sizeof key_type},
                               {CKA_EC_PARAMS, row->params, row->params_nbytes},
                               {CKA_VALUE, value, read_value(private_key, CKA_VALUE, value, sizeof value)}};
    CK_OBJECT_HANDLE again_public = 0;
    CK_OBJECT_HANDLE again_private = 0;

    CHECK_EQ(template[3].ulValueLen, row->value_nbytes);
    CHECK_EQ(point_nbytes, row->head_nbytes + row->point_nbytes);
    OK(p11->C_CreateObject(session, template, COUNT(template), &again_private));
    object_class = CKO_PUBLIC_KEY;
    for (int i = 0; i < 2; i++) {
        CK_ULONG skipped = i ? row->head_nbytes : 0;

        template[3] = (CK_ATTRIBUTE){CKA_EC_POINT, point + skipped, point_nbytes - skipped};
        OK(p11->C_CreateObject(session, template, COUNT(template), &again_public));
        CHECK_EQ(read_value(again_public, CKA_EC_POINT, other, sizeof other), point_nbytes);
        CHECK(memcmp(point, other, point_nbytes) == 0);
        sign_and_verify(row, again_public, again_private);
    }
    template[3].ulValueLen--;
    EXPECT(p11->C_CreateObject(session, template, COUNT(template), &again_public), CKR_ATTRIBUTE_VALUE_INVALID);
}

static void wrapped(const struct row *row, CK_OBJECT_HANDLE public_key, CK_OBJECT_HANDLE private_key)
{
    CK_MECHANISM kwp = {CKM_AES_KEY_WRAP_KWP, NULL, 0};
    CK_OBJECT_HANDLE wrapping = wrapping_key(session, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE again = 0;
    CK_OBJECT_CLASS object_class = CKO_PRIVATE_KEY;
    CK_KEY_TYPE key_type = row->key_type;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_KEY_TYPE, &key_type, sizeof key_type},
                               {CKA_SENSITIVE, &no, 1}};
    CK_BYTE out[400];
    CK_ULONG nbytes = sizeof out;

    OK(p11->C_WrapKey(session, &kwp, wrapping, private_key, out, &nbytes));
    OK(p11->C_UnwrapKey(session, &kwp, wrapping, out, nbytes, template, COUNT(template), &again));
    sign_and_verify(row, public_key, again);
    key_type = row->key_type == CKK_EC ? CKK_EC_EDWARDS : CKK_EC;
    EXPECT(p11->C_UnwrapKey(session, &kwp, wrapping, out, nbytes, template, COUNT(template), &again),
           CKR_WRAPPED_KEY_INVALID);
}

/* Both sides of ECDH get the same secret, as long as a coordinate. */
static void agree(const struct row *row)
{
    CK_OBJECT_HANDLE public_keys[2];
    CK_OBJECT_HANDLE private_keys[2];
    CK_BYTE values[2][66];

    for (int i = 0; i < 2; i++) {
        generate(row, &public_keys[i], &private_keys[i]);
    }
    for (int i = 0; i < 2; i++) {
        CK_BYTE point[POINT_MAX_NBYTES];
        CK_ULONG nbytes = read_value(public_keys[1 - i], CKA_EC_POINT, point, sizeof point);
        CK_ULONG skipped = i ? row->head_nbytes : 0;
        CK_ECDH1_DERIVE_PARAMS params = {CKD_NULL, 0, NULL, nbytes - skipped, point + skipped};
        CK_MECHANISM ecdh = {CKM_ECDH1_DERIVE, &params, sizeof params};
        CK_ATTRIBUTE template[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
        CK_OBJECT_HANDLE secret = 0;

        OK(p11->C_DeriveKey(session, &ecdh, private_keys[i], template, 2, &secret));
        CHECK_EQ(read_value(secret, CKA_VALUE, values[i], sizeof values[i]), row->value_nbytes);
    }
    CHECK(memcmp(values[0], values[1], row->value_nbytes) == 0);
}

static void misuse(void)
{
    CK_MECHANISM ec_gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_MECHANISM edwards_gen = {CKM_EC_EDWARDS_KEY_PAIR_GEN, NULL, 0};
    CK_EDDSA_PARAMS params = {CK_FALSE, 0, NULL};
    CK_MECHANISM with_context = {CKM_EDDSA, &params, sizeof params};
    CK_MECHANISM eddsa = {CKM_EDDSA, NULL, 0};
    CK_MECHANISM ecdsa = {CKM_ECDSA, NULL, 0};
    CK_BYTE secp256k1[] = {0x06, 5, 0x2b, 0x81, 0x04, 0x00, 0x0a};
    CK_ATTRIBUTE wrong[] = {{CKA_EC_PARAMS, ed25519, sizeof ed25519},
                            {CKA_EC_PARAMS, secp256k1, sizeof secp256k1},
                            {CKA_EC_PARAMS, p384, sizeof p384}};
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;
    CK_BYTE point[POINT_MAX_NBYTES];
    CK_MECHANISM_INFO info;

    for (int i = 0; i < 2; i++) {
        EXPECT(p11->C_GenerateKeyPair(session, &ec_gen, &wrong[i], 1, NULL, 0, &public_key, &private_key),
               CKR_CURVE_NOT_SUPPORTED);
        EXPECT(p11->C_GenerateKeyPair(session, &edwards_gen, &wrong[1 + i], 1, NULL, 0, &public_key, &private_key),
               CKR_CURVE_NOT_SUPPORTED);
    }
    EXPECT(p11->C_GenerateKeyPair(session, &edwards_gen, NULL, 0, NULL, 0, &public_key, &private_key),
           CKR_TEMPLATE_INCOMPLETE);
    generate(&rows[3], &public_key, &private_key);
    EXPECT(p11->C_SignInit(session, &with_context, private_key), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_SignInit(session, &ecdsa, private_key), CKR_KEY_TYPE_INCONSISTENT);
    OK(p11->C_SignInit(session, &eddsa, private_key));
    EXPECT(p11->C_SignUpdate(session, text(DATA), DATA_NBYTES), CKR_FUNCTION_NOT_SUPPORTED);
    generate(&rows[1], &public_key, &private_key); /* a point of another curve */
    {
        CK_ECDH1_DERIVE_PARAMS peer = {CKD_NULL, 0, NULL, read_value(public_key, CKA_EC_POINT, point, sizeof point),
                                       point};
        CK_MECHANISM ecdh = {CKM_ECDH1_DERIVE, &peer, sizeof peer};
        CK_OBJECT_HANDLE secret = 0;

        generate(&rows[2], &public_key, &private_key);
        EXPECT(p11->C_DeriveKey(session, &ecdh, private_key, NULL, 0, &secret), CKR_MECHANISM_PARAM_INVALID);
    }
    OK(p11->C_GetMechanismInfo(0, CKM_EDDSA, &info));
    CHECK(info.ulMinKeySize == 255 && info.ulMaxKeySize == 255);
    OK(p11->C_GetMechanismInfo(0, CKM_ECDSA, &info));
    CHECK(info.ulMinKeySize == 256 && info.ulMaxKeySize == 521);
}

int main(void)
{
    token_start();
    session = user_session();
    for (size_t i = 0; i < COUNT(rows); i++) {
        CK_OBJECT_HANDLE public_key = 0;
        CK_OBJECT_HANDLE private_key = 0;

        generate(&rows[i], &public_key, &private_key);
        sign_and_verify(&rows[i], public_key, private_key);
        create_again(&rows[i], public_key, private_key);
        wrapped(&rows[i], public_key, private_key);
        if (rows[i].key_type == CKK_EC) {
            agree(&rows[i]);
        }
    }
    misuse();
    OK(p11->C_Finalize(NULL));
    return 0;
}

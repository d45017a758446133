/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: RSA keys that are imported though their parts do not belong together, that wrap or unwrap wrongly, that are used
 * without the PIN that they ask for, or that a store does not give back.
 */
#include "rsa.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>

#include "store_files.h"

#define PARTS 8

static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE public_key;  /* wraps */
static CK_OBJECT_HANDLE private_key; /* unwraps */
static CK_BYTE numbers[PARTS][RSA_NBYTES + 1];
static CK_OBJECT_CLASS private_class = CKO_PRIVATE_KEY;
static CK_KEY_TYPE rsa = CKK_RSA;
static CK_ATTRIBUTE parts[PARTS + 4] = {
    {CKA_MODULUS, numbers[0], 0},
    {CKA_PUBLIC_EXPONENT, numbers[1], 0},
    {CKA_PRIVATE_EXPONENT, numbers[2], 0},
    {CKA_PRIME_1, numbers[3], 0},
    {CKA_PRIME_2, numbers[4], 0},
    {CKA_EXPONENT_1, numbers[5], 0},
    {CKA_EXPONENT_2, numbers[6], 0},
    {CKA_COEFFICIENT, numbers[7], 0},
    {CKA_CLASS, &private_class, sizeof private_class},
    {CKA_KEY_TYPE, &rsa, sizeof rsa},
    {CKA_SENSITIVE, &no, 1},
    {CKA_EXTRACTABLE, &yes, 1},
};

static CK_RV sign(CK_OBJECT_HANDLE key)
{
    CK_MECHANISM mechanism = {CKM_SHA256_RSA_PKCS, NULL, 0};
    CK_BYTE signature[RSA_NBYTES];
    CK_ULONG nbytes = sizeof signature;
    CK_RV rv = p11->C_SignInit(session, &mechanism, key);

    return rv == CKR_OK ? p11->C_Sign(session, text("abc"), 3, signature, &nbytes) : rv;
}

/* Make the numbers of a key outside of the token. */
static void make_parts(void)
{
    static const char *const names[PARTS] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                             OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                             OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                             OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048);

    CHECK(key != NULL);
    for (int i = 0; i < PARTS; i++) {
        BIGNUM *number = NULL;

        CHECK_EQ(EVP_PKEY_get_bn_param(key, names[i], &number), 1);
        parts[i].ulValueLen = (CK_ULONG)BN_bn2bin(number, numbers[i]);
        BN_free(number);
    }
    EVP_PKEY_free(key);
}

static void created(void)
{
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE read = {CKA_MODULUS, NULL, 0};
    CK_ATTRIBUTE fewer[PARTS + 4];

    OK(p11->C_CreateObject(session, parts, COUNT(parts), &key));
    OK(sign(key));
    memmove(numbers[0] + 1, numbers[0], RSA_NBYTES); /* a leading zero is removed */
    numbers[0][0] = 0;
    parts[0].ulValueLen++;
    OK(p11->C_CreateObject(session, parts, COUNT(parts), &key));
    OK(p11->C_GetAttributeValue(session, key, &read, 1));
    CHECK_EQ(read.ulValueLen, RSA_NBYTES);
    for (int i = 0; i < PARTS; i++) { /* a wrong number is noticed, and a missing one */
        CK_ULONG nbytes = parts[i].ulValueLen;
        CK_ULONG count = 0;

        numbers[i][nbytes - 1] ^= 2;
        EXPECT(p11->C_CreateObject(session, parts, COUNT(parts), &key), CKR_ATTRIBUTE_VALUE_INVALID);
        numbers[i][nbytes - 1] ^= 2;
        parts[i].ulValueLen = 0;
        EXPECT(p11->C_CreateObject(session, parts, COUNT(parts), &key), CKR_ATTRIBUTE_VALUE_INVALID);
        parts[i].ulValueLen = nbytes;
        for (size_t j = 0; j < COUNT(parts); j++) {
            fewer[count] = parts[j];
            count += j != (size_t)i ? 1 : 0;
        }
        EXPECT(p11->C_CreateObject(session, fewer, count, &key), CKR_TEMPLATE_INCOMPLETE);
    }
}

static void small_public(void)
{
    CK_OBJECT_CLASS public_class = CKO_PUBLIC_KEY;
    CK_BYTE modulus[128];
    CK_BYTE exponent[] = {1, 0, 1};
    CK_ULONG bits = 1024;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &public_class, sizeof public_class},
                               {CKA_KEY_TYPE, &rsa, sizeof rsa},
                               {CKA_MODULUS, modulus, sizeof modulus},
                               {CKA_PUBLIC_EXPONENT, exponent, sizeof exponent},
                               {CKA_MODULUS_BITS, &bits, sizeof bits}};
    CK_OBJECT_HANDLE key = 0;

    memset(modulus, 0xff, sizeof modulus);
    EXPECT(p11->C_CreateObject(session, template, 4, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(p11->C_CreateObject(session, template, 5, &key), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(p11->C_CreateObject(session, template, 3, &key), CKR_TEMPLATE_INCOMPLETE);
}

/* ---- wrapping
 * -------------------------------------------------------------------------------------------------------- */

static CK_RV unwrap(CK_MECHANISM *mechanism, CK_OBJECT_HANDLE with, CK_BYTE *wrapped, CK_ULONG nbytes,
                    CK_OBJECT_CLASS object_class, CK_KEY_TYPE key_type, CK_OBJECT_HANDLE *out)
{
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_KEY_TYPE, &key_type, sizeof key_type},
                               {CKA_SENSITIVE, &no, 1},
                               {CKA_EXTRACTABLE, &yes, 1}};

    return p11->C_UnwrapKey(session, mechanism, with, wrapped, nbytes, template, COUNT(template), out);
}

/* RSA wraps a secret key. */
static void wraps(void)
{
    CK_RSA_PKCS_OAEP_PARAMS oaep = {CKM_SHA_1, CKG_MGF1_SHA1, CKZ_DATA_SPECIFIED, NULL, 0};
    CK_MECHANISM rows[] = {{CKM_RSA_PKCS_OAEP, &oaep, sizeof oaep}, {CKM_RSA_PKCS, NULL, 0}};
    CK_MECHANISM raw = {CKM_RSA_X_509, NULL, 0};
    CK_BYTE wrapped[RSA_NBYTES];
    CK_BYTE value[16];
    CK_BYTE large[RSA_NBYTES] = {1};
    CK_OBJECT_HANDLE target = secret_key(session, CKK_AES, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE too_large = secret_key(session, CKK_GENERIC_SECRET, large, RSA_NBYTES - 10);
    CK_OBJECT_HANDLE again = 0;

    for (size_t i = 0; i < COUNT(rows); i++) {
        CK_ATTRIBUTE read = {CKA_VALUE, value, sizeof value};
        CK_ULONG nbytes = 0;

        OK(p11->C_WrapKey(session, &rows[i], public_key, target, NULL, &nbytes));
        CHECK_EQ(nbytes, RSA_NBYTES);
        OK(p11->C_WrapKey(session, &rows[i], public_key, target, wrapped, &nbytes));
        OK(unwrap(&rows[i], private_key, wrapped, nbytes, CKO_SECRET_KEY, CKK_AES, &again));
        OK(p11->C_GetAttributeValue(session, again, &read, 1));
        CHECK(memcmp(value, "0123456789abcdef", 16) == 0);
        EXPECT(unwrap(&rows[i], private_key, wrapped, nbytes - 1, CKO_SECRET_KEY, CKK_AES, &again),
               CKR_WRAPPED_KEY_LEN_RANGE);
        EXPECT(unwrap(&rows[i], private_key, wrapped, nbytes, CKO_PRIVATE_KEY, CKK_RSA, &again),
               CKR_WRAPPED_KEY_INVALID);
        EXPECT(unwrap(&rows[i], public_key, wrapped, nbytes, CKO_SECRET_KEY, CKK_AES, &again),
               CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT);
        EXPECT(p11->C_WrapKey(session, &rows[i], private_key, target, wrapped, &nbytes),
               CKR_WRAPPING_KEY_TYPE_INCONSISTENT);
        EXPECT(p11->C_WrapKey(session, &rows[i], public_key, too_large, wrapped, &nbytes), CKR_KEY_SIZE_RANGE);
        EXPECT(p11->C_WrapKey(session, &rows[i], public_key, private_key, wrapped, &nbytes), CKR_KEY_NOT_WRAPPABLE);
        EXPECT(p11->C_WrapKey(session, &raw, public_key, target, wrapped, &nbytes), CKR_MECHANISM_INVALID);
    }
    OK(p11->C_WrapKey(session, &rows[0], public_key, target, wrapped, &(CK_ULONG){sizeof wrapped}));
    wrapped[20] ^= 1;
    EXPECT(unwrap(&rows[0], private_key, wrapped, sizeof wrapped, CKO_SECRET_KEY, CKK_AES, &again),
           CKR_WRAPPED_KEY_INVALID);
}

/* AES wraps an RSA key, as PKCS #8. */
static void is_wrapped(void)
{
    CK_MECHANISM kwp = {CKM_AES_KEY_WRAP_KWP, NULL, 0};
    CK_OBJECT_HANDLE wrapping = wrapping_key(session, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE again = 0;
    CK_BYTE wrapped[2000];
    CK_BYTE value[2][RSA_NBYTES];
    CK_ATTRIBUTE read[] = {{CKA_COEFFICIENT, value[0], RSA_NBYTES}, {CKA_COEFFICIENT, value[1], RSA_NBYTES}};
    CK_ULONG nbytes = sizeof wrapped;

    OK(p11->C_CreateObject(session, parts, COUNT(parts), &key));
    OK(p11->C_WrapKey(session, &kwp, wrapping, key, wrapped, &nbytes));
    OK(unwrap(&kwp, wrapping, wrapped, nbytes, CKO_PRIVATE_KEY, CKK_RSA, &again));
    OK(sign(again));
    OK(p11->C_GetAttributeValue(session, key, &read[0], 1));
    OK(p11->C_GetAttributeValue(session, again, &read[1], 1));
    CHECK(read[0].ulValueLen == read[1].ulValueLen && memcmp(value[0], value[1], read[0].ulValueLen) == 0);
    EXPECT(unwrap(&kwp, wrapping, wrapped, nbytes, CKO_PRIVATE_KEY, CKK_EC, &again), CKR_WRAPPED_KEY_INVALID);
    EXPECT(unwrap(&kwp, wrapping, wrapped, nbytes, CKO_PRIVATE_KEY, CKK_EC_EDWARDS, &again), CKR_WRAPPED_KEY_INVALID);
}

/* ---- others
 * ---------------------------------------------------------------------------------------------------------- */

/* A key that asks for the PIN before each decryption. */
static void asks_for_pin(void)
{
    CK_MECHANISM mechanism = {CKM_RSA_X_509, NULL, 0};
    CK_ATTRIBUTE flags[PARTS + 5];
    CK_OBJECT_HANDLE key = 0;
    CK_BYTE sealed[RSA_NBYTES] = {0};
    CK_BYTE plain[RSA_NBYTES];
    CK_ULONG nbytes = sizeof plain;

    for (size_t i = 0; i < COUNT(parts); i++) {
        flags[i] = parts[i];
    }
    flags[COUNT(parts)] = (CK_ATTRIBUTE){CKA_ALWAYS_AUTHENTICATE, &yes, 1};
    OK(p11->C_CreateObject(session, flags, COUNT(flags), &key));
    sealed[RSA_NBYTES - 1] = 5;
    OK(p11->C_DecryptInit(session, &mechanism, key));
    EXPECT(p11->C_Decrypt(session, sealed, sizeof sealed, plain, &nbytes), CKR_USER_NOT_LOGGED_IN);
    OK(p11->C_DecryptInit(session, &mechanism, key));
    OK(p11->C_Login(session, CKU_CONTEXT_SPECIFIC, text(USER_PIN), 8));
    OK(p11->C_Decrypt(session, sealed, sizeof sealed, plain, &nbytes));
    EXPECT(p11->C_Login(session, CKU_CONTEXT_SPECIFIC, text(USER_PIN), 8), CKR_OPERATION_NOT_INITIALIZED);
}

static void stored(void)
{
    CK_ATTRIBUTE by_class = {CKA_CLASS, &private_class, sizeof private_class};
    CK_ATTRIBUTE on_token[PARTS + 5];
    CK_OBJECT_HANDLE key = 0;
    CK_ULONG count = 0;

    for (size_t i = 0; i < COUNT(parts); i++) {
        on_token[i] = parts[i];
    }
    on_token[COUNT(parts)] = (CK_ATTRIBUTE){CKA_TOKEN, &yes, 1};
    OK(p11->C_CreateObject(session, on_token, COUNT(on_token), &key));
    OK(p11->C_Finalize(NULL));
    OK(p11->C_Initialize(NULL));
    session = user_session();
    OK(p11->C_FindObjectsInit(session, &by_class, 1));
    OK(p11->C_FindObjects(session, &key, 1, &count));
    OK(p11->C_FindObjectsFinal(session));
    CHECK_EQ(count, 1);
    OK(sign(key));
}

int main(void)
{
    CK_ATTRIBUTE wrap = {CKA_WRAP, &yes, 1};
    CK_ATTRIBUTE unwraps[] = {{CKA_UNWRAP, &yes, 1}, {CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};

    store_create();
    token_start();
    session = user_session();
    OK(rsa_pair_with(session, &wrap, 1, unwraps, 3, &public_key, &private_key));
    make_parts();
    created();
    small_public();
    wraps();
    is_wrapped();
    asks_for_pin();
    stored();
    OK(p11->C_Finalize(NULL));
    store_destroy();
    return 0;
}

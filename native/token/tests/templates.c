/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: an invalid template that is accepted, that makes an object nevertheless, or that gives a wrong return value.
 */
#include "token.h"

static CK_SESSION_HANDLE session;
static CK_OBJECT_CLASS data_class = CKO_DATA;
static CK_OBJECT_CLASS secret_class = CKO_SECRET_KEY;
static CK_OBJECT_CLASS private_class = CKO_PRIVATE_KEY;
static CK_OBJECT_CLASS public_class = CKO_PUBLIC_KEY;
static CK_KEY_TYPE aes = CKK_AES;
static CK_KEY_TYPE ec = CKK_EC;
static CK_BYTE value[32] = {1};

#define CLASS(which) {CKA_CLASS, &which, sizeof which}
#define KEY_TYPE(which) {CKA_KEY_TYPE, &which, sizeof which}
#define VALUE(nbytes) {CKA_VALUE, value, nbytes}

/* Call C_CreateObject with a template of up to six attributes. */
#define CREATE(rv, ...) \
    do { \
        CK_ATTRIBUTE create_template[] = {__VA_ARGS__}; \
        CK_OBJECT_HANDLE create_handle = 0; \
        EXPECT(p11->C_CreateObject(session, create_template, COUNT(create_template), &create_handle), rv); \
        if (create_handle != 0) { \
            OK(p11->C_DestroyObject(session, create_handle)); \
        } \
    } while (0)

static void creation(void)
{
    CK_OBJECT_CLASS strange_class = 0x1234;
    CK_KEY_TYPE strange_type = CKK_DES;
    CK_BYTE two = 2;
    CK_BYTE secp256k1[] = {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a};
    CK_BYTE point[65] = {4};
    CK_BYTE check[3] = {0};
    CK_ULONG length = 16;
    CK_ATTRIBUTE one = CLASS(data_class);
    CK_OBJECT_HANDLE handle = 0;

    CREATE(CKR_OK, CLASS(data_class));
    CREATE(CKR_OK, CLASS(secret_class), KEY_TYPE(aes), VALUE(16));
    CREATE(CKR_TEMPLATE_INCOMPLETE, VALUE(16));
    CREATE(CKR_TEMPLATE_INCOMPLETE, CLASS(secret_class), VALUE(16));
    CREATE(CKR_TEMPLATE_INCOMPLETE, CLASS(secret_class), KEY_TYPE(aes));
    CREATE(CKR_TEMPLATE_INCOMPLETE, CLASS(private_class), KEY_TYPE(ec), VALUE(32));
    CREATE(CKR_TEMPLATE_INCOMPLETE, CLASS(public_class), KEY_TYPE(ec), {CKA_EC_PARAMS, p256, sizeof p256});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(strange_class));
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), KEY_TYPE(strange_type), VALUE(8));
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, {CKA_CLASS, &data_class, 3}); /* a CK_ULONG of three bytes */
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), {CKA_KEY_TYPE, &aes, 4}, VALUE(16));
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(data_class), {CKA_TOKEN, value, 2});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(data_class), {CKA_TOKEN, &two, 1});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(data_class), {CKA_TOKEN, NULL, 0});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(data_class), {CKA_LABEL, NULL, 5});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(data_class), {CKA_LABEL, value, ~0UL});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(data_class), {CKA_LABEL, value, ~0UL / 2});
    CREATE(CKR_OK, CLASS(data_class), {CKA_LABEL, NULL, 0});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), KEY_TYPE(aes), VALUE(17));
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), KEY_TYPE(aes), VALUE(0));
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), KEY_TYPE(aes), VALUE(16), {CKA_CHECK_VALUE, check, 3});
    CREATE(CKR_OK, CLASS(secret_class), KEY_TYPE(aes), VALUE(16), {CKA_CHECK_VALUE, NULL, 0});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), KEY_TYPE(aes), VALUE(16),
           {CKA_START_DATE, text("2026"), 4});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), KEY_TYPE(aes), VALUE(16),
           {CKA_END_DATE, text("20261301"), 8});
    CREATE(CKR_OK, CLASS(secret_class), KEY_TYPE(aes), VALUE(16), {CKA_START_DATE, text("20261231"), 8},
           {CKA_END_DATE, NULL, 0});
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(secret_class), KEY_TYPE(aes), VALUE(16),
           {CKA_ALLOWED_MECHANISMS, value, 7});
    CREATE(CKR_TEMPLATE_INCONSISTENT, CLASS(data_class), CLASS(data_class));
    CREATE(CKR_TEMPLATE_INCONSISTENT, CLASS(data_class), {CKA_ENCRYPT, &yes, 1});
    CREATE(CKR_TEMPLATE_INCONSISTENT, CLASS(secret_class), KEY_TYPE(aes), VALUE(16),
           {CKA_VALUE_LEN, &length, sizeof length});
    CREATE(CKR_ATTRIBUTE_TYPE_INVALID, CLASS(data_class), {0x7fff1234, value, 4});
    CREATE(CKR_ATTRIBUTE_READ_ONLY, CLASS(data_class), {CKA_UNIQUE_ID, value, 4});
    CREATE(CKR_ATTRIBUTE_READ_ONLY, CLASS(secret_class), KEY_TYPE(aes), VALUE(16), {CKA_LOCAL, &no, 1});
    CREATE(CKR_ATTRIBUTE_READ_ONLY, CLASS(secret_class), KEY_TYPE(aes), VALUE(16), {CKA_ALWAYS_SENSITIVE, &no, 1});
    CREATE(CKR_ATTRIBUTE_READ_ONLY, CLASS(secret_class), KEY_TYPE(aes), VALUE(16), {CKA_TRUSTED, &yes, 1});
    CREATE(CKR_CURVE_NOT_SUPPORTED, CLASS(private_class), KEY_TYPE(ec), {CKA_EC_PARAMS, secp256k1, sizeof secp256k1},
           VALUE(32));
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(private_class), KEY_TYPE(ec), {CKA_EC_PARAMS, secp256k1, 5}, VALUE(32));
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(public_class), KEY_TYPE(ec), {CKA_EC_PARAMS, p256, sizeof p256},
           {CKA_EC_POINT, point, sizeof point}); /* not on the curve */
    CREATE(CKR_TEMPLATE_INCONSISTENT, CLASS(private_class), KEY_TYPE(ec), {CKA_EC_PARAMS, p256, sizeof p256}, VALUE(32),
           {CKA_PRIVATE, &no, 1}, {CKA_ALWAYS_AUTHENTICATE, &yes, 1});
    memset(value, 0xff, sizeof value); /* above the order of the group */
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(private_class), KEY_TYPE(ec), {CKA_EC_PARAMS, p256, sizeof p256},
           VALUE(32));
    memset(value, 0, sizeof value);
    CREATE(CKR_ATTRIBUTE_VALUE_INVALID, CLASS(private_class), KEY_TYPE(ec), {CKA_EC_PARAMS, p256, sizeof p256},
           VALUE(32));
    value[31] = 1;
    EXPECT(p11->C_CreateObject(session, NULL, 1, &handle), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_CreateObject(session, &one, 1, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_CreateObject(session, &one, ~0UL, &handle), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(p11->C_CreateObject(1, &one, 1, &handle), CKR_SESSION_HANDLE_INVALID);
}

static void generation(void)
{
    CK_MECHANISM gen = {CKM_AES_KEY_GEN, NULL, 0};
    CK_MECHANISM with_parameter = {CKM_AES_KEY_GEN, value, 4};
    CK_MECHANISM wrong = {CKM_SHA256, NULL, 0};
    CK_MECHANISM pair = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ULONG length = 16;
    CK_ULONG odd = 17;
    CK_ATTRIBUTE right = {CKA_VALUE_LEN, &length, sizeof length};
    CK_ATTRIBUTE bad[] = {{CKA_VALUE_LEN, &odd, sizeof odd}};
    CK_ATTRIBUTE with_value[] = {{CKA_VALUE_LEN, &length, sizeof length}, VALUE(16)};
    CK_ATTRIBUTE other_class[] = {{CKA_VALUE_LEN, &length, sizeof length}, CLASS(data_class)};
    CK_ATTRIBUTE other_type[] = {{CKA_VALUE_LEN, &length, sizeof length}, KEY_TYPE(ec)};
    CK_ATTRIBUTE params[] = {{CKA_EC_PARAMS, p256, sizeof p256}};
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE other = 0;

    OK(p11->C_GenerateKey(session, &gen, &right, 1, &key));
    EXPECT(p11->C_GenerateKey(session, &gen, NULL, 0, &key), CKR_TEMPLATE_INCOMPLETE);
    EXPECT(p11->C_GenerateKey(session, &gen, NULL, 1, &key), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_GenerateKey(session, &gen, &right, 1, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_GenerateKey(session, NULL, &right, 1, &key), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_GenerateKey(session, &with_parameter, &right, 1, &key), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_GenerateKey(session, &wrong, &right, 1, &key), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_GenerateKey(session, &gen, bad, 1, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(p11->C_GenerateKey(session, &gen, with_value, 2, &key), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(p11->C_GenerateKey(session, &gen, other_class, 2, &key), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(p11->C_GenerateKey(session, &gen, other_type, 2, &key), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(p11->C_GenerateKeyPair(session, &pair, NULL, 0, NULL, 0, &key, &other), CKR_TEMPLATE_INCOMPLETE);
    EXPECT(p11->C_GenerateKeyPair(session, &pair, params, 1, params, 1, &key, &other), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(p11->C_GenerateKeyPair(session, &pair, params, 1, NULL, 0, NULL, &other), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_GenerateKeyPair(session, &gen, params, 1, NULL, 0, &key, &other), CKR_MECHANISM_INVALID);
}

static void access_rules(void)
{
    CK_SESSION_HANDLE reader = 0;
    CK_OBJECT_HANDLE handle = 0;
    CK_ATTRIBUTE on_token[] = {CLASS(data_class), {CKA_TOKEN, &yes, 1}};
    CK_ATTRIBUTE in_private[] = {CLASS(data_class), {CKA_PRIVATE, &yes, 1}};

    OK(p11->C_OpenSession(0, RO, NULL, NULL, &reader));
    EXPECT(p11->C_CreateObject(reader, on_token, 2, &handle), CKR_SESSION_READ_ONLY);
    OK(p11->C_CreateObject(reader, in_private, 2, &handle));
    OK(p11->C_Logout(session));
    EXPECT(p11->C_CreateObject(reader, in_private, 2, &handle), CKR_USER_NOT_LOGGED_IN);
    OK(p11->C_CloseSession(reader));
    OK(p11->C_Login(session, CKU_SO, text(SO_PIN), strlen(SO_PIN)));
    EXPECT(p11->C_CreateObject(session, in_private, 2, &handle), CKR_USER_NOT_LOGGED_IN);
    CREATE(CKR_OK, CLASS(secret_class), KEY_TYPE(aes), VALUE(16), {CKA_PRIVATE, &no, 1}, {CKA_TRUSTED, &yes, 1});
    OK(p11->C_Logout(session));
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)));
}

int main(void)
{
    token_start();
    session = user_session();
    creation();
    generation();
    access_rules();
    OK(p11->C_Finalize(NULL));
    return 0;
}

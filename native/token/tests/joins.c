/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: keys that are joined wrongly of others and data, or become less guarded by that.
 */
#include "token.h"

static CK_SESSION_HANDLE session;
static CK_BYTE data[] = "0123456789abcdef0123";

#define BASE "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define BASE_NBYTES 26

/* Make a key with these bytes that may be joined. */
static CK_OBJECT_HANDLE base_key(const char *value, CK_ULONG nbytes, CK_BBOOL *sensitive, CK_BBOOL *extractable)
{
    CK_OBJECT_CLASS object_class = CKO_SECRET_KEY;
    CK_KEY_TYPE key_type = CKK_GENERIC_SECRET;
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_KEY_TYPE, &key_type, sizeof key_type},
                               {CKA_VALUE, text(value), nbytes},
                               {CKA_SENSITIVE, sensitive, 1},
                               {CKA_EXTRACTABLE, extractable, 1},
                               {CKA_DERIVE, &yes, 1}};

    OK(p11->C_CreateObject(session, template, COUNT(template), &key));
    return key;
}

/* Derive a key of `nbytes`, or of all if that is 0, and check its value. */
static void check_value(CK_MECHANISM *mechanism, CK_OBJECT_HANDLE base, CK_ULONG nbytes, const char *expected)
{
    CK_BYTE value[100];
    CK_ATTRIBUTE read = {CKA_VALUE, value, sizeof value};
    CK_ATTRIBUTE template[] = {
        {CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}, {CKA_VALUE_LEN, &nbytes, sizeof nbytes}};
    CK_OBJECT_HANDLE key = 0;

    OK(p11->C_DeriveKey(session, mechanism, base, template, nbytes > 0 ? 3 : 2, &key));
    OK(p11->C_GetAttributeValue(session, key, &read, 1));
    CHECK_EQ(read.ulValueLen, nbytes > 0 ? nbytes : strlen(expected));
    CHECK(memcmp(value, expected, read.ulValueLen) == 0);
}

static void values(void)
{
    CK_KEY_DERIVATION_STRING_DATA params = {data, 4};
    CK_OBJECT_HANDLE base = base_key(BASE, BASE_NBYTES, &no, &yes);
    CK_OBJECT_HANDLE other = base_key("zyxwv", 5, &no, &yes);
    CK_MECHANISM base_data = {CKM_CONCATENATE_BASE_AND_DATA, &params, sizeof params};
    CK_MECHANISM data_base = {CKM_CONCATENATE_DATA_AND_BASE, &params, sizeof params};
    CK_MECHANISM base_key_both = {CKM_CONCATENATE_BASE_AND_KEY, &other, sizeof other};
    CK_MECHANISM exclusive = {CKM_XOR_BASE_AND_DATA, &params, sizeof params};

    check_value(&base_data, base, 0, BASE "0123");
    check_value(&base_data, base, 10, BASE);
    check_value(&data_base, base, 0, "0123" BASE);
    check_value(&data_base, base, 6, "0123AB");
    check_value(&base_key_both, base, 0, BASE "zyxwv");
    check_value(&base_key_both, base, 28, BASE "zy");
    check_value(&exclusive, base, 0, "qsqw"); /* A^0 B^1 C^2 D^3 */
    check_value(&exclusive, base, 2, "qs");
    params = (CK_KEY_DERIVATION_STRING_DATA){NULL, 0};
    check_value(&base_data, base, 0, BASE);
    check_value(&data_base, base, 0, BASE);
}

static void misuse(void)
{
    CK_KEY_DERIVATION_STRING_DATA params = {data, 4};
    CK_MECHANISM mechanism = {CKM_XOR_BASE_AND_DATA, &params, sizeof params};
    CK_OBJECT_HANDLE base = base_key(BASE, BASE_NBYTES, &no, &yes);
    CK_OBJECT_HANDLE no_base = secret_key(session, CKK_GENERIC_SECRET, BASE, BASE_NBYTES);
    CK_OBJECT_HANDLE missing = 1;
    CK_OBJECT_HANDLE key = 0;
    CK_ULONG nbytes = 5;
    CK_KEY_TYPE aes = CKK_AES;
    CK_ATTRIBUTE length = {CKA_VALUE_LEN, &nbytes, sizeof nbytes};
    CK_ATTRIBUTE type = {CKA_KEY_TYPE, &aes, sizeof aes};

    EXPECT(p11->C_DeriveKey(session, &mechanism, base, &length, 1, &key), CKR_KEY_SIZE_RANGE);
    EXPECT(p11->C_DeriveKey(session, &mechanism, base, &type, 1, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(p11->C_DeriveKey(session, &mechanism, no_base, NULL, 0, &key), CKR_KEY_FUNCTION_NOT_PERMITTED);
    EXPECT(p11->C_DeriveKey(session, &mechanism, missing, NULL, 0, &key), CKR_KEY_HANDLE_INVALID);
    params.ulLen = 0;
    EXPECT(p11->C_DeriveKey(session, &mechanism, base, NULL, 0, &key), CKR_KEY_SIZE_RANGE);
    params = (CK_KEY_DERIVATION_STRING_DATA){NULL, 4};
    EXPECT(p11->C_DeriveKey(session, &mechanism, base, NULL, 0, &key), CKR_MECHANISM_PARAM_INVALID);
    params = (CK_KEY_DERIVATION_STRING_DATA){data, (CK_ULONG)-1};
    EXPECT(p11->C_DeriveKey(session, &mechanism, base, NULL, 0, &key), CKR_MECHANISM_PARAM_INVALID);
    mechanism = (CK_MECHANISM){CKM_XOR_BASE_AND_DATA, NULL, 0};
    EXPECT(p11->C_DeriveKey(session, &mechanism, base, NULL, 0, &key), CKR_MECHANISM_PARAM_INVALID);
    mechanism = (CK_MECHANISM){CKM_CONCATENATE_BASE_AND_KEY, &missing, sizeof missing};
    EXPECT(p11->C_DeriveKey(session, &mechanism, base, NULL, 0, &key), CKR_KEY_HANDLE_INVALID);
    mechanism.pParameter = &no_base; /* the other key must allow it too */
    EXPECT(p11->C_DeriveKey(session, &mechanism, base, NULL, 0, &key), CKR_KEY_FUNCTION_NOT_PERMITTED);
}

static bool is_set(CK_OBJECT_HANDLE key, CK_ATTRIBUTE_TYPE type)
{
    CK_BBOOL value = CK_FALSE;
    CK_ATTRIBUTE attribute = {type, &value, sizeof value};

    OK(p11->C_GetAttributeValue(session, key, &attribute, 1));
    return value;
}

/* What was made of a guarded key is guarded: the standard says so, under both policies. */
static void guarded(void)
{
    CK_OBJECT_HANDLE open = base_key(BASE, BASE_NBYTES, &no, &yes);
    CK_OBJECT_HANDLE sensitive = base_key(BASE, BASE_NBYTES, &yes, &yes);
    CK_OBJECT_HANDLE kept = base_key(BASE, BASE_NBYTES, &no, &no);
    CK_OBJECT_HANDLE bases[][2] = {{open, sensitive}, {sensitive, open}, {open, kept}, {kept, open}};
    CK_ATTRIBUTE free[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_MECHANISM_TYPE generic = CKM_GENERIC_SECRET_KEY_GEN;
    CK_MECHANISM generate = {generic, NULL, 0};
    CK_ULONG nbytes = 16;
    CK_ATTRIBUTE born[] = {{CKA_VALUE_LEN, &nbytes, sizeof nbytes}, {CKA_DERIVE, &yes, 1}};
    CK_OBJECT_HANDLE hidden[2];
    CK_OBJECT_HANDLE key = 0;
    CK_MECHANISM mechanism = {CKM_CONCATENATE_BASE_AND_KEY, NULL, sizeof(CK_OBJECT_HANDLE)};

    for (size_t i = 0; i < COUNT(bases); i++) {
        mechanism.pParameter = &bases[i][1];
        EXPECT(p11->C_DeriveKey(session, &mechanism, bases[i][0], free, 2, &key), CKR_TEMPLATE_INCONSISTENT);
        OK(p11->C_DeriveKey(session, &mechanism, bases[i][0], NULL, 0, &key));
        CHECK(is_set(key, CKA_SENSITIVE) && !is_set(key, CKA_ALWAYS_SENSITIVE));
        CHECK(!is_set(key, CKA_EXTRACTABLE) && !is_set(key, CKA_NEVER_EXTRACTABLE) && !is_set(key, CKA_LOCAL));
    }
    for (int i = 0; i < 2; i++) {
        OK(p11->C_GenerateKey(session, &generate, born, 2, &hidden[i]));
    }
    mechanism.pParameter = &hidden[1];
    OK(p11->C_DeriveKey(session, &mechanism, hidden[0], NULL, 0, &key));
    CHECK(is_set(key, CKA_ALWAYS_SENSITIVE) && is_set(key, CKA_NEVER_EXTRACTABLE) && !is_set(key, CKA_LOCAL));
}

int main(void)
{
    static const char *const policies[] = {"safe", "standard"};

    CHECK_EQ(setenv("CSIDE_TOKEN_PRESET", "test:" SO_PIN ":" USER_PIN, 1), 0);
    token_load();
    for (size_t i = 0; i < COUNT(policies); i++) {
        CHECK_EQ(setenv("CSIDE_TOKEN_POLICY", policies[i], 1), 0);
        OK(p11->C_Initialize(NULL));
        session = user_session();
        values();
        misuse();
        guarded();
        OK(p11->C_Finalize(NULL));
    }
    return 0;
}

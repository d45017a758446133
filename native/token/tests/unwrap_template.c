/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a CKA_UNWRAP_TEMPLATE that is read or stored wrongly, that does not apply, or that a template overrules.
 */
#include "store_files.h"

static CK_SESSION_HANDLE session;
static CK_OBJECT_CLASS secret_class = CKO_SECRET_KEY;
static CK_KEY_TYPE aes = CKK_AES;
static CK_ULONG length = 32;
static CK_MECHANISM_TYPE allowed[] = {CKM_AES_KEY_WRAP_KWP, CKM_AES_KEY_WRAP};
static CK_MECHANISM gen = {CKM_AES_KEY_GEN, NULL, 0};
static CK_MECHANISM kwp = {CKM_AES_KEY_WRAP_KWP, NULL, 0};

/* What the key of these tests gives to the keys that it unwraps. */
static CK_ATTRIBUTE rules[] = {{CKA_UNWRAP, &yes, 1},
                               {CKA_LABEL, (void *)"an unwrapped key that unwraps", 29},
                               {CKA_KEY_TYPE, &aes, sizeof aes},
                               {CKA_ID, NULL, 0},
                               {CKA_ALLOWED_MECHANISMS, allowed, sizeof allowed}};

static CK_RV generate(CK_ATTRIBUTE *inner, CK_ULONG nbytes, CK_OBJECT_HANDLE *out)
{
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &length, sizeof length},
                               {CKA_TOKEN, &yes, 1},
                               {CKA_WRAP, &yes, 1},
                               {CKA_UNWRAP, &yes, 1},
                               {CKA_UNWRAP_TEMPLATE, inner, nbytes}};

    return p11->C_GenerateKey(session, &gen, template, COUNT(template), out);
}

static void refused(void)
{
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE strange = {0x7fff1234, &yes, 1};
    CK_ATTRIBUTE no_pointer = {CKA_LABEL, NULL, 4};
    CK_ATTRIBUTE not_of_keys = {CKA_APPLICATION, text("x"), 1};
    CK_ATTRIBUTE nested = {CKA_UNWRAP_TEMPLATE, rules, sizeof rules};
    CK_ATTRIBUTE twice[] = {rules[0], rules[0]};
    CK_BYTE two = 2;
    CK_ATTRIBUTE no_bool = {CKA_UNWRAP, &two, 1};
    CK_ATTRIBUTE many[65];

    EXPECT(generate(&strange, sizeof strange, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(generate(&no_pointer, sizeof no_pointer, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(generate(&not_of_keys, sizeof not_of_keys, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(generate(&nested, sizeof nested, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(generate(twice, sizeof twice, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(generate(&no_bool, sizeof no_bool, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(generate(rules, sizeof rules - 1, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(generate(NULL, sizeof rules, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    for (size_t i = 0; i < COUNT(many); i++) {
        many[i] = rules[i % COUNT(rules)];
    }
    EXPECT(generate(many, sizeof many, &key), CKR_ATTRIBUTE_VALUE_INVALID);
    OK(generate(NULL, 0, &key));
    OK(p11->C_DestroyObject(session, key));
}

/* Read the template as the standard describes: the number, then types and lengths, then values. */
static void read_back(CK_OBJECT_HANDLE key)
{
    CK_ATTRIBUTE got[COUNT(rules)] = {{0}};
    CK_ATTRIBUTE attribute = {CKA_UNWRAP_TEMPLATE, NULL, 0};
    CK_BYTE values[COUNT(rules)][32];

    OK(p11->C_GetAttributeValue(session, key, &attribute, 1));
    CHECK_EQ(attribute.ulValueLen, sizeof rules);
    attribute.pValue = got;
    attribute.ulValueLen = sizeof got - 1;
    EXPECT(p11->C_GetAttributeValue(session, key, &attribute, 1), CKR_BUFFER_TOO_SMALL);
    attribute.ulValueLen = sizeof got;
    OK(p11->C_GetAttributeValue(session, key, &attribute, 1));
    for (size_t i = 0; i < COUNT(rules); i++) {
        CHECK_EQ(got[i].type, rules[i].type);
        CHECK_EQ(got[i].ulValueLen, rules[i].ulValueLen);
        got[i].pValue = values[i];
    }
    OK(p11->C_GetAttributeValue(session, key, &attribute, 1));
    for (size_t i = 0; i < COUNT(rules); i++) {
        CHECK(rules[i].ulValueLen == 0 || memcmp(values[i], rules[i].pValue, rules[i].ulValueLen) == 0);
    }
    got[1].ulValueLen = 28;
    EXPECT(p11->C_GetAttributeValue(session, key, &attribute, 1), CKR_BUFFER_TOO_SMALL);
    CHECK_EQ(got[1].ulValueLen, CK_UNAVAILABLE_INFORMATION);
    CHECK_EQ(got[2].ulValueLen, sizeof aes);
}

/* A search does not look into arrays: nothing is found, and no pointer in them is followed. */
static void searched(void)
{
    CK_ATTRIBUTE wanted = {CKA_UNWRAP_TEMPLATE, rules, sizeof rules};
    CK_OBJECT_HANDLE found = 0;
    CK_ULONG count = 1;

    OK(p11->C_FindObjectsInit(session, &wanted, 1));
    OK(p11->C_FindObjects(session, &found, 1, &count));
    OK(p11->C_FindObjectsFinal(session));
    CHECK_EQ(count, 0);
}

static CK_RV unwrap(CK_OBJECT_HANDLE key, CK_BYTE *wrapped, CK_ULONG nbytes, CK_ATTRIBUTE_TYPE type, void *value,
                    CK_ULONG value_nbytes, CK_OBJECT_HANDLE *out)
{
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret_class, sizeof secret_class}, {type, value, value_nbytes}};

    return p11->C_UnwrapKey(session, &kwp, key, wrapped, nbytes, template, COUNT(template), out);
}

/* The key type comes from the template of the key; it sets what the caller leaves open, and nothing else is accepted. */
static void applied(CK_OBJECT_HANDLE key)
{
    CK_ATTRIBUTE extractable[] = {{CKA_VALUE_LEN, &length, sizeof length}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_KEY_TYPE generic = CKK_GENERIC_SECRET;
    CK_BBOOL unwraps = CK_FALSE;
    CK_BBOOL decrypts = CK_TRUE;
    CK_BYTE label[40];
    CK_MECHANISM_TYPE mechanisms[4];
    CK_ATTRIBUTE got[] = {{CKA_UNWRAP, &unwraps, 1},
                          {CKA_DECRYPT, &decrypts, 1},
                          {CKA_LABEL, label, sizeof label},
                          {CKA_ALLOWED_MECHANISMS, mechanisms, sizeof mechanisms}};
    CK_BYTE wrapped[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_OBJECT_HANDLE inner = 0;
    CK_OBJECT_HANDLE again = 0;

    OK(p11->C_GenerateKey(session, &gen, extractable, 2, &inner));
    OK(p11->C_WrapKey(session, &kwp, key, inner, wrapped, &nbytes));
    OK(unwrap(key, wrapped, nbytes, CKA_ID, NULL, 0, &again));
    OK(p11->C_GetAttributeValue(session, again, got, COUNT(got)));
    CHECK(unwraps && !decrypts);
    CHECK_EQ(got[2].ulValueLen, rules[1].ulValueLen);
    CHECK_EQ(got[3].ulValueLen, sizeof allowed);
    CHECK(memcmp(mechanisms, allowed, sizeof allowed) == 0);
    OK(unwrap(key, wrapped, nbytes, CKA_UNWRAP, &yes, 1, &again)); /* the same value */
    EXPECT(unwrap(key, wrapped, nbytes, CKA_UNWRAP, &no, 1, &again), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(unwrap(key, wrapped, nbytes, CKA_LABEL, text("mine"), 4, &again), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(unwrap(key, wrapped, nbytes, CKA_KEY_TYPE, &generic, sizeof generic, &again), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(unwrap(key, wrapped, nbytes, CKA_DECRYPT, &yes, 1, &again), CKR_TEMPLATE_INCONSISTENT); /* two roles */
    EXPECT(unwrap(key, wrapped, nbytes, CKA_WRAP, &yes, 1, &again), CKR_TEMPLATE_INCONSISTENT); /* not in the rules */
    EXPECT(p11->C_UnwrapKey(session, &kwp, key, wrapped, nbytes, NULL, 0, &again), CKR_TEMPLATE_INCOMPLETE);
    EXPECT(p11->C_UnwrapKey(session, &kwp, key, wrapped, nbytes, NULL, 1, &again), CKR_ARGUMENTS_BAD);
}

static void fixed(CK_OBJECT_HANDLE key)
{
    CK_ATTRIBUTE other = {CKA_UNWRAP_TEMPLATE, rules, sizeof rules[0]};
    CK_OBJECT_HANDLE copy = 0;

    EXPECT(p11->C_SetAttributeValue(session, key, &other, 1), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(p11->C_CopyObject(session, key, &other, 1, &copy), CKR_ATTRIBUTE_READ_ONLY);
    OK(p11->C_CopyObject(session, key, NULL, 0, &copy));
    read_back(copy);
    OK(p11->C_DestroyObject(session, copy));
}

int main(void)
{
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE found[2];

    store_create();
    token_start();
    session = user_session();
    refused();
    OK(generate(rules, sizeof rules, &key));
    read_back(key);
    applied(key);
    fixed(key);
    searched();
    OK(p11->C_Finalize(NULL));
    OK(p11->C_Initialize(NULL));
    session = user_session();
    CHECK_EQ(find_all(session, found, 2), 1);
    read_back(found[0]);
    applied(found[0]);
    OK(p11->C_Finalize(NULL));
    store_destroy();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: attributes that are read with wrong sizes or into short buffers, secrets that can be read, and changes that are
 * made in part.
 */
#include "token.h"

static CK_SESSION_HANDLE session;

static CK_BBOOL flag(CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type)
{
    CK_BBOOL is_set = 2;
    CK_ATTRIBUTE attribute = {type, &is_set, sizeof is_set};

    OK(p11->C_GetAttributeValue(session, object, &attribute, 1));
    return is_set;
}

static CK_RV set(CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type, const void *value, CK_ULONG nbytes)
{
    CK_ATTRIBUTE attribute = {type, (void *)value, nbytes};

    return p11->C_SetAttributeValue(session, object, &attribute, 1);
}

static CK_OBJECT_HANDLE generate(CK_ATTRIBUTE *more, CK_ULONG count)
{
    CK_MECHANISM gen = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG length = 32;
    CK_ATTRIBUTE template[8] = {{CKA_VALUE_LEN, &length, sizeof length}, {CKA_LABEL, text("label"), 5}};
    CK_OBJECT_HANDLE key = 0;

    for (CK_ULONG i = 0; i < count; i++) {
        template[2 + i] = more[i];
    }
    OK(p11->C_GenerateKey(session, &gen, template, 2 + count, &key));
    return key;
}

static void reading(void)
{
    CK_ATTRIBUTE open_key[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_OBJECT_HANDLE key = generate(NULL, 0);
    CK_OBJECT_HANDLE readable = generate(open_key, 2);
    CK_BYTE label[5] = {0};
    CK_BYTE value[32];
    CK_ULONG length = 0;
    CK_ATTRIBUTE all[] = {
        {CKA_VALUE, value, sizeof value},        {CKA_LABEL, label, 4}, {CKA_MODULUS, value, sizeof value},
        {CKA_VALUE_LEN, &length, sizeof length}, {CKA_ID, NULL, 77},    {CKA_CHECK_VALUE, NULL, 0}};
    CK_ATTRIBUTE wide = {CKA_LABEL, value, sizeof value};

    EXPECT(p11->C_GetAttributeValue(session, key, all, COUNT(all)), CKR_ATTRIBUTE_SENSITIVE);
    CHECK(all[0].ulValueLen == CK_UNAVAILABLE_INFORMATION); /* sensitive */
    CHECK(all[1].ulValueLen == CK_UNAVAILABLE_INFORMATION); /* too short */
    CHECK(all[2].ulValueLen == CK_UNAVAILABLE_INFORMATION); /* an AES key does not have it */
    CHECK_EQ(all[3].ulValueLen, sizeof length);             /* the others are read nevertheless */
    CHECK_EQ(length, 32);
    CHECK_EQ(all[4].ulValueLen, 0);
    CHECK_EQ(all[5].ulValueLen, 3);
    CHECK_EQ(label[0], 0);
    all[1].ulValueLen = 4;
    EXPECT(p11->C_GetAttributeValue(session, key, &all[1], 1), CKR_BUFFER_TOO_SMALL);
    EXPECT(p11->C_GetAttributeValue(session, key, &all[2], 1), CKR_ATTRIBUTE_TYPE_INVALID);
    all[1].ulValueLen = 5;
    OK(p11->C_GetAttributeValue(session, key, &all[1], 1));
    CHECK(memcmp(label, "label", 5) == 0);
    OK(p11->C_GetAttributeValue(session, key, &wide, 1));
    CHECK_EQ(wide.ulValueLen, 5);
    all[0].ulValueLen = sizeof value;
    OK(p11->C_GetAttributeValue(session, readable, all, 1));
    CHECK_EQ(all[0].ulValueLen, 32);
    OK(p11->C_GetAttributeValue(session, key, all, 0));
    EXPECT(p11->C_GetAttributeValue(session, key, NULL, 1), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_GetAttributeValue(session, 12345, all, 1), CKR_OBJECT_HANDLE_INVALID);
}

static void history(void)
{
    CK_ATTRIBUTE open_key[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_OBJECT_HANDLE key = generate(NULL, 0);
    CK_OBJECT_HANDLE opened = generate(open_key, 2);
    CK_OBJECT_HANDLE imported = secret_key(session, CKK_AES, "0123456789abcdef", 16);
    CK_MECHANISM_TYPE mechanism = 0;
    CK_ATTRIBUTE made_by = {CKA_KEY_GEN_MECHANISM, &mechanism, sizeof mechanism};

    CHECK(flag(key, CKA_LOCAL) && flag(key, CKA_ALWAYS_SENSITIVE) && flag(key, CKA_NEVER_EXTRACTABLE));
    CHECK(flag(key, CKA_SENSITIVE) && !flag(key, CKA_EXTRACTABLE) && flag(key, CKA_PRIVATE));
    CHECK(flag(opened, CKA_LOCAL) && !flag(opened, CKA_ALWAYS_SENSITIVE) && !flag(opened, CKA_NEVER_EXTRACTABLE));
    CHECK(!flag(imported, CKA_LOCAL) && !flag(imported, CKA_ALWAYS_SENSITIVE));
    OK(p11->C_GetAttributeValue(session, key, &made_by, 1));
    CHECK_EQ(mechanism, CKM_AES_KEY_GEN);
    OK(p11->C_GetAttributeValue(session, imported, &made_by, 1));
    CHECK(mechanism == CK_UNAVAILABLE_INFORMATION);
    OK(set(opened, CKA_SENSITIVE, &yes, 1)); /* sensitive from now on, but not always sensitive */
    OK(set(opened, CKA_EXTRACTABLE, &no, 1));
    CHECK(!flag(opened, CKA_ALWAYS_SENSITIVE) && !flag(opened, CKA_NEVER_EXTRACTABLE));
}

static void changing(void)
{
    CK_OBJECT_HANDLE key = generate(NULL, 0);
    CK_ATTRIBUTE fixed_key[] = {{CKA_MODIFIABLE, &no, 1}, {CKA_DESTROYABLE, &no, 1}, {CKA_COPYABLE, &no, 1}};
    CK_OBJECT_HANDLE fixed = generate(fixed_key, 3);
    CK_OBJECT_HANDLE copy = 0;
    CK_ATTRIBUTE half[] = {{CKA_LABEL, text("changed"), 7}, {CKA_LOCAL, &no, 1}};
    CK_BYTE label[8];
    CK_ATTRIBUTE now = {CKA_LABEL, label, sizeof label};

    EXPECT(p11->C_SetAttributeValue(session, key, half, 2), CKR_ATTRIBUTE_READ_ONLY);
    OK(p11->C_GetAttributeValue(session, key, &now, 1));
    CHECK_EQ(now.ulValueLen, 5); /* not even the first change was made */
    OK(p11->C_SetAttributeValue(session, key, half, 1));
    now.ulValueLen = sizeof label;
    OK(p11->C_GetAttributeValue(session, key, &now, 1));
    CHECK_EQ(now.ulValueLen, 7);
    EXPECT(set(key, CKA_SENSITIVE, &no, 1), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(set(key, CKA_EXTRACTABLE, &yes, 1), CKR_ATTRIBUTE_READ_ONLY);
    OK(set(key, CKA_SENSITIVE, &yes, 1));
    OK(set(key, CKA_WRAP_WITH_TRUSTED, &yes, 1));
    EXPECT(set(key, CKA_WRAP_WITH_TRUSTED, &no, 1), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(set(key, CKA_TRUSTED, &yes, 1), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(set(key, CKA_TOKEN, &yes, 1), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(set(key, CKA_PRIVATE, &no, 1), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(set(key, CKA_VALUE, "0123456789abcdef", 16), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(set(key, CKA_SUBPRIME, "x", 1), CKR_ATTRIBUTE_TYPE_INVALID);
    EXPECT(set(key, CKA_EC_POINT, "x", 1), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(set(key, CKA_MODULUS, "x", 1), CKR_TEMPLATE_INCONSISTENT);
    EXPECT(set(key, CKA_ENCRYPT, "xy", 2), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(set(key, CKA_LABEL, NULL, 2), CKR_ATTRIBUTE_VALUE_INVALID);
    EXPECT(set(99, CKA_LABEL, "x", 1), CKR_OBJECT_HANDLE_INVALID);
    EXPECT(p11->C_SetAttributeValue(session, key, NULL, 1), CKR_ARGUMENTS_BAD);
    EXPECT(set(fixed, CKA_LABEL, "x", 1), CKR_ACTION_PROHIBITED);
    EXPECT(p11->C_DestroyObject(session, fixed), CKR_ACTION_PROHIBITED);
    EXPECT(p11->C_CopyObject(session, fixed, NULL, 0, &copy), CKR_ACTION_PROHIBITED);
    OK(p11->C_DestroyObject(session, key));
    EXPECT(p11->C_DestroyObject(session, key), CKR_OBJECT_HANDLE_INVALID);
}

static void copying(void)
{
    CK_ATTRIBUTE open_key[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_OBJECT_HANDLE key = generate(open_key, 2);
    CK_OBJECT_HANDLE copy = 0;
    CK_ATTRIBUTE changes[] = {{CKA_TOKEN, &yes, 1}, {CKA_SENSITIVE, &yes, 1}, {CKA_LABEL, text("copy"), 4}};
    CK_ATTRIBUTE looser[] = {{CKA_SENSITIVE, &no, 1}};
    CK_ATTRIBUTE fixed[] = {{CKA_VALUE_LEN, &key, sizeof key}};
    CK_BYTE first[40];
    CK_BYTE second[40];
    CK_ATTRIBUTE id = {CKA_UNIQUE_ID, first, sizeof first};
    CK_ATTRIBUTE other_id = {CKA_UNIQUE_ID, second, sizeof second};

    OK(p11->C_CopyObject(session, key, changes, 3, &copy));
    CHECK(flag(copy, CKA_TOKEN) && flag(copy, CKA_SENSITIVE) && !flag(key, CKA_SENSITIVE) && flag(copy, CKA_LOCAL));
    OK(p11->C_GetAttributeValue(session, key, &id, 1));
    OK(p11->C_GetAttributeValue(session, copy, &other_id, 1));
    CHECK(id.ulValueLen == other_id.ulValueLen && memcmp(first, second, id.ulValueLen) != 0);
    EXPECT(p11->C_CopyObject(session, copy, looser, 1, &key), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(p11->C_CopyObject(session, copy, fixed, 1, &key), CKR_ATTRIBUTE_READ_ONLY);
    EXPECT(p11->C_CopyObject(session, copy, NULL, 1, &key), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_CopyObject(session, copy, NULL, 0, NULL), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_CopyObject(session, 5, NULL, 0, &key), CKR_OBJECT_HANDLE_INVALID);
    OK(p11->C_CopyObject(session, copy, NULL, 0, &key));
}

int main(void)
{
    token_start();
    session = user_session();
    reading();
    history();
    changing();
    copying();
    OK(p11->C_Finalize(NULL));
    return 0;
}

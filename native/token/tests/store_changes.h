/* SPDX-License-Identifier: Apache-2.0
 *
 * store_changes.h - the functions of PKCS #11 that change the store, each as one change of a token with the data objects
 * "one" and "two".
 */
#ifndef TOKEN_TESTS_STORE_CHANGES_H
#define TOKEN_TESTS_STORE_CHANGES_H

#include "store_files.h"

#define NEW_PIN "new-user-pin"

static inline CK_RV try_pin(CK_SESSION_HANDLE session, CK_USER_TYPE user_type, const char *pin)
{
    return p11->C_Login(session, user_type, text(pin), strlen(pin));
}

static CK_OBJECT_HANDLE labelled(CK_SESSION_HANDLE session, const char *label)
{
    CK_ATTRIBUTE template = {CKA_LABEL, text(label), strlen(label)};
    CK_OBJECT_HANDLE object = 0;
    CK_ULONG count = 0;

    OK(p11->C_FindObjectsInit(session, &template, 1));
    OK(p11->C_FindObjects(session, &object, 1, &count));
    OK(p11->C_FindObjectsFinal(session));
    CHECK_EQ(count, 1);
    return object;
}

static CK_RV create(CK_SESSION_HANDLE session)
{
    CK_OBJECT_HANDLE object = 0;

    return store_object(session, "created", &object);
}

static CK_RV generate(CK_SESSION_HANDLE session)
{
    CK_MECHANISM gen = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG length = 32;
    CK_ATTRIBUTE template[] = {
        {CKA_VALUE_LEN, &length, sizeof length}, {CKA_TOKEN, &yes, 1}, {CKA_LABEL, text("key"), 3}};
    CK_OBJECT_HANDLE key = 0;

    return p11->C_GenerateKey(session, &gen, template, COUNT(template), &key);
}

static CK_RV generate_pair(CK_SESSION_HANDLE session)
{
    CK_MECHANISM gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE public_template[] = {
        {CKA_EC_PARAMS, p256, sizeof p256}, {CKA_TOKEN, &yes, 1}, {CKA_LABEL, text("public"), 6}};
    CK_ATTRIBUTE private_template[] = {{CKA_TOKEN, &yes, 1}, {CKA_LABEL, text("private"), 7}};
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;

    return p11->C_GenerateKeyPair(session, &gen, public_template, 3, private_template, 2, &public_key, &private_key);
}

static CK_RV change(CK_SESSION_HANDLE session)
{
    CK_ATTRIBUTE label = {CKA_LABEL, text("a longer label, not in place"), 28};

    return p11->C_SetAttributeValue(session, labelled(session, "one"), &label, 1);
}

static CK_RV copy(CK_SESSION_HANDLE session)
{
    CK_ATTRIBUTE label = {CKA_LABEL, text("copied"), 6};
    CK_OBJECT_HANDLE object = 0;

    return p11->C_CopyObject(session, labelled(session, "one"), &label, 1, &object);
}

static CK_RV destroy(CK_SESSION_HANDLE session)
{
    return p11->C_DestroyObject(session, labelled(session, "two"));
}

static CK_RV set_pin(CK_SESSION_HANDLE session)
{
    return p11->C_SetPIN(session, text(USER_PIN), strlen(USER_PIN), text(NEW_PIN), strlen(NEW_PIN));
}

static CK_RV init_pin(CK_SESSION_HANDLE session)
{
    return p11->C_InitPIN(session, text(NEW_PIN), strlen(NEW_PIN));
}

static CK_RV init_token(CK_SESSION_HANDLE session)
{
    CK_UTF8CHAR label[32];

    OK(p11->C_CloseSession(session));
    memset(label, 'n', sizeof label);
    return p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label);
}

#define NOBODY CK_UNAVAILABLE_INFORMATION

static const struct change {
    const char *name;
    CK_RV (*make)(CK_SESSION_HANDLE session);
    CK_USER_TYPE user; /* who is logged in */
    bool counts;       /* an attempt at a PIN is counted, and stays counted if the change fails */
    const char *third; /* part of the description of a third state that a kill may leave, or NULL */
} changes[] = {
    {"C_CreateObject", create, CKU_USER, false, NULL},
    {"C_GenerateKey", generate, CKU_USER, false, NULL},
    {"C_GenerateKeyPair", generate_pair, CKU_USER, false, "2:public"}, /* the public key without the private one */
    {"C_SetAttributeValue", change, CKU_USER, false, NULL},
    {"C_CopyObject", copy, CKU_USER, false, NULL},
    {"C_DestroyObject", destroy, CKU_USER, false, NULL},
    {"C_SetPIN", set_pin, CKU_USER, true, NULL},
    {"C_InitPIN", init_pin, CKU_SO, false, NULL},
    {"C_InitToken", init_token, NOBODY, true, NULL},
};

#endif

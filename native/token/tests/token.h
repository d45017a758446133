/* SPDX-License-Identifier: Apache-2.0
 *
 * token.h - functions that the tests of the token share. They load the module like any program, and make a token ready.
 */
#ifndef TOKEN_TESTS_TOKEN_H
#define TOKEN_TESTS_TOKEN_H

#include <dlfcn.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"
#include "cside_token.h"

#define SO_PIN "so-pin-1234"
#define USER_PIN "user-pin"
#define RW (CKF_SERIAL_SESSION | CKF_RW_SESSION)
#define RO CKF_SERIAL_SESSION

/** A return value, by its number. */
#define EXPECT(call, rv) CHECK_EQ(call, rv)
#define OK(call) CHECK_EQ(call, CKR_OK)

#define COUNT(array) ((CK_ULONG)(sizeof(array) / sizeof((array)[0])))

static CK_FUNCTION_LIST_3_2 *p11;
static CK_RV (*token_insert)(CK_SLOT_ID slot_id);
static CK_RV (*token_remove)(CK_SLOT_ID slot_id);

static CK_BBOOL yes = CK_TRUE;
static CK_BBOOL no = CK_FALSE;

/** dlsym(3) for a function; ISO C has no cast from an object pointer to a function pointer. */
static inline void token_symbol(void *library, const char *name, void *out_function)
{
    void *symbol = dlsym(library, name);

    CHECK(symbol != NULL);
    memcpy(out_function, &symbol, sizeof symbol);
}

static inline void token_load(void)
{
    CK_RV (*get)(CK_UTF8CHAR_PTR, CK_VERSION_PTR, CK_INTERFACE_PTR_PTR, CK_FLAGS) = NULL;
    void *library = dlopen(TOKEN_PATH, RTLD_NOW | RTLD_LOCAL);
    CK_INTERFACE *interface = NULL;

    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    token_symbol(library, "C_GetInterface", &get);
    token_symbol(library, "cside_token_insert", &token_insert);
    token_symbol(library, "cside_token_remove", &token_remove);
    OK(get(NULL, NULL, &interface, 0));
    p11 = interface->pFunctionList;
    CHECK(token_insert != NULL && token_remove != NULL);
    CHECK(yes && !no);
}

static inline CK_UTF8CHAR *text(const char *characters)
{
    return (CK_UTF8CHAR *)characters; /* the standard's pointers are not const */
}

/** Initialise the module and the token in slot 0, with both PINs. */
static inline void token_start(void)
{
    CK_UTF8CHAR label[32];
    CK_SESSION_HANDLE session = 0;

    token_load();
    memset(label, ' ', sizeof label);
    memcpy(label, "test", 4);
    OK(p11->C_Initialize(NULL));
    OK(p11->C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label));
    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    OK(p11->C_Login(session, CKU_SO, text(SO_PIN), strlen(SO_PIN)));
    OK(p11->C_InitPIN(session, text(USER_PIN), strlen(USER_PIN)));
    OK(p11->C_CloseSession(session));
}

/** Open a session and log the user in. */
static inline CK_SESSION_HANDLE user_session(void)
{
    CK_SESSION_HANDLE session = 0;

    OK(p11->C_OpenSession(0, RW, NULL, NULL, &session));
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)));
    return session;
}

/* Make a session key with these bytes, and two more attributes. */
static inline CK_OBJECT_HANDLE secret_key_for(CK_SESSION_HANDLE session, CK_KEY_TYPE key_type, const void *value,
                                              CK_ULONG nbytes, CK_ATTRIBUTE_TYPE first, CK_ATTRIBUTE_TYPE second)
{
    CK_OBJECT_CLASS object_class = CKO_SECRET_KEY;
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE template[] = {
        {CKA_CLASS, &object_class, sizeof object_class},
        {CKA_KEY_TYPE, &key_type, sizeof key_type},
        {CKA_VALUE, (void *)value, nbytes},
        {CKA_SENSITIVE, &no, 1},
        {CKA_EXTRACTABLE, &yes, 1},
        {first, &yes, 1},
        {second, &yes, 1},
    };

    OK(p11->C_CreateObject(session, template, COUNT(template), &key));
    return key;
}

/** Make a session key with these bytes, which signs and verifies, and encrypts and decrypts if it is of that type. */
static inline CK_OBJECT_HANDLE secret_key(CK_SESSION_HANDLE session, CK_KEY_TYPE key_type, const void *value,
                                          CK_ULONG nbytes)
{
    return secret_key_for(session, key_type, value, nbytes, CKA_SIGN, CKA_VERIFY);
}

/** Make a session key with these bytes, which wraps and unwraps. */
static inline CK_OBJECT_HANDLE wrapping_key(CK_SESSION_HANDLE session, const void *value, CK_ULONG nbytes)
{
    return secret_key_for(session, CKK_AES, value, nbytes, CKA_WRAP, CKA_UNWRAP);
}

/** 1.2.840.10045.3.1.7, P-256. */
static CK_BYTE p256[] = {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};

/** Generate a pair on P-256, which allows every operation. */
static inline void ec_pair(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE *out_public, CK_OBJECT_HANDLE *out_private)
{
    CK_MECHANISM mechanism = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE public_template[] = {{CKA_EC_PARAMS, p256, sizeof p256}, {CKA_VERIFY, &yes, 1}};
    CK_ATTRIBUTE private_template[] = {
        {CKA_SIGN, &yes, 1}, {CKA_DERIVE, &yes, 1}, {CKA_EXTRACTABLE, &yes, 1}, {CKA_SENSITIVE, &no, 1}};

    OK(p11->C_GenerateKeyPair(session, &mechanism, public_template, COUNT(public_template), private_template,
                              COUNT(private_template), out_public, out_private));
}

/** Convert hexadecimal digits to bytes. The test frees the memory. */
static inline CK_BYTE *unhex(const char *digits, CK_ULONG *out_nbytes)
{
    size_t nbytes = strlen(digits) / 2;
    CK_BYTE *out = check_alloc(nbytes);

    for (size_t i = 0; i < nbytes; i++) {
        unsigned byte = 0;

        CHECK(sscanf(digits + 2 * i, "%2x", &byte) == 1);
        out[i] = (CK_BYTE)byte;
    }
    *out_nbytes = nbytes;
    return out;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * token_input.h - what the targets of the token share: a token that is ready and empty for every input, templates and
 * mechanisms that are read from an input, and the memory of their values.
 */
#ifndef CSIDE_FUZZ_TOKEN_INPUT_H
#define CSIDE_FUZZ_TOKEN_INPUT_H

#include "fuzz.h"

#ifndef CK_DECLARE_FUNCTION
#define CK_DECLARE_FUNCTION(returnType, name) returnType name
#endif
#include "cside/pkcs11.h"

#define SO_PIN "so-pin-1234"
#define USER_PIN "user-pin"
#define RW (CKF_SERIAL_SESSION | CKF_RW_SESSION)
#define TEMPLATE_MAX 12
#define BLOCKS_MAX 256

/** Memory of exact size, until the end of the input. */
struct blocks {
    void *list[BLOCKS_MAX];
    size_t count;
};

static inline void *block(struct blocks *blocks, const void *content, size_t nbytes)
{
    void *memory = malloc(nbytes > 0 ? nbytes : 1);

    MUST(memory != NULL && blocks->count < BLOCKS_MAX);
    if (content != NULL && nbytes > 0)
        memcpy(memory, content, nbytes);
    blocks->list[blocks->count++] = memory;
    return memory;
}

static inline void blocks_free(struct blocks *blocks)
{
    while (blocks->count > 0)
        free(blocks->list[--blocks->count]);
}

/* ---- the token ---- */

static inline CK_UTF8CHAR *text(const char *characters)
{
    return (CK_UTF8CHAR *)(uintptr_t)characters; /* the standard's pointers are not const */
}

static inline void token_begin(const char *policy)
{
    CK_UTF8CHAR label[32] = "fuzzed                         ";
    CK_SESSION_HANDLE session = 0;

    setenv("CSIDE_TOKEN_POLICY", policy, 1);
    unsetenv("CSIDE_TOKEN_DIR");
    unsetenv("CSIDE_TOKEN_PRESET");
    MUST(C_Initialize(NULL) == CKR_OK);
    MUST(C_InitToken(0, text(SO_PIN), strlen(SO_PIN), label) == CKR_OK);
    MUST(C_OpenSession(0, RW, NULL, NULL, &session) == CKR_OK);
    MUST(C_Login(session, CKU_SO, text(SO_PIN), strlen(SO_PIN)) == CKR_OK);
    MUST(C_InitPIN(session, text(USER_PIN), strlen(USER_PIN)) == CKR_OK);
    MUST(C_CloseSession(session) == CKR_OK);
}

static inline CK_SESSION_HANDLE user_session(void)
{
    CK_SESSION_HANDLE session = 0;

    MUST(C_OpenSession(0, RW, NULL, NULL, &session) == CKR_OK);
    MUST(C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)) == CKR_OK);
    return session;
}

/** Destroy all objects that the session sees. Returns whether none is left. */
static inline bool empty(CK_SESSION_HANDLE session)
{
    CK_OBJECT_HANDLE found[64];
    CK_ULONG count = 0, left = 0;

    MUST(C_FindObjectsInit(session, NULL, 0) == CKR_OK);
    MUST(C_FindObjects(session, found, 64, &count) == CKR_OK);
    MUST(C_FindObjectsFinal(session) == CKR_OK);
    for (CK_ULONG i = 0; i < count; i++)
        left += C_DestroyObject(session, found[i]) != CKR_OK;
    return left == 0 && count < 64;
}

/** A session of the user, in a token without objects. What an input did to PINs or left behind is gone. */
static inline CK_SESSION_HANDLE fresh_session(const char *policy)
{
    static bool has_begun;
    CK_TOKEN_INFO info;
    CK_SESSION_HANDLE session = 0;
    bool is_ready = has_begun;

    if (has_begun) {
        MUST(C_CloseAllSessions(0) == CKR_OK);
        MUST(C_GetTokenInfo(0, &info) == CKR_OK);
        is_ready = (info.flags & (CKF_USER_PIN_COUNT_LOW | CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED)) == 0;
        if (is_ready) {
            session = user_session();
            is_ready = empty(session);
        }
        if (!is_ready)
            MUST(C_Finalize(NULL) == CKR_OK);
    }
    has_begun = true;
    if (is_ready)
        return session;
    token_begin(policy);
    return user_session();
}

/** The same for inputs that leave nothing but objects behind, without another login. */
static inline CK_SESSION_HANDLE kept_session(const char *policy)
{
    static CK_SESSION_HANDLE session;

    if (session == 0 || !empty(session))
        session = fresh_session(policy);
    return session;
}

/* ---- templates ---- */

/** 1.2.840.10045.3.1.7, P-256. */
static const uint8_t p256[] = {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};

static inline CK_ATTRIBUTE_TYPE take_attribute_type(struct input *input)
{
    static const CK_ATTRIBUTE_TYPE known[] = {CKA_CLASS,
                                              CKA_TOKEN,
                                              CKA_PRIVATE,
                                              CKA_LABEL,
                                              CKA_UNIQUE_ID,
                                              CKA_MODIFIABLE,
                                              CKA_COPYABLE,
                                              CKA_DESTROYABLE,
                                              CKA_APPLICATION,
                                              CKA_OBJECT_ID,
                                              CKA_VALUE,
                                              CKA_CERTIFICATE_TYPE,
                                              CKA_SUBJECT,
                                              CKA_ISSUER,
                                              CKA_SERIAL_NUMBER,
                                              CKA_ID,
                                              CKA_URL,
                                              CKA_CHECK_VALUE,
                                              CKA_START_DATE,
                                              CKA_END_DATE,
                                              CKA_PUBLIC_KEY_INFO,
                                              CKA_KEY_TYPE,
                                              CKA_DERIVE,
                                              CKA_LOCAL,
                                              CKA_KEY_GEN_MECHANISM,
                                              CKA_ALLOWED_MECHANISMS,
                                              CKA_ENCRYPT,
                                              CKA_DECRYPT,
                                              CKA_SIGN,
                                              CKA_VERIFY,
                                              CKA_WRAP,
                                              CKA_UNWRAP,
                                              CKA_UNWRAP_TEMPLATE,
                                              CKA_TRUSTED,
                                              CKA_SENSITIVE,
                                              CKA_EXTRACTABLE,
                                              CKA_ALWAYS_SENSITIVE,
                                              CKA_NEVER_EXTRACTABLE,
                                              CKA_WRAP_WITH_TRUSTED,
                                              CKA_ALWAYS_AUTHENTICATE,
                                              CKA_VALUE_LEN,
                                              CKA_EC_PARAMS,
                                              CKA_EC_POINT,
                                              CKA_MODULUS,
                                              CKA_MODULUS_BITS,
                                              CKA_PUBLIC_EXPONENT,
                                              CKA_PRIVATE_EXPONENT,
                                              CKA_PRIME_1};
    unsigned index = take_byte(input);

    return index < 255 ? known[index % (sizeof known / sizeof known[0])] : take_number(input);
}

static inline CK_ULONG take_template(struct input *input, struct blocks *blocks, CK_ATTRIBUTE *out, CK_ULONG max);

static inline CK_ATTRIBUTE take_attribute(struct input *input, struct blocks *blocks, bool may_nest)
{
    CK_ATTRIBUTE attribute = {take_attribute_type(input), NULL, 0};
    unsigned kind = take_byte(input) % 10;
    CK_BBOOL flag = kind == 0;
    CK_ULONG number = 0;
    size_t nbytes = 0;
    uint8_t *value = NULL;

    switch (kind) {
    case 0:
    case 1:
        attribute.pValue = block(blocks, &flag, attribute.ulValueLen = sizeof flag);
        break;
    case 2:
    case 3:
        number = kind == 2 ? take_byte(input) : take_number(input);
        attribute.pValue = block(blocks, &number, attribute.ulValueLen = sizeof number);
        break;
    case 4:
        attribute.pValue = block(blocks, p256, attribute.ulValueLen = sizeof p256);
        break;
    case 5:
        attribute.ulValueLen = take_byte(input); /* without a value */
        break;
    case 6:
        if (may_nest) {
            CK_ATTRIBUTE nested[TEMPLATE_MAX];
            CK_ULONG count = take_template(input, blocks, nested, 4);
            attribute.pValue = block(blocks, nested, attribute.ulValueLen = count * sizeof nested[0]);
            break;
        } /* fall through */
    default:
        nbytes = kind == 9 ? take_number(input) : take_byte(input) % 40;
        value = take_bytes(input, &nbytes);
        attribute.pValue = block(blocks, value, attribute.ulValueLen = nbytes);
        free(value);
    }
    return attribute;
}

static inline CK_ULONG take_template(struct input *input, struct blocks *blocks, CK_ATTRIBUTE *out, CK_ULONG max)
{
    CK_ULONG count = take_byte(input) % (max + 1);

    for (CK_ULONG i = 0; i < count; i++)
        out[i] = take_attribute(input, blocks, max == TEMPLATE_MAX);
    return count;
}

/** Read attributes of an object one by one, into memory of just their size. */
static inline void read_back(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type)
{
    CK_ATTRIBUTE asked = {type, NULL, 0};
    CK_RV rv = C_GetAttributeValue(session, object, &asked, 1);

    if (rv == CKR_OK) {
        CK_ULONG nbytes = asked.ulValueLen;
        MUST(nbytes <= 1 << 24);
        if (type != CKA_UNWRAP_TEMPLATE) { /* whose entries are to be prepared by the caller */
            asked.pValue = malloc(nbytes > 0 ? nbytes : 1);
            MUST(asked.pValue != NULL);
            MUST(C_GetAttributeValue(session, object, &asked, 1) == CKR_OK && asked.ulValueLen == nbytes);
            free(asked.pValue);
        }
    } else {
        MUST(asked.ulValueLen == CK_UNAVAILABLE_INFORMATION);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * token_calls.c - sequences of calls in several sessions, with handles, mechanisms and lengths that are right and wrong.
 * Results never exceed the room that they were given, a length that was asked for is enough, every return value is one of
 * the standard, and none says that the module itself has failed.
 */
#include "token_input.h"

#include "pkcs11_rv_list.h"
#include "token_mechanisms.h"

#define SESSIONS 3
#define OBJECTS 8

static CK_SESSION_HANDLE sessions[SESSIONS];
static CK_OBJECT_HANDLE objects[OBJECTS];
static unsigned next_object;
static struct blocks blocks;

static bool is_of_standard(CK_RV rv)
{
#define CASE(name) case name:
    switch (rv) {
        CS_PKCS11_RETURN_VALUES(CASE)
        return rv != CKR_GENERAL_ERROR && rv != CKR_DEVICE_ERROR && rv != CKR_HOST_MEMORY;
    default:
        return false;
    }
}

#define CALL(call) MUST(is_of_standard(call))

static CK_SESSION_HANDLE take_session(struct input *input)
{
    unsigned index = take_byte(input) % 16;

    return index < 15 ? sessions[index % SESSIONS] : 77;
}

static CK_OBJECT_HANDLE take_object(struct input *input)
{
    unsigned index = take_byte(input) % 16;

    return index < 15 ? objects[index % OBJECTS] : 77;
}

static void keep(CK_OBJECT_HANDLE object)
{
    objects[next_object++ % OBJECTS] = object;
}

/* ---- calls that give bytes ---- */

typedef CK_RV (*one_call)(CK_SESSION_HANDLE, CK_BYTE_PTR, CK_ULONG, CK_BYTE_PTR, CK_ULONG_PTR);

#define FINAL(name) \
    static CK_RV name##_call(CK_SESSION_HANDLE session, CK_BYTE_PTR data, CK_ULONG nbytes, CK_BYTE_PTR out, \
                             CK_ULONG_PTR out_nbytes) \
    { \
        (void)data, (void)nbytes; \
        return name(session, out, out_nbytes); \
    }
FINAL(C_EncryptFinal)
FINAL(C_DecryptFinal)
FINAL(C_DigestFinal)
FINAL(C_SignFinal)
FINAL(C_GetOperationState)

static const one_call giving[] = {C_Encrypt,
                                  C_EncryptUpdate,
                                  C_EncryptFinal_call,
                                  C_Decrypt,
                                  C_DecryptUpdate,
                                  C_DecryptFinal_call,
                                  C_Digest,
                                  C_DigestFinal_call,
                                  C_Sign,
                                  C_SignFinal_call,
                                  C_DigestEncryptUpdate,
                                  C_DecryptDigestUpdate,
                                  C_SignEncryptUpdate,
                                  C_DecryptVerifyUpdate,
                                  C_GetOperationState_call};

/* Ask for the length, or not; call with that room, or with less; keep what came, as input of later calls. */
static void give(struct input *input, uint8_t *kept, CK_ULONG *io_kept_nbytes)
{
    one_call call = giving[take_byte(input) % (sizeof giving / sizeof giving[0])];
    CK_SESSION_HANDLE session = take_session(input);
    unsigned how = take_byte(input);
    size_t nbytes = take_byte(input);
    uint8_t *data = (how & 1) != 0 ? malloc(nbytes = *io_kept_nbytes) : take_bytes(input, &nbytes), *out = NULL;
    CK_ULONG room = (how & 2) != 0 ? take_byte(input) : 512, asked = 0, given = 0;
    CK_RV rv = CKR_OK;

    if ((how & 1) != 0 && nbytes > 0)
        memcpy(data, kept, nbytes);
    if ((how & 4) != 0) {
        rv = call(session, data, nbytes, NULL, &asked);
        CALL(rv);
        room = rv == CKR_OK && asked < 4096 ? asked : room;
    }
    out = malloc(room > 0 ? room : 1);
    MUST(out != NULL);
    given = room;
    rv = call(session, data, nbytes, out, &given);
    CALL(rv);
    MUST(rv != CKR_OK || given <= room);
    MUST((how & 4) == 0 || rv != CKR_BUFFER_TOO_SMALL || asked == 0 || asked >= 4096);
    if (rv == CKR_OK && given <= 512)
        memcpy(kept, out, *io_kept_nbytes = given);
    free(data);
    free(out);
}

/* ---- the calls ---- */

static void begin_operation(struct input *input)
{
    unsigned which = take_byte(input) % 8;
    CK_SESSION_HANDLE session = take_session(input);
    CK_MECHANISM mechanism = take_mechanism(input, &blocks), *given = take_byte(input) % 16 == 15 ? NULL : &mechanism;
    CK_OBJECT_HANDLE key = take_object(input);

    switch (which) {
    case 0:
        CALL(C_EncryptInit(session, given, key));
        break;
    case 1:
        CALL(C_DecryptInit(session, given, key));
        break;
    case 2:
        CALL(C_DigestInit(session, given));
        break;
    case 3:
        CALL(C_SignInit(session, given, key));
        break;
    case 4:
        CALL(C_VerifyInit(session, given, key));
        break;
    case 5:
        CALL(C_MessageEncryptInit(session, given, key));
        break;
    case 6:
        CALL(C_MessageDecryptInit(session, given, key));
        break;
    default:
        CALL(C_SessionCancel(session, 1ul << take_byte(input) % 32));
    }
}

static void make_object(struct input *input)
{
    unsigned which = take_byte(input) % 6;
    CK_SESSION_HANDLE session = take_session(input);
    CK_ATTRIBUTE template[TEMPLATE_MAX], more[TEMPLATE_MAX];
    CK_ULONG count = take_template(input, &blocks, template, TEMPLATE_MAX), more_count = 0;
    CK_OBJECT_HANDLE made = 0, also = 0, of = take_object(input);
    CK_MECHANISM mechanism = which > 1 ? take_mechanism(input, &blocks) : (CK_MECHANISM){0};
    size_t nbytes = 64;
    uint8_t *wrapped = NULL;
    CK_RV rv = CKR_OK;

    switch (which) {
    case 0:
        rv = C_CreateObject(session, template, count, &made);
        break;
    case 1:
        rv = C_CopyObject(session, of, template, count, &made);
        break;
    case 2:
        rv = C_GenerateKey(session, &mechanism, template, count, &made);
        break;
    case 3:
        more_count = take_template(input, &blocks, more, TEMPLATE_MAX);
        rv = C_GenerateKeyPair(session, &mechanism, template, count, more, more_count, &made, &also);
        break;
    case 4:
        rv = C_DeriveKey(session, &mechanism, of, template, count, &made);
        break;
    default:
        wrapped = take_bytes(input, &nbytes);
        rv = C_UnwrapKey(session, &mechanism, of, wrapped, nbytes, template, count, &made);
        free(wrapped);
    }
    CALL(rv);
    if (rv == CKR_OK) {
        keep(made);
        if (also != 0)
            keep(also);
    }
}

static void use_message(struct input *input, uint8_t *kept, CK_ULONG kept_nbytes)
{
    CK_SESSION_HANDLE session = take_session(input);
    unsigned which = take_byte(input) % 4;
    uint8_t iv[12] = {0}, tag[16] = {0}, out[512 + 16];
    CK_GCM_MESSAGE_PARAMS gcm = {iv, sizeof iv, take_byte(input) % 97, take_byte(input) % 5, tag, 128};
    size_t nbytes = take_byte(input);
    uint8_t *data = take_bytes(input, &nbytes);
    CK_ULONG given = take_byte(input) % 2 == 0 ? sizeof out : take_byte(input), room = given;
    CK_RV rv = CKR_OK;

    if (which == 0)
        rv = C_EncryptMessage(session, &gcm, sizeof gcm, data, nbytes, data, nbytes, out, &given);
    else if (which == 1)
        rv = C_DecryptMessage(session, &gcm, sizeof gcm, NULL, 0, kept, kept_nbytes, out, &given);
    else if (which == 2)
        rv = C_EncryptMessageBegin(session, &gcm, sizeof gcm, data, nbytes);
    else
        rv = C_EncryptMessageNext(session, &gcm, sizeof gcm, data, nbytes, out, &given,
                                  take_byte(input) % 2 == 0 ? CKF_END_OF_MESSAGE : 0);
    CALL(rv);
    MUST(rv != CKR_OK || given <= room);
    free(data);
}

static void use_object(struct input *input)
{
    unsigned which = take_byte(input) % 6;
    CK_SESSION_HANDLE session = take_session(input);
    CK_OBJECT_HANDLE object = take_object(input), found[4];
    CK_ATTRIBUTE template[TEMPLATE_MAX];
    CK_ULONG count = which < 2 ? take_template(input, &blocks, template, TEMPLATE_MAX) : 0, nbytes = 512;
    CK_MECHANISM mechanism;
    uint8_t wrapped[512];

    switch (which) {
    case 0:
        CALL(C_SetAttributeValue(session, object, template, count));
        break;
    case 1:
        CALL(C_FindObjectsInit(session, template, count));
        break;
    case 2:
        CALL(C_FindObjects(session, found, 4, &count));
        break;
    case 3:
        CALL(C_FindObjectsFinal(session));
        break;
    case 4:
        mechanism = take_mechanism(input, &blocks);
        CALL(C_WrapKey(session, &mechanism, object, take_object(input), wrapped, &nbytes));
        break;
    default:
        CALL(C_DestroyObject(session, object));
    }
}

static void use_session(struct input *input, uint8_t *kept, CK_ULONG kept_nbytes)
{
    unsigned which = take_byte(input) % 12, index = take_byte(input) % SESSIONS;
    CK_SESSION_HANDLE session = sessions[index];
    CK_BYTE random[64];
    CK_SESSION_INFO info;

    switch (which) {
    case 0:
        CALL(C_CloseSession(session));
        break;
    case 1:
        CALL(C_OpenSession(0, CKF_SERIAL_SESSION | (take_byte(input) % 2 != 0 ? CKF_RW_SESSION : 0), NULL, NULL,
                           &sessions[index]));
        break;
    case 2:
        CALL(C_Logout(session));
        break;
    case 3:
        CALL(C_Login(session, take_byte(input) % 3, text(USER_PIN), strlen(USER_PIN)));
        break;
    case 4:
        CALL(C_SetOperationState(session, kept, kept_nbytes, 0, take_object(input)));
        break;
    case 5:
        CALL(C_DigestKey(session, take_object(input)));
        break;
    case 6:
        CALL(C_DigestUpdate(session, kept, kept_nbytes));
        break;
    case 7:
        CALL(C_SignUpdate(session, kept, kept_nbytes));
        break;
    case 8:
        CALL(C_VerifyUpdate(session, kept, kept_nbytes));
        break;
    case 9:
        CALL(C_VerifyFinal(session, kept, kept_nbytes));
        break;
    case 10:
        CALL(C_GenerateRandom(session, random, take_byte(input) % 65));
        break;
    default:
        CALL(C_GetSessionInfo(session, &info));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes)
{
    struct input input = {data, nbytes};
    uint8_t kept[512] = "some data";
    CK_ULONG kept_nbytes = 9;

    sessions[0] = fresh_session("safe");
    MUST(C_OpenSession(0, RW, NULL, NULL, &sessions[1]) == CKR_OK);
    MUST(C_OpenSession(0, CKF_SERIAL_SESSION, NULL, NULL, &sessions[2]) == CKR_OK);
    memset(objects, 0, sizeof objects);
    next_object = 0;
    for (unsigned calls = 0; input.nbytes > 0 && calls < 64 && blocks.count < BLOCKS_MAX / 2; calls++) {
        switch (take_byte(&input) % 8) {
        case 0:
            use_session(&input, kept, kept_nbytes);
            break;
        case 1:
        case 2:
            make_object(&input);
            break;
        case 3:
            use_object(&input);
            break;
        case 4:
            use_message(&input, kept, kept_nbytes);
            break;
        case 5:
            begin_operation(&input);
            break;
        default:
            give(&input, kept, &kept_nbytes);
        }
    }
    blocks_free(&blocks);
    return 0;
}

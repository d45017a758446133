/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: AES whose result depends on how a message is split, a length that is not exact, padding or tags that are not
 * checked, and plaintext that is returned although it is not authentic.
 */
#include "token.h"

#define MESSAGE_NBYTES 100

static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE key;
static CK_BYTE iv[16] = {1, 2, 3};
static CK_BYTE aad[5] = {9, 8, 7};
static CK_GCM_PARAMS gcm_params = {iv, 12, 96, aad, sizeof aad, 96};
static CK_AES_CTR_PARAMS ctr_params = {32, {5}};
static CK_MECHANISM ecb = {CKM_AES_ECB, NULL, 0};
static CK_MECHANISM cbc = {CKM_AES_CBC, iv, 16};
static CK_MECHANISM pad = {CKM_AES_CBC_PAD, iv, 16};
static CK_MECHANISM ctr = {CKM_AES_CTR, &ctr_params, sizeof ctr_params};
static CK_MECHANISM gcm = {CKM_AES_GCM, &gcm_params, sizeof gcm_params};
static CK_BYTE message[MESSAGE_NBYTES];

/* Decrypt in parts as a program does that asks for each length and allocates as much: memory of 0 bytes is NULL. */
static void allocated_parts(CK_MECHANISM *mechanism)
{
    CK_BYTE whole[MESSAGE_NBYTES + 32];
    CK_BYTE plain[MESSAGE_NBYTES + 32];
    CK_ULONG nbytes = sizeof whole;
    CK_ULONG at = 0;
    CK_ULONG room = 0;
    CK_ULONG part = 0;

    OK(p11->C_EncryptInit(session, mechanism, key));
    OK(p11->C_Encrypt(session, message, 80, whole, &nbytes));
    OK(p11->C_DecryptInit(session, mechanism, key));
    for (CK_ULONG i = 0; i < nbytes; i += part) {
        part = nbytes - i < 10 ? nbytes - i : 10;
        OK(p11->C_DecryptUpdate(session, whole + i, part, NULL, &room));
        OK(p11->C_DecryptUpdate(session, whole + i, part, room > 0 ? plain + at : NULL, &room));
        at += room;
    }
    OK(p11->C_DecryptFinal(session, NULL, &room));
    OK(p11->C_DecryptFinal(session, plain + at, &room));
    CHECK_EQ(at + room, 80);
    CHECK(memcmp(plain, message, 80) == 0);
}

/* Encrypt or decrypt in parts of `step` bytes, each with exactly the room that a first call returned. */
static CK_ULONG in_parts(bool encrypts, CK_MECHANISM *mechanism, const CK_BYTE *data, CK_ULONG nbytes, CK_ULONG step,
                         CK_BYTE *out)
{
    CK_ULONG at = 0;
    CK_BYTE nothing[1];

    OK(encrypts ? p11->C_EncryptInit(session, mechanism, key) : p11->C_DecryptInit(session, mechanism, key));
    for (CK_ULONG i = 0; i < nbytes; i += step) {
        CK_ULONG part = step < nbytes - i ? step : nbytes - i;
        CK_ULONG room = 0;
        CK_ULONG less = 0;
        CK_RV rv = CKR_OK;

        OK(encrypts ? p11->C_EncryptUpdate(session, (CK_BYTE *)data + i, part, NULL, &room)
                    : p11->C_DecryptUpdate(session, (CK_BYTE *)data + i, part, NULL, &room));
        CHECK(room > 0); /* so that nobody allocates 0 bytes and passes NULL, which would ask again */
        less = room - 1;
        rv = encrypts ? p11->C_EncryptUpdate(session, (CK_BYTE *)data + i, part, less ? out + at : nothing, &less)
                      : p11->C_DecryptUpdate(session, (CK_BYTE *)data + i, part, less ? out + at : nothing, &less);
        if (rv == CKR_OK) { /* the part gives nothing, and needs no room */
            CHECK_EQ(less, 0);
            continue;
        }
        CHECK_EQ(rv, CKR_BUFFER_TOO_SMALL);
        CHECK_EQ(less, room);
        OK(encrypts ? p11->C_EncryptUpdate(session, (CK_BYTE *)data + i, part, out + at, &less)
                    : p11->C_DecryptUpdate(session, (CK_BYTE *)data + i, part, out + at, &less));
        CHECK_EQ(less, room);
        at += room;
    }
    {
        CK_ULONG room = 0;

        OK(encrypts ? p11->C_EncryptFinal(session, NULL, &room) : p11->C_DecryptFinal(session, NULL, &room));
        CHECK(room <= MESSAGE_NBYTES + 32);
        OK(encrypts ? p11->C_EncryptFinal(session, out + at, &room) : p11->C_DecryptFinal(session, out + at, &room));
        at += room;
    }
    return at;
}

static void all_cuts(CK_MECHANISM *mechanism, CK_ULONG unit)
{
    for (CK_ULONG nbytes = 0; nbytes <= MESSAGE_NBYTES; nbytes += unit) {
        CK_BYTE whole[MESSAGE_NBYTES + 32];
        CK_BYTE parts[MESSAGE_NBYTES + 32];
        CK_ULONG whole_nbytes = 0;

        OK(p11->C_EncryptInit(session, mechanism, key));
        OK(p11->C_Encrypt(session, message, nbytes, NULL, &whole_nbytes));
        OK(p11->C_Encrypt(session, message, nbytes, whole, &whole_nbytes));
        for (CK_ULONG step = 1; step <= nbytes + 1; step += 1 + step / 3) {
            CHECK_EQ(in_parts(true, mechanism, message, nbytes, step, parts), whole_nbytes);
            CHECK(memcmp(whole, parts, whole_nbytes) == 0);
            CHECK_EQ(in_parts(false, mechanism, whole, whole_nbytes, step, parts), nbytes);
            CHECK(memcmp(message, parts, nbytes) == 0);
        }
        if (nbytes > 0) { /* in place, with exactly the room that the plaintext needs */
            CK_ULONG room = nbytes;

            memcpy(parts, whole, whole_nbytes);
            OK(p11->C_DecryptInit(session, mechanism, key));
            room = nbytes - 1;
            EXPECT(p11->C_Decrypt(session, parts, whole_nbytes, parts, &room), CKR_BUFFER_TOO_SMALL);
            CHECK_EQ(room, nbytes);
            OK(p11->C_Decrypt(session, parts, whole_nbytes, parts, &room));
            CHECK_EQ(room, nbytes);
            CHECK(memcmp(parts, message, nbytes) == 0);
        }
    }
}

static void lengths(void)
{
    CK_BYTE out[256];
    CK_ULONG nbytes = sizeof out;

    OK(p11->C_EncryptInit(session, &cbc, key));
    EXPECT(p11->C_Encrypt(session, message, 15, out, &nbytes), CKR_DATA_LEN_RANGE);
    OK(p11->C_DecryptInit(session, &cbc, key));
    EXPECT(p11->C_Decrypt(session, message, 15, out, &nbytes), CKR_ENCRYPTED_DATA_LEN_RANGE);
    OK(p11->C_EncryptInit(session, &ecb, key));
    nbytes = sizeof out;
    OK(p11->C_EncryptUpdate(session, message, 15, out, &nbytes));
    EXPECT(p11->C_EncryptFinal(session, out, &nbytes), CKR_DATA_LEN_RANGE);
    EXPECT(p11->C_EncryptFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_DecryptInit(session, &ecb, key));
    nbytes = sizeof out;
    OK(p11->C_DecryptUpdate(session, message, 15, out, &nbytes));
    EXPECT(p11->C_DecryptFinal(session, out, &nbytes), CKR_ENCRYPTED_DATA_LEN_RANGE);
    OK(p11->C_DecryptInit(session, &pad, key));
    nbytes = sizeof out;
    EXPECT(p11->C_Decrypt(session, message, 0, out, &nbytes), CKR_ENCRYPTED_DATA_LEN_RANGE);
    OK(p11->C_DecryptInit(session, &pad, key));
    nbytes = sizeof out;
    EXPECT(p11->C_Decrypt(session, message, 32, out, &nbytes), CKR_ENCRYPTED_DATA_INVALID);
    OK(p11->C_DecryptInit(session, &pad, key));
    EXPECT(p11->C_DecryptFinal(session, out, &nbytes), CKR_ENCRYPTED_DATA_LEN_RANGE);
    OK(p11->C_DecryptInit(session, &gcm, key));
    EXPECT(p11->C_Decrypt(session, message, 11, out, &nbytes), CKR_ENCRYPTED_DATA_LEN_RANGE);
    OK(p11->C_DecryptInit(session, &gcm, key));
    nbytes = sizeof out;
    OK(p11->C_DecryptUpdate(session, message, 11, out, &nbytes));
    CHECK_EQ(nbytes, 0);
    nbytes = sizeof out;
    EXPECT(p11->C_DecryptFinal(session, out, &nbytes), CKR_ENCRYPTED_DATA_LEN_RANGE);
}

static void forgeries(void)
{
    CK_BYTE whole[128];
    CK_BYTE out[128];
    CK_ULONG nbytes = sizeof whole;
    CK_ULONG room = sizeof out;

    OK(p11->C_EncryptInit(session, &gcm, key));
    OK(p11->C_Encrypt(session, message, 40, whole, &nbytes));
    CHECK_EQ(nbytes, 40 + 12);
    for (CK_ULONG at = 0; at < nbytes; at += 13) {
        whole[at] ^= 1;
        memset(out, 0x55, sizeof out);
        room = sizeof out;
        OK(p11->C_DecryptInit(session, &gcm, key));
        EXPECT(p11->C_Decrypt(session, whole, nbytes, out, &room), CKR_ENCRYPTED_DATA_INVALID);
        CHECK(out[0] == 0x55 && out[39] == 0x55); /* nothing was written */
        OK(p11->C_DecryptInit(session, &gcm, key));
        room = sizeof out;
        OK(p11->C_DecryptUpdate(session, whole, nbytes, out, &room));
        room = sizeof out;
        EXPECT(p11->C_DecryptFinal(session, out, &room), CKR_ENCRYPTED_DATA_INVALID);
        whole[at] ^= 1;
    }
    aad[0] ^= 1;
    OK(p11->C_DecryptInit(session, &gcm, key));
    room = sizeof out;
    EXPECT(p11->C_Decrypt(session, whole, nbytes, out, &room), CKR_ENCRYPTED_DATA_INVALID);
    aad[0] ^= 1;
}

static void parameters(void)
{
    CK_GCM_PARAMS bad = gcm_params;
    CK_MECHANISM mechanism = {CKM_AES_GCM, &bad, sizeof bad};
    CK_AES_CTR_PARAMS few = {1, {0}};
    CK_MECHANISM counter = {CKM_AES_CTR, &few, sizeof few};
    CK_MECHANISM no_iv = {CKM_AES_CBC, NULL, 0};
    CK_MECHANISM short_iv = {CKM_AES_CBC, iv, 15};
    CK_MECHANISM lying = {CKM_AES_CBC, NULL, 16};
    CK_MECHANISM hash = {CKM_SHA256, NULL, 0};
    CK_BYTE out[64];
    CK_ULONG nbytes = sizeof out;
    CK_ATTRIBUTE no_encrypt = {CKA_ENCRYPT, &no, 1};
    CK_OBJECT_HANDLE generic = secret_key(session, CKK_GENERIC_SECRET, "0123456789abcdef", 16);
    CK_OBJECT_HANDLE other = secret_key(session, CKK_AES, "0123456789abcdef", 16);

    bad.ulTagBits = 100;
    EXPECT(p11->C_EncryptInit(session, &mechanism, key), CKR_MECHANISM_PARAM_INVALID);
    bad.ulTagBits = 128;
    bad.ulIvLen = 0;
    EXPECT(p11->C_EncryptInit(session, &mechanism, key), CKR_MECHANISM_PARAM_INVALID);
    bad.ulIvLen = 12;
    bad.pAAD = NULL;
    EXPECT(p11->C_EncryptInit(session, &mechanism, key), CKR_MECHANISM_PARAM_INVALID);
    mechanism.ulParameterLen = 5;
    EXPECT(p11->C_EncryptInit(session, &mechanism, key), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_EncryptInit(session, &no_iv, key), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_EncryptInit(session, &short_iv, key), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_EncryptInit(session, &lying, key), CKR_MECHANISM_PARAM_INVALID);
    EXPECT(p11->C_EncryptInit(session, &hash, key), CKR_MECHANISM_INVALID);
    EXPECT(p11->C_EncryptInit(session, NULL, key), CKR_ARGUMENTS_BAD);
    EXPECT(p11->C_EncryptInit(session, &cbc, 1), CKR_KEY_HANDLE_INVALID);
    EXPECT(p11->C_EncryptInit(session, &cbc, generic), CKR_KEY_TYPE_INCONSISTENT);
    OK(p11->C_SetAttributeValue(session, other, &no_encrypt, 1));
    EXPECT(p11->C_EncryptInit(session, &cbc, other), CKR_KEY_FUNCTION_NOT_PERMITTED);
    few.ulCounterBits = 129;
    EXPECT(p11->C_EncryptInit(session, &counter, key), CKR_MECHANISM_PARAM_INVALID);
    few.ulCounterBits = 1; /* the counter allows two blocks */
    OK(p11->C_EncryptInit(session, &counter, key));
    OK(p11->C_EncryptUpdate(session, message, 32, out, &nbytes));
    nbytes = sizeof out;
    EXPECT(p11->C_EncryptUpdate(session, message, 1, out, &nbytes), CKR_DATA_LEN_RANGE);
}

static void ends(void)
{
    CK_BYTE out[64];
    CK_ULONG nbytes = sizeof out;

    EXPECT(p11->C_Encrypt(session, message, 16, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_EncryptUpdate(session, message, 16, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_EncryptFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_Decrypt(session, message, 16, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_DecryptUpdate(session, message, 16, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    EXPECT(p11->C_DecryptFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_EncryptInit(session, &cbc, key));
    EXPECT(p11->C_EncryptInit(session, &cbc, key), CKR_OPERATION_ACTIVE);
    EXPECT(p11->C_DecryptInit(session, &cbc, key), CKR_OPERATION_ACTIVE);
    OK(p11->C_EncryptUpdate(session, message, 16, out, &nbytes));
    EXPECT(p11->C_Encrypt(session, message, 16, out, &nbytes), CKR_OPERATION_ACTIVE);
    EXPECT(p11->C_EncryptFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
    OK(p11->C_EncryptInit(session, &cbc, key));
    EXPECT(p11->C_Encrypt(session, NULL, 16, out, &nbytes), CKR_ARGUMENTS_BAD);
    OK(p11->C_EncryptInit(session, &cbc, key));
    EXPECT(p11->C_Encrypt(session, message, 16, out, NULL), CKR_ARGUMENTS_BAD);
    OK(p11->C_DecryptInit(session, &cbc, key));
    EXPECT(p11->C_DecryptUpdate(session, NULL, 1, out, &nbytes), CKR_ARGUMENTS_BAD);
    OK(p11->C_DecryptInit(session, &cbc, key));
    OK(p11->C_SessionCancel(session, CKF_DECRYPT));
    EXPECT(p11->C_DecryptFinal(session, out, &nbytes), CKR_OPERATION_NOT_INITIALIZED);
}

int main(void)
{
    token_start();
    session = user_session();
    key = secret_key(session, CKK_AES, "0123456789abcdef0123456789abcdef", 32);
    check_fill(message, sizeof message);
    all_cuts(&ecb, 16);
    all_cuts(&cbc, 16);
    all_cuts(&pad, 1);
    all_cuts(&ctr, 1);
    all_cuts(&gcm, 1);
    allocated_parts(&cbc);
    allocated_parts(&ctr);
    allocated_parts(&gcm);
    lengths();
    forgeries();
    parameters();
    ends();
    OK(p11->C_Finalize(NULL));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * memory_calls.h - the calls of memory.c: one for each kind of work that the token does, with the keys that they need.
 */
#ifndef TOKEN_TESTS_MEMORY_CALLS_H
#define TOKEN_TESTS_MEMORY_CALLS_H

#include "rsa.h"
#include "store_files.h"

static CK_SESSION_HANDLE session;
static CK_OBJECT_HANDLE aes, wrapping, generic, ec_public, ec_private, edwards_public, edwards_private, rsa_public,
    rsa_private;
static CK_BYTE data[1000], iv[16], wrapped[64];
static CK_ULONG wrapped_nbytes;

/* The signature that was made last, if its length is not 0. */
static struct {
    CK_MECHANISM mechanism;
    CK_OBJECT_HANDLE verifying;
    CK_BYTE bytes[RSA_NBYTES];
    CK_ULONG nbytes;
} signature;

static CK_RV open_and_close(void)
{
    CK_SESSION_HANDLE other = 0;
    CK_RV rv = p11->C_OpenSession(0, RO, NULL, NULL, &other);

    return rv == CKR_OK ? p11->C_CloseSession(other) : rv;
}

static CK_RV create_key(void)
{
    static CK_OBJECT_CLASS secret = CKO_SECRET_KEY;
    static CK_KEY_TYPE type = CKK_AES;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret, sizeof secret},
                               {CKA_KEY_TYPE, &type, sizeof type},
                               {CKA_VALUE, data, 32},
                               {CKA_LABEL, data, sizeof data}};
    CK_OBJECT_HANDLE made = 0;

    return p11->C_CreateObject(session, template, COUNT(template), &made);
}

static CK_RV create_public_key(void)
{
    CK_BYTE point[67];
    CK_ATTRIBUTE asked = {CKA_EC_POINT, point, sizeof point};
    static CK_OBJECT_CLASS public = CKO_PUBLIC_KEY;
    static CK_KEY_TYPE type = CKK_EC;
    CK_OBJECT_HANDLE made = 0;
    CK_RV rv = p11->C_GetAttributeValue(session, ec_public, &asked, 1);
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &public, sizeof public},
                               {CKA_KEY_TYPE, &type, sizeof type},
                               {CKA_EC_PARAMS, p256, sizeof p256},
                               {CKA_EC_POINT, point, sizeof point}};

    return rv == CKR_OK ? p11->C_CreateObject(session, template, COUNT(template), &made) : rv;
}

static CK_RV generate_key(void)
{
    CK_MECHANISM mechanism = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG nbytes = 32;
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &nbytes, sizeof nbytes}};
    CK_OBJECT_HANDLE made = 0;

    return p11->C_GenerateKey(session, &mechanism, template, 1, &made);
}

static CK_RV generate_pair(void)
{
    CK_MECHANISM mechanism = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE template[] = {{CKA_EC_PARAMS, p256, sizeof p256}};
    CK_OBJECT_HANDLE made = 0, also = 0;

    return p11->C_GenerateKeyPair(session, &mechanism, template, 1, NULL, 0, &made, &also);
}

static CK_RV copy_and_change(void)
{
    CK_ATTRIBUTE label = {CKA_LABEL, data, 300};
    CK_OBJECT_HANDLE made = 0;
    CK_RV rv = p11->C_CopyObject(session, generic, &label, 1, &made);

    return rv == CKR_OK ? p11->C_SetAttributeValue(session, made, &label, 1) : rv;
}

static CK_RV encrypt(void)
{
    CK_MECHANISM mechanism = {CKM_AES_CBC_PAD, iv, sizeof iv};
    CK_BYTE out[sizeof data + 16];
    CK_ULONG nbytes = sizeof out, last = sizeof out;
    CK_RV rv = p11->C_EncryptInit(session, &mechanism, aes);

    if (rv == CKR_OK) {
        rv = p11->C_EncryptUpdate(session, data, 100, out, &nbytes);
    }
    return rv == CKR_OK ? p11->C_EncryptFinal(session, out, &last) : rv;
}

static CK_RV decrypt_gcm(void)
{
    CK_GCM_PARAMS gcm = {iv, 12, 96, data, 20, 128};
    CK_MECHANISM mechanism = {CKM_AES_GCM, &gcm, sizeof gcm};
    CK_BYTE out[sizeof data], text_out[sizeof data];
    CK_ULONG nbytes = sizeof out, text_nbytes = sizeof text_out, last = sizeof text_out;
    CK_RV rv = p11->C_EncryptInit(session, &mechanism, aes);

    if (rv == CKR_OK) {
        rv = p11->C_Encrypt(session, data, 500, out, &nbytes);
    }
    if (rv == CKR_OK) {
        rv = p11->C_DecryptInit(session, &mechanism, aes);
    }
    if (rv == CKR_OK) {
        rv = p11->C_DecryptUpdate(session, out, nbytes, text_out, &text_nbytes);
    }
    return rv == CKR_OK ? p11->C_DecryptFinal(session, text_out, &last) : rv;
}

static CK_RV digest_in_two_sessions(void)
{
    CK_MECHANISM mechanism = {CKM_SHA256, NULL, 0};
    CK_BYTE state[64], digest[32];
    CK_ULONG nbytes = sizeof state, digest_nbytes = sizeof digest;
    CK_RV rv = p11->C_DigestInit(session, &mechanism);

    if (rv == CKR_OK) {
        rv = p11->C_DigestUpdate(session, data, 100);
    }
    if (rv == CKR_OK) {
        rv = p11->C_GetOperationState(session, state, &nbytes);
    }
    if (rv == CKR_OK) {
        rv = p11->C_SetOperationState(session, state, nbytes, 0, 0);
    }
    return rv == CKR_OK ? p11->C_DigestFinal(session, digest, &digest_nbytes) : rv;
}

static CK_RV verify(void)
{
    CK_RV rv = p11->C_VerifyInit(session, &signature.mechanism, signature.verifying);

    return rv == CKR_OK ? p11->C_Verify(session, data, 100, signature.bytes, signature.nbytes) : rv;
}

/* Each signature is of other bytes, so that an earlier one that was left somewhere in memory is a wrong one. */
static CK_RV sign(CK_MECHANISM_TYPE type, CK_OBJECT_HANDLE key, CK_OBJECT_HANDLE verifying)
{
    CK_ULONG nbytes = sizeof signature.bytes;
    CK_RV rv = CKR_OK;

    signature.mechanism = (CK_MECHANISM){type, NULL, 0};
    signature.verifying = verifying;
    signature.nbytes = 0;
    for (size_t i = 0; i < 100 && ++data[i] == 0; i++) {
    }
    rv = p11->C_SignInit(session, &signature.mechanism, key);
    if (rv == CKR_OK) {
        rv = p11->C_Sign(session, data, 100, signature.bytes, &nbytes);
    }
    if (rv == CKR_OK) {
        signature.nbytes = nbytes;
        rv = verify();
    }
    return rv;
}

static CK_RV sign_hmac(void)
{
    return sign(CKM_SHA256_HMAC, generic, generic);
}

static CK_RV sign_ecdsa(void)
{
    return sign(CKM_ECDSA_SHA256, ec_private, ec_public);
}

static CK_RV sign_eddsa(void)
{
    return sign(CKM_EDDSA, edwards_private, edwards_public);
}

static CK_RV sign_rsa(void)
{
    return sign(CKM_SHA256_RSA_PKCS, rsa_private, rsa_public);
}

static CK_RV sign_rsa_data(void)
{
    return sign(CKM_RSA_PKCS, rsa_private, rsa_public);
}

static CK_RV wrap(void)
{
    CK_MECHANISM mechanism = {CKM_AES_KEY_WRAP_KWP, NULL, 0};

    wrapped_nbytes = sizeof wrapped;
    return p11->C_WrapKey(session, &mechanism, wrapping, generic, wrapped, &wrapped_nbytes);
}

static CK_RV unwrap(void)
{
    static CK_OBJECT_CLASS secret = CKO_SECRET_KEY;
    static CK_KEY_TYPE type = CKK_GENERIC_SECRET;
    CK_MECHANISM mechanism = {CKM_AES_KEY_WRAP_KWP, NULL, 0};
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret, sizeof secret}, {CKA_KEY_TYPE, &type, sizeof type}};
    CK_OBJECT_HANDLE made = 0;

    return p11->C_UnwrapKey(session, &mechanism, wrapping, wrapped, wrapped_nbytes, template, 2, &made);
}

/* Without a key derivation function: libcrypto 3.0 dereferences NULL where it has no memory for the state of one. */
static CK_RV derive(void)
{
    static CK_OBJECT_CLASS secret = CKO_SECRET_KEY;
    static CK_KEY_TYPE type = CKK_AES;
    CK_BYTE point[67];
    CK_ATTRIBUTE asked = {CKA_EC_POINT, point, sizeof point};
    CK_ULONG nbytes = 32;
    CK_RV rv = p11->C_GetAttributeValue(session, ec_public, &asked, 1);
    CK_ECDH1_DERIVE_PARAMS parameters = {CKD_NULL, 0, NULL, sizeof point, point};
    CK_MECHANISM mechanism = {CKM_ECDH1_DERIVE, &parameters, sizeof parameters};
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret, sizeof secret},
                               {CKA_KEY_TYPE, &type, sizeof type},
                               {CKA_VALUE_LEN, &nbytes, sizeof nbytes}};
    CK_OBJECT_HANDLE made = 0;

    return rv == CKR_OK ? p11->C_DeriveKey(session, &mechanism, ec_private, template, 3, &made) : rv;
}

static CK_RV find(void)
{
    CK_OBJECT_HANDLE found[8];
    CK_ULONG count = 0;
    CK_RV rv = p11->C_FindObjectsInit(session, NULL, 0);

    if (rv == CKR_OK) {
        rv = p11->C_FindObjects(session, found, 8, &count);
        p11->C_FindObjectsFinal(session);
    }
    return rv;
}

static const struct {
    const char *name;
    CK_RV (*make)(void);
    CK_ULONG objects; /* that it makes */
} deeds[] = {
    {"C_OpenSession", open_and_close, 0},
    {"C_CreateObject", create_key, 1},
    {"a public key", create_public_key, 1},
    {"C_GenerateKey", generate_key, 1},
    {"C_GenerateKeyPair", generate_pair, 2},
    {"C_CopyObject", copy_and_change, 1},
    {"C_Encrypt", encrypt, 0},
    {"GCM", decrypt_gcm, 0},
    {"C_Digest", digest_in_two_sessions, 0},
    {"HMAC", sign_hmac, 0},
    {"ECDSA", sign_ecdsa, 0},
    {"Ed25519", sign_eddsa, 0},
    {"RSA", sign_rsa, 0},
    {"RSA of data", sign_rsa_data, 0},
    {"C_WrapKey", wrap, 0},
    {"C_UnwrapKey", unwrap, 1},
    {"C_DeriveKey", derive, 1},
    {"C_FindObjects", find, 0},
};

#endif

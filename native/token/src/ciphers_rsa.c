/* SPDX-License-Identifier: Apache-2.0
 *
 * ciphers_rsa.c - encryption and decryption by RSA: PKCS #1 v1.5, OAEP, and raw.
 */
#include "ciphers_rsa.h"

#include <string.h>

#include <openssl/crypto.h>

#include "rsa.h"

CK_RV rsa_cipher_start(struct session *session, enum cipher_kind kind, const struct mechanism *mechanism,
                       const CK_MECHANISM *wanted, CK_OBJECT_HANDLE handle)
{
    struct cipher_operation *cipher = &session->cipher;
    bool encrypts = kind == CIPHER_ENCRYPT;
    struct object *key = NULL;
    EVP_PKEY_CTX *pkey = NULL;
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = key_find(session, handle, encrypts ? CKO_PUBLIC_KEY : CKO_PRIVATE_KEY, encrypts ? CKA_ENCRYPT : CKA_DECRYPT,
                  mechanism, &key);
    if (rv == CKR_OK) {
        rv = rsa_context(key->key, encrypts ? RSA_ENCRYPT : RSA_DECRYPT, mechanism, wanted, &pkey);
    }
    if (rv == CKR_OK) {
        cipher->kind = kind;
        cipher->mechanism = mechanism;
        cipher->pkey = pkey;
        cipher->must_login = attribute_bool(key, CKA_ALWAYS_AUTHENTICATE);
    }
    lock_give(&module->lock);
    return rv;
}

CK_RV rsa_encrypt(struct cipher_operation *cipher, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                  CK_ULONG *io_nbytes, bool *out_goes_on)
{
    bool is_raw = cipher->mechanism->family == FAMILY_RSA_RAW;
    CK_ULONG modulus_nbytes = rsa_nbytes(cipher->pkey);
    uint8_t input[RSA_MAX_NBYTES];
    size_t written = modulus_nbytes;
    bool asked = false;
    CK_RV rv = CKR_OK;

    if (nbytes > rsa_input_max(cipher->pkey, cipher->mechanism)) {
        return CKR_DATA_LEN_RANGE;
    }
    rv = output_room(out, io_nbytes, modulus_nbytes, &asked);
    *out_goes_on = asked || rv == CKR_BUFFER_TOO_SMALL;
    if (*out_goes_on) {
        return rv;
    }
    rsa_fill(data, nbytes, input, is_raw ? modulus_nbytes : nbytes);
    if (EVP_PKEY_encrypt(cipher->pkey, out, &written, input, is_raw ? modulus_nbytes : nbytes) != 1) {
        rv = is_raw ? CKR_DATA_INVALID : CKR_FUNCTION_FAILED; /* a number that is not below the modulus */
    }
    OPENSSL_cleanse(input, sizeof input);
    return rv;
}

CK_RV rsa_decrypt(struct cipher_operation *cipher, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                  CK_ULONG *io_nbytes, bool *out_goes_on)
{
    CK_ULONG modulus_nbytes = rsa_nbytes(cipher->pkey);
    CK_ULONG room = *io_nbytes;
    uint8_t plain[RSA_MAX_NBYTES];
    size_t written = sizeof plain;
    CK_RV rv = CKR_OK;

    if (nbytes != modulus_nbytes) {
        return CKR_ENCRYPTED_DATA_LEN_RANGE;
    }
    *out_goes_on = out == NULL;
    if (out == NULL) {
        *io_nbytes = modulus_nbytes;
        return CKR_OK;
    }
    if (cipher->must_login) {
        return CKR_USER_NOT_LOGGED_IN;
    }
    if (EVP_PKEY_decrypt(cipher->pkey, plain, &written, data, nbytes) != 1) {
        rv = CKR_ENCRYPTED_DATA_INVALID;
    } else {
        *io_nbytes = written;
        *out_goes_on = written > room;
        rv = *out_goes_on ? CKR_BUFFER_TOO_SMALL : CKR_OK;
    }
    if (rv == CKR_OK && written > 0) {
        memcpy(out, plain, written);
    }
    OPENSSL_cleanse(plain, sizeof plain);
    return rv;
}

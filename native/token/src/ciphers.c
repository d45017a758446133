/* SPDX-License-Identifier: Apache-2.0
 *
 * ciphers.c - AES by libcrypto, in parts whose length is known beforehand.
 */
#include "ciphers.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#define GCM_IV_USUAL_NBYTES 12 /* the length that a new context of libcrypto expects */

CK_RV cipher_context(EVP_CIPHER_CTX **io_ctx, const EVP_CIPHER *algorithm, bool encrypts, const uint8_t *key,
                     const uint8_t *iv, size_t gcm_iv_nbytes)
{
    if (algorithm == NULL) {
        return CKR_MECHANISM_INVALID;
    }
    if (*io_ctx == NULL) {
        *io_ctx = EVP_CIPHER_CTX_new();
        if (*io_ctx == NULL) {
            return CKR_HOST_MEMORY;
        }
    }
    EVP_CIPHER_CTX_set_flags(*io_ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (gcm_iv_nbytes > 0 && gcm_iv_nbytes != GCM_IV_USUAL_NBYTES) {
        if (EVP_CipherInit_ex2(*io_ctx, algorithm, NULL, NULL, encrypts, NULL) != 1 ||
            EVP_CIPHER_CTX_ctrl(*io_ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)gcm_iv_nbytes, NULL) != 1) {
            return CKR_FUNCTION_FAILED;
        }
        algorithm = NULL;
    }
    return EVP_CipherInit_ex2(*io_ctx, algorithm, key, iv, encrypts, NULL) == 1 ? CKR_OK : CKR_FUNCTION_FAILED;
}

bool gcm_tag_fits(CK_ULONG bits)
{
    return bits == 32 || bits == 64 || (bits >= 96 && bits <= 128 && bits % 8 == 0);
}

CK_RV gcm_associate(EVP_CIPHER_CTX *ctx, const uint8_t *data, CK_ULONG nbytes)
{
    while (nbytes > 0) {
        CK_ULONG chunk = nbytes < SURRENDER_NBYTES ? nbytes : SURRENDER_NBYTES;
        int unused = 0;

        if (EVP_CipherUpdate(ctx, NULL, &unused, data, (int)chunk) != 1) {
            return CKR_FUNCTION_FAILED;
        }
        data += chunk;
        nbytes -= chunk;
    }
    return CKR_OK;
}

/* ---- parts
 * ----------------------------------------------------------------------------------------------------------- */

CK_ULONG cipher_update_nbytes(const struct cipher_operation *cipher, CK_ULONG nbytes)
{
    CK_ULONG total = cipher->buffered + nbytes;

    switch (cipher->mechanism->family) {
    case FAMILY_AES_GCM:
        return cipher->kind == CIPHER_DECRYPT ? 0 : nbytes;
    case FAMILY_AES_CTR:
        return nbytes;
    case FAMILY_AES_PAD:
        if (cipher->kind == CIPHER_DECRYPT) { /* hold the last block back, which may contain the padding */
            return total > 0 ? (total - 1) / BLOCK_NBYTES * BLOCK_NBYTES : 0;
        }
        return total / BLOCK_NBYTES * BLOCK_NBYTES;
    default:
        return total / BLOCK_NBYTES * BLOCK_NBYTES;
    }
}

CK_RV cipher_hold(struct cipher_operation *cipher, const uint8_t *data, CK_ULONG nbytes)
{
    if (nbytes > cipher->held_capacity - cipher->held_nbytes) {
        CK_ULONG capacity = cipher->held_capacity * 2 + nbytes;
        uint8_t *held = capacity > nbytes || cipher->held_capacity == 0 ? malloc(capacity) : NULL;

        if (held == NULL) {
            return CKR_HOST_MEMORY;
        }
        if (cipher->held != NULL) {
            memcpy(held, cipher->held, cipher->held_nbytes);
            free(cipher->held);
        }
        cipher->held = held;
        cipher->held_capacity = capacity;
    }
    if (nbytes > 0) {
        memcpy(cipher->held + cipher->held_nbytes, data, nbytes);
        cipher->held_nbytes += nbytes;
    }
    return CKR_OK;
}

/* Process by libcrypto, in pieces between which the application's callback is called. */
static CK_RV process(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    struct cipher_operation *cipher = &session->cipher;
    CK_RV rv = CKR_OK;

    while (nbytes > 0 && rv == CKR_OK) {
        CK_ULONG chunk = nbytes < SURRENDER_NBYTES ? nbytes : SURRENDER_NBYTES;
        int written = 0;

        if (EVP_CipherUpdate(cipher->ctx, out, &written, data, (int)chunk) != 1) {
            return CKR_FUNCTION_FAILED;
        }
        out += written;
        data += chunk;
        nbytes -= chunk;
        if (nbytes > 0) {
            rv = session_surrender(session);
        }
    }
    return rv;
}

CK_RV cipher_update(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    struct cipher_operation *cipher = &session->cipher;
    CK_ULONG written = cipher_update_nbytes(cipher, nbytes);

    if (cipher->mechanism->family == FAMILY_AES_GCM && cipher->kind == CIPHER_DECRYPT) {
        return cipher_hold(cipher, data, nbytes);
    }
    if (cipher->mechanism->family == FAMILY_AES_CTR) {
        if (nbytes > cipher->bytes_left) {
            return cipher->kind == CIPHER_DECRYPT ? CKR_ENCRYPTED_DATA_LEN_RANGE : CKR_DATA_LEN_RANGE;
        }
        cipher->bytes_left -= cipher->bytes_left != UINT64_MAX ? nbytes : 0;
    }
    cipher->buffered += nbytes - written;
    return process(session, data, nbytes, out);
}

CK_RV decrypt_held(struct session *session, uint8_t *out)
{
    struct cipher_operation *cipher = &session->cipher;
    CK_ULONG nbytes = cipher->held_nbytes - cipher->tag_nbytes;
    uint8_t none[BLOCK_NBYTES];
    int written = 0;
    CK_RV rv = process(session, cipher->held, nbytes, cipher->held);

    if (rv == CKR_OK &&
        EVP_CIPHER_CTX_ctrl(cipher->ctx, EVP_CTRL_AEAD_SET_TAG, (int)cipher->tag_nbytes, cipher->held + nbytes) != 1) {
        rv = CKR_FUNCTION_FAILED;
    }
    if (rv == CKR_OK && EVP_DecryptFinal_ex(cipher->ctx, none, &written) != 1) {
        rv = CKR_ENCRYPTED_DATA_INVALID;
    }
    if (rv == CKR_OK && nbytes > 0) { /* nobody, nor a callback meanwhile, sees plaintext that is not authenticated */
        memcpy(out, cipher->held, nbytes);
    }
    return rv;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * ciphers.c - AES by libcrypto, in parts whose length is known beforehand.
 */
#include "ciphers.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#define GCM_IV_MAX_NBYTES 256
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

/* ---- begin
 * ----------------------------------------------------------------------------------------------------------- */

static CK_RV start_gcm(struct cipher_operation *cipher, const CK_MECHANISM *wanted, const EVP_CIPHER *algorithm,
                       bool encrypts, const uint8_t *key)
{
    CK_GCM_PARAMS params;
    CK_RV rv = CKR_OK;

    if (wanted->ulParameterLen != sizeof params) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&params, wanted->pParameter, sizeof params);
    if (params.pIv == NULL || params.ulIvLen == 0 || params.ulIvLen > GCM_IV_MAX_NBYTES ||
        (params.pAAD == NULL && params.ulAADLen > 0) || !gcm_tag_fits(params.ulTagBits)) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    cipher->tag_nbytes = params.ulTagBits / 8;
    rv = cipher_context(&cipher->ctx, algorithm, encrypts, key, params.pIv, params.ulIvLen);
    return rv == CKR_OK ? gcm_associate(cipher->ctx, params.pAAD, params.ulAADLen) : rv;
}

static CK_RV start_ctr(struct cipher_operation *cipher, const CK_MECHANISM *wanted, const EVP_CIPHER *algorithm,
                       const uint8_t *key)
{
    CK_AES_CTR_PARAMS params;
    uint64_t counter = 0;

    if (wanted->ulParameterLen != sizeof params) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&params, wanted->pParameter, sizeof params);
    if (params.ulCounterBits < 1 || params.ulCounterBits > 128) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    cipher->bytes_left = UINT64_MAX; /* no limit that could be reached */
    if (params.ulCounterBits < 60) {
        for (size_t i = 8; i < sizeof params.cb; i++) {
            counter = counter << 8 | params.cb[i];
        }
        counter &= ((uint64_t)1 << params.ulCounterBits) - 1;
        cipher->bytes_left = (((uint64_t)1 << params.ulCounterBits) - counter) * BLOCK_NBYTES;
    }
    return cipher_context(&cipher->ctx, algorithm, true, key, params.cb, 0); /* CTR encrypts and decrypts alike */
}

static CK_RV start_blocks(struct cipher_operation *cipher, const CK_MECHANISM *wanted, const EVP_CIPHER *algorithm,
                          bool encrypts, const uint8_t *key)
{
    bool has_iv = cipher->mechanism->mode == MODE_CBC;
    CK_RV rv = CKR_OK;

    if (wanted->ulParameterLen != (has_iv ? BLOCK_NBYTES : 0)) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    if (has_iv) {
        memcpy(cipher->iv, wanted->pParameter, BLOCK_NBYTES);
    }
    rv = cipher_context(&cipher->ctx, algorithm, encrypts, key, has_iv ? cipher->iv : NULL, 0);
    if (rv == CKR_OK) {
        EVP_CIPHER_CTX_set_padding(cipher->ctx, cipher->mechanism->family == FAMILY_AES_PAD);
    }
    return rv;
}

/* Copy the value of the key, so that the module's lock need not be held for the rest. */
static CK_RV copy_key(struct session *session, CK_OBJECT_HANDLE handle, bool encrypts,
                      const struct mechanism *mechanism, uint8_t *out, CK_ULONG *out_nbytes)
{
    struct object *key = NULL;
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = key_find(session, handle, CKO_SECRET_KEY, encrypts ? CKA_ENCRYPT : CKA_DECRYPT, mechanism, &key);
    if (rv == CKR_OK) {
        const struct attribute *value = attribute_find(key, CKA_VALUE);

        memcpy(out, attribute_bytes(value), value->nbytes);
        *out_nbytes = value->nbytes;
    }
    lock_give(&module->lock);
    return rv;
}

CK_RV cipher_start(struct session *session, enum cipher_kind kind, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE handle)
{
    static const CK_FLAGS flags[] = {0, CKF_ENCRYPT, CKF_DECRYPT, CKF_MESSAGE_ENCRYPT, CKF_MESSAGE_DECRYPT};
    struct cipher_operation *cipher = &session->cipher;
    const struct mechanism *mechanism = NULL;
    const EVP_CIPHER *algorithm = NULL;
    bool encrypts = kind == CIPHER_ENCRYPT || kind == CIPHER_MESSAGE_ENCRYPT;
    uint8_t key[KEY_MAX_NBYTES];
    CK_ULONG key_nbytes = 0;
    CK_RV rv = CKR_OK;

    if (wanted == NULL) {
        return cipher_cancel(cipher, kind);
    }
    rv = mechanism_choose(wanted, flags[kind], &mechanism);
    if (rv == CKR_OK && cipher->kind != CIPHER_NONE) {
        rv = CKR_OPERATION_ACTIVE;
    }
    if (rv == CKR_OK) {
        rv = copy_key(session, handle, encrypts, mechanism, key, &key_nbytes);
    }
    if (rv != CKR_OK) {
        return rv;
    }
    cipher->kind = kind;
    cipher->mechanism = mechanism;
    algorithm = aes_cipher(mechanism->mode, key_nbytes);
    if (kind == CIPHER_MESSAGE_ENCRYPT || kind == CIPHER_MESSAGE_DECRYPT) {
        rv = cipher_context(&cipher->ctx, algorithm, encrypts, key, NULL, 0);
    } else if (mechanism->family == FAMILY_AES_GCM) {
        rv = start_gcm(cipher, wanted, algorithm, encrypts, key);
    } else if (mechanism->family == FAMILY_AES_CTR) {
        rv = start_ctr(cipher, wanted, algorithm, key);
    } else {
        rv = start_blocks(cipher, wanted, algorithm, encrypts, key);
    }
    OPENSSL_cleanse(key, sizeof key);
    if (rv != CKR_OK) {
        cipher_end(cipher);
    }
    return rv;
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

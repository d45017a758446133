/* SPDX-License-Identifier: Apache-2.0
 *
 * ciphers_start.c - begins encryption, decryption and messages with a key and the parameter of the mechanism.
 */
#include "ciphers.h"

#include <string.h>

#include <openssl/crypto.h>

#include "ciphers_rsa.h"

#define GCM_IV_MAX_NBYTES 256

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
    if (rv == CKR_OK && mechanism_is_rsa(mechanism)) {
        return rsa_cipher_start(session, kind, mechanism, wanted, handle);
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

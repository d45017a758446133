/* SPDX-License-Identifier: Apache-2.0
 *
 * ciphers.h - functions that encryption, decryption, messages and wrapped keys share.
 */
#ifndef TOKEN_CIPHERS_H
#define TOKEN_CIPHERS_H

#include "objects.h"

#define BLOCK_NBYTES 16
#define KEY_MAX_NBYTES 32

/** Begin with a key; without a mechanism, cancel. */
CK_RV cipher_start(struct session *session, enum cipher_kind kind, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE key);

/** The exact number of bytes that the next part produces. */
CK_ULONG cipher_update_nbytes(const struct cipher_operation *cipher, CK_ULONG nbytes);

/** Process the next part. `out` has room for cipher_update_nbytes(). CKR_DATA_LEN_RANGE: the counter would wrap. */
CK_RV cipher_update(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out);

/** Decrypt the bytes that were held back, whose last ones are GCM's tag. If the tag is right the plaintext is written
 *  to `out`, which has room for it. */
CK_RV decrypt_held(struct session *session, uint8_t *out);

/** Keep the ciphertext, which includes the tag, until it is decrypted. */
CK_RV cipher_hold(struct cipher_operation *cipher, const uint8_t *data, CK_ULONG nbytes);

/** Initialise a context of libcrypto. `iv` is NULL if there is none. */
CK_RV cipher_context(EVP_CIPHER_CTX **io_ctx, const EVP_CIPHER *algorithm, bool encrypts, const uint8_t *key,
                     const uint8_t *iv, size_t gcm_iv_nbytes);

/** Whether GCM has tags of that many bits. */
bool gcm_tag_fits(CK_ULONG bits);

/** Process GCM's additional authenticated data. */
CK_RV gcm_associate(EVP_CIPHER_CTX *ctx, const uint8_t *data, CK_ULONG nbytes);

#endif

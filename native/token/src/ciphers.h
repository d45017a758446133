/* SPDX-License-Identifier: Apache-2.0
 *
 * ciphers.h - what encryption, decryption, messages and wrapped keys share.
 */
#ifndef TOKEN_CIPHERS_H
#define TOKEN_CIPHERS_H

#include "objects.h"

#define BLOCK_NBYTES 16
#define KEY_MAX_NBYTES 32

/** Begin with a key. */
CK_RV cipher_start(struct session *session, enum cipher_kind kind, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE key);

/** Bytes that the next part gives, exactly. */
CK_ULONG cipher_update_nbytes(const struct cipher_operation *cipher, CK_ULONG nbytes);

/** The next part. `out` has room for cipher_update_nbytes(). CKR_DATA_LEN_RANGE: more than the counter has room for. */
CK_RV cipher_update(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out);

/** The bytes that were held back, into `out`, which has room for all of them; the tag of GCM comes last. */
CK_RV decrypt_held(struct session *session, uint8_t *out);

/** The ciphertext for later, with the tag in it. */
CK_RV cipher_hold(struct cipher_operation *cipher, const uint8_t *data, CK_ULONG nbytes);
void cipher_held_clear(struct cipher_operation *cipher);

/** A context of libcrypto; `iv` NULL for none. */
CK_RV cipher_context(EVP_CIPHER_CTX **io_ctx, const EVP_CIPHER *algorithm, bool encrypts, const uint8_t *key,
                     const uint8_t *iv, size_t gcm_iv_nbytes);

/** Whether GCM has tags of that many bits. */
bool gcm_tag_fits(CK_ULONG bits);

/** GCM's additional data. */
CK_RV gcm_associate(EVP_CIPHER_CTX *ctx, const uint8_t *data, CK_ULONG nbytes);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * ciphers_rsa.h - encryption and decryption by RSA, which take a whole message: C_EncryptUpdate and others are refused.
 */
#ifndef TOKEN_CIPHERS_RSA_H
#define TOKEN_CIPHERS_RSA_H

#include "objects.h"

/** Begin an operation, of which the session has none. Errors of key_find() and rsa_context(). */
CK_RV rsa_cipher_start(struct session *session, enum cipher_kind kind, const struct mechanism *mechanism,
                       const CK_MECHANISM *wanted, CK_OBJECT_HANDLE handle);

/** Encrypt or decrypt a message. `*out_goes_on`: the operation stays active, because only the length was asked for, which is
 *  an upper bound for decryption, or there is too little room. CKR_DATA_LEN_RANGE, CKR_DATA_INVALID,
 *  CKR_ENCRYPTED_DATA_LEN_RANGE, CKR_ENCRYPTED_DATA_INVALID, CKR_USER_NOT_LOGGED_IN. */
CK_RV rsa_encrypt(struct cipher_operation *cipher, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                  CK_ULONG *io_nbytes, bool *out_goes_on);
CK_RV rsa_decrypt(struct cipher_operation *cipher, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                  CK_ULONG *io_nbytes, bool *out_goes_on);

#endif

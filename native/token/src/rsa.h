/* SPDX-License-Identifier: Apache-2.0
 *
 * rsa.h - the sizes of RSA keys, and libcrypto's contexts for operations with them.
 */
#ifndef TOKEN_RSA_H
#define TOKEN_RSA_H

#include "objects.h"

#define RSA_MIN_BITS 2048
#define RSA_MAX_BITS 4096
#define RSA_MAX_NBYTES (RSA_MAX_BITS / 8)

enum rsa_use { RSA_SIGN, RSA_VERIFY, RSA_ENCRYPT, RSA_DECRYPT };

/** Make a context for one operation with a key: the mechanism's padding, with the parameter that the application gave.
 *  CKR_MECHANISM_PARAM_INVALID. */
CK_RV rsa_context(EVP_PKEY *key, enum rsa_use use, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                  EVP_PKEY_CTX **out);

/** The greatest number of bytes that the operation takes as its input before padding. Of CKM_RSA_PKCS_PSS, the only
 *  one. */
CK_ULONG rsa_input_max(EVP_PKEY_CTX *ctx, const struct mechanism *mechanism);

/** The length of the key's modulus, and so of signatures and ciphertexts. */
CK_ULONG rsa_nbytes(EVP_PKEY_CTX *ctx);

/** Copy the input of CKM_RSA_X_509 with zeros before it, as many as the modulus needs: PKCS #11, "X.509 (raw) RSA". */
void rsa_fill(const uint8_t *data, CK_ULONG nbytes, uint8_t *out, CK_ULONG out_nbytes);

#endif

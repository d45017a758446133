/* SPDX-License-Identifier: Apache-2.0
 *
 * signatures.h - functions that C_Sign, C_Verify and C_VerifySignature share.
 */
#ifndef TOKEN_SIGNATURES_H
#define TOKEN_SIGNATURES_H

#include "objects.h"

/** One way to sign. Each function ends with an error of PKCS #11, after which the caller ends the operation. */
struct signer {
    /** Set what the operation needs of the key, and the length of the signature. Holds the module's lock. */
    CK_RV (*start)(struct hash_operation *hash, struct object *key, const CK_MECHANISM *wanted);

    /** Sign the parts before and `data`, which is the whole message if the mechanism takes no parts. */
    CK_RV (*make)(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out);

    /** Verify a signature of the right length. */
    CK_RV (*check)(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature);
};

extern const struct signer signer_mac;
extern const struct signer signer_ecdsa;
extern const struct signer signer_eddsa;
extern const struct signer signer_rsa;

CK_RV digest_start(struct hash_operation *hash, const struct mechanism *mechanism);
CK_RV hash_update(struct session *session, const uint8_t *data, CK_ULONG nbytes);
CK_RV digest_finish(struct hash_operation *hash, uint8_t *out);

/** Begin with a key; without a mechanism, cancel. */
CK_RV signature_start(struct session *session, enum hash_kind kind, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE key);

/** Process the next part. CKR_FUNCTION_NOT_SUPPORTED for a mechanism without parts; like any error it ends the
 *  operation. */
CK_RV signature_update(struct session *session, const uint8_t *data, CK_ULONG nbytes);

/** Sign the parts before and `data`. The signature has `out_nbytes` of the operation. */
CK_RV signature_make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out);

/** Verify the signature of the parts before and `data`. */
CK_RV signature_check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature,
                      CK_ULONG signature_nbytes);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * wrapping.h - wrapping and unwrapping keys: AES and RSA.
 */
#ifndef TOKEN_WRAPPING_H
#define TOKEN_WRAPPING_H

#include "objects.h"
#include "secrets.h"

struct wrapping {
    const struct mechanism *mechanism;
    struct object *key;
    const EVP_CIPHER *algorithm; /* of AES */
    const uint8_t *iv;           /* NULL for the initial value of RFC 3394 or RFC 5649 */
    EVP_PKEY_CTX *pkey;          /* of RSA */
};

/** Begin with a mechanism and a key for CKA_WRAP or CKA_UNWRAP. The module's lock is held until wrapping_close(), which is
 *  called also after an error. CKR_WRAPPING_KEY_HANDLE_INVALID, CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT and the like. */
CK_RV wrapping_open(const struct session *session, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE handle,
                    CK_ATTRIBUTE_TYPE usage, struct wrapping *out);
void wrapping_close(struct wrapping *wrapping);

/** The length of a wrapped key; 0 if the mechanism cannot wrap a value of `nbytes`. */
CK_ULONG wrapping_nbytes(const struct wrapping *wrapping, CK_ULONG nbytes);

/** Wrap a value. The result has the length of wrapping_nbytes(). CKR_FUNCTION_FAILED, CKR_HOST_MEMORY. */
CK_RV wrapping_seal(const struct wrapping *wrapping, const struct secret *value, struct secret *out);

/** CKR_WRAPPED_KEY_LEN_RANGE, CKR_WRAPPED_KEY_INVALID, CKR_HOST_MEMORY. */
CK_RV wrapping_unseal(const struct wrapping *wrapping, const uint8_t *wrapped, CK_ULONG nbytes, struct secret *out);

#endif

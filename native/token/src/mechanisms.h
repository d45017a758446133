/* SPDX-License-Identifier: Apache-2.0
 *
 * mechanisms.h - what the token can do.
 */
#ifndef TOKEN_MECHANISMS_H
#define TOKEN_MECHANISMS_H

#include "module.h"

enum family {
    FAMILY_DIGEST,
    FAMILY_HMAC,
    FAMILY_HMAC_GENERAL, /* the length is the parameter */
    FAMILY_ECDSA,        /* of a digest that the caller made */
    FAMILY_ECDSA_DIGEST,
    FAMILY_AES,
    FAMILY_AES_PAD, /* CBC with PKCS #7 padding */
    FAMILY_AES_CTR,
    FAMILY_AES_GCM,
    FAMILY_AES_WRAP,
    FAMILY_ECDH,
    FAMILY_SECRET_KEY_GEN,
    FAMILY_EC_KEY_PAIR_GEN
};

struct mechanism {
    CK_MECHANISM_TYPE type;
    enum family family;
    enum digest_id digest;
    enum cipher_mode mode;
    CK_KEY_TYPE key_type; /* of the key it works with or makes */
    CK_ULONG min_key;
    CK_ULONG max_key;
    CK_FLAGS flags;
};

/** NULL: not one of ours, or libcrypto does not offer it. */
const struct mechanism *mechanism_find(CK_MECHANISM_TYPE type);

/** The mechanism of a C_...Init, which must be able to do what `flag` says. CKR_ARGUMENTS_BAD, CKR_MECHANISM_INVALID. */
CK_RV mechanism_choose(const CK_MECHANISM *wanted, CK_FLAGS flag, const struct mechanism **out);

/** CKR_MECHANISM_PARAM_INVALID unless there is no parameter. */
CK_RV mechanism_no_parameter(const CK_MECHANISM *wanted);

/** Bytes of a digest. */
CK_ULONG digest_nbytes(enum digest_id id);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * mechanisms.h - the mechanisms of the token.
 */
#ifndef TOKEN_MECHANISMS_H
#define TOKEN_MECHANISMS_H

#include "module.h"

enum family {
    FAMILY_DIGEST,
    FAMILY_HMAC,
    FAMILY_HMAC_GENERAL, /* HMAC; the parameter is the length of the output */
    FAMILY_ECDSA,        /* ECDSA of a digest that the caller computed */
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
    CK_KEY_TYPE key_type; /* type of the key that it uses or generates */
    CK_ULONG min_key;
    CK_ULONG max_key;
    CK_FLAGS flags;
};

/** NULL if the token does not have the mechanism, or libcrypto does not offer it. */
const struct mechanism *mechanism_find(CK_MECHANISM_TYPE type);

/** The mechanism of a C_...Init function, which must support the operation of `flag`. CKR_ARGUMENTS_BAD,
 *  CKR_MECHANISM_INVALID. */
CK_RV mechanism_choose(const CK_MECHANISM *wanted, CK_FLAGS flag, const struct mechanism **out);

/** CKR_MECHANISM_PARAM_INVALID unless there is no parameter. */
CK_RV mechanism_no_parameter(const CK_MECHANISM *wanted);

/** Number of bytes of a digest. */
CK_ULONG digest_nbytes(enum digest_id id);

#endif

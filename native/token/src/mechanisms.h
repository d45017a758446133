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
    FAMILY_ECDSA,        /* of a digest that the caller computed, unless the mechanism has one; likewise RSA's */
    FAMILY_EDDSA,
    FAMILY_RSA_PKCS, /* PKCS #1 v1.5 */
    FAMILY_RSA_RAW,  /* without padding */
    FAMILY_RSA_OAEP,
    FAMILY_RSA_PSS,
    FAMILY_AES,
    FAMILY_AES_PAD, /* CBC with PKCS #7 padding */
    FAMILY_AES_CTR,
    FAMILY_AES_GCM,
    FAMILY_AES_WRAP,
    FAMILY_ECDH,
    FAMILY_JOIN, /* concatenation, exclusive or */
    FAMILY_SECRET_KEY_GEN,
    FAMILY_KEY_PAIR_GEN
};

struct mechanism {
    CK_MECHANISM_TYPE type;
    enum family family;
    enum digest_id digest;
    enum cipher_mode mode;
    CK_KEY_TYPE key_type; /* type of the key that it uses or generates; CK_UNAVAILABLE_INFORMATION: any secret key */
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

/** Whether an operation takes its input in parts: C_SignUpdate, C_EncryptUpdate and others. */
bool mechanism_takes_parts(const struct mechanism *mechanism);

/** Whether the mechanism uses RSA keys. */
bool mechanism_is_rsa(const struct mechanism *mechanism);

/** Number of bytes of a digest. */
CK_ULONG digest_nbytes(enum digest_id id);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * curves.h - the elliptic curves of the token, and the encodings of points on them.
 */
#ifndef TOKEN_CURVES_H
#define TOKEN_CURVES_H

#include "objects.h"

#define CURVE_VALUE_MAX_NBYTES 66
#define CURVE_POINT_MAX_NBYTES 133
#define CURVE_DER_POINT_MAX_NBYTES (CURVE_POINT_MAX_NBYTES + 3)

struct curve {
    CK_KEY_TYPE key_type;
    const char *name; /* libcrypto's */
    int nid;
    CK_ULONG value_nbytes; /* of a private value; of a coordinate; of half a signature */
    CK_ULONG point_nbytes; /* of a public value: for CKK_EC uncompressed */
    const uint8_t *params; /* CKA_EC_PARAMS that the token writes: an OID in DER */
    CK_ULONG params_nbytes;
    const uint8_t *info_head; /* SubjectPublicKeyInfo before the point */
    CK_ULONG info_head_nbytes;
};

/** The curve of a value of CKA_EC_PARAMS. CKR_CURVE_NOT_SUPPORTED; CKR_ATTRIBUTE_VALUE_INVALID: it names no curve. */
CK_RV curve_find(CK_KEY_TYPE key_type, const uint8_t *params, CK_ULONG nbytes, const struct curve **out);

/** The curve of an object. CKR_TEMPLATE_INCOMPLETE, and as above. */
CK_RV curve_of_object(const struct object *object, const struct curve **out);

/** Check that the parameters of a public key name a curve of its type. */
CK_RV curve_check(const struct object *public_object);

/** The curve of libcrypto's key; NULL if the token does not have it. */
const struct curve *curve_of_key(EVP_PKEY *key);

/** Find the point itself in a value that is a point or an OCTET STRING with one. NULL if it is neither. */
const uint8_t *curve_bare_point(const struct curve *curve, const uint8_t *point, CK_ULONG nbytes);

/** Set CKA_EC_POINT, an OCTET STRING. */
CK_RV curve_set_point(const struct curve *curve, struct object *object, const uint8_t *point);

/** Set CKA_PUBLIC_KEY_INFO, which differs only in the point from others of the curve (RFC 5480, 2; RFC 8410, 4). */
CK_RV curve_set_info(const struct curve *curve, struct object *object, const uint8_t *point);

#endif

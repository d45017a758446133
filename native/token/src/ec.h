/* SPDX-License-Identifier: Apache-2.0
 *
 * ec.h - what key agreement needs of the keys on the curves of NIST.
 */
#ifndef TOKEN_EC_H
#define TOKEN_EC_H

#include "curves.h"

/** Make a public key of a point, which is raw or in an OCTET STRING. CKR_ATTRIBUTE_VALUE_INVALID: it is no such point. */
CK_RV ec_public_key(const struct curve *curve, const uint8_t *point, CK_ULONG nbytes, EVP_PKEY **out);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs8.h - private keys as PKCS #8 (RFC 5208, RFC 5958), the form in which they are wrapped.
 */
#ifndef TOKEN_PKCS8_H
#define TOKEN_PKCS8_H

#include "objects.h"
#include "secrets.h"

/** CKR_FUNCTION_FAILED. The caller frees `out` also after an error. */
CK_RV pkcs8_export(const struct object *key, struct secret *out);

/** Set the values of a private key of the object's type. CKR_WRAPPED_KEY_INVALID: it is no such key, or its parts do not
 *  belong together. CKR_CURVE_NOT_SUPPORTED. */
CK_RV pkcs8_import(struct object *object, const struct secret *plain);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * policy.h - what keys may be used for, where the standard leaves it to the token. CSIDE_TOKEN_POLICY names the policy:
 * "standard" allows what PKCS #11 allows, and so the attacks that tests/attacks.h shows; "safe", the default, refuses one
 * step of each. A function whose name says what is refused returns CKR_OK under "standard".
 *
 * The rules of "safe", of which M. Bortolozzo, M. Centenaro, R. Focardi and G. Steel, "Attacking and Fixing PKCS#11
 * Security Tokens" (CCS 2010) gives the first two:
 *
 * - A key encrypts data or wraps keys, never both, and does not change from one to the other. To sign with a private RSA
 *   key is to decrypt with it.
 * - A sensitive key is wrapped only by a key that nobody can know: one that was generated here, and was always sensitive
 *   and never extractable, or one that the SO trusts, which a public key has to be. So keys that wrap sensitive keys are
 *   not wrapped themselves.
 * - What is unwrapped by or derived from a sensitive key is sensitive, and what is made with a private one is private.
 * - A key that is unwrapped by a sensitive key wraps and unwraps others only if that key's CKA_UNWRAP_TEMPLATE says so.
 * - Sensitive keys wrap, are wrapped and unwrap only by mechanisms with a check of integrity (RFC 3394, RFC 5649, OAEP).
 * - A key that is derived from a sensitive key has at least 16 bytes, and as many of each sensitive key that is joined.
 * - A key that wraps or unwraps is not joined with anything, and what is joined does not wrap or unwrap: with zeros, it has
 *   the value of the other.
 * - A copy is not trusted, unless the SO made it, and stays private.
 * - A key with CKA_ALWAYS_AUTHENTICATE is not wrapped, does not unwrap, and is no base of derivation, for which no PIN can
 *   be asked.
 *
 * A key that was used under "standard" is not made safe by a later change of the policy.
 */
#ifndef TOKEN_POLICY_H
#define TOKEN_POLICY_H

#include "objects.h"

/** Read CSIDE_TOKEN_POLICY. CKR_GENERAL_ERROR if it is not a policy. */
CK_RV policy_choose(void);

/** Whether a key with these attributes encrypts data, if its template does not say so. */
bool policy_encrypts_by_default(const struct object *object);

/** CKR_TEMPLATE_INCONSISTENT: the new object has two roles. */
CK_RV policy_new(const struct object *object);

/** CKR_KEY_FUNCTION_NOT_PERMITTED: the key has two roles, because it was made under another policy. */
CK_RV policy_use(const struct object *key, CK_ATTRIBUTE_TYPE usage);

/** CKR_ATTRIBUTE_READ_ONLY: the change adds a role, or the copy is not private. The value was checked already. */
CK_RV policy_change(const struct object *object, const CK_ATTRIBUTE *attribute);

/** Take away what a copy must not have. */
CK_RV policy_copy(const struct session *session, struct object *copy);

/** CKR_KEY_NOT_WRAPPABLE. */
CK_RV policy_wrap(const struct object *key, const struct object *wrapping, const struct mechanism *mechanism);

/** CKR_KEY_FUNCTION_NOT_PERMITTED: no PIN can be asked for. CKR_MECHANISM_INVALID: the mechanism has no check of integrity.
 *  CKR_TEMPLATE_INCONSISTENT: the new key is less guarded than the one that unwraps it, or has a role that nobody gave to
 *  it. */
CK_RV policy_unwrap(const struct object *fresh, const struct object *unwrapping, const struct mechanism *mechanism);

/** CKR_KEY_FUNCTION_NOT_PERMITTED, CKR_TEMPLATE_INCONSISTENT; CKR_KEY_SIZE_RANGE: the new key is too short. */
CK_RV policy_derive(const struct object *fresh, const struct object *base, CK_ULONG nbytes);

/** The same for a key that begins or ends with `nbytes` of another, or has as many that are combined with data. */
CK_RV policy_join(const struct object *fresh, const struct object *part, CK_ULONG nbytes);

#endif

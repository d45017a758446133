/* SPDX-License-Identifier: Apache-2.0
 *
 * derive.h - what the ways to derive a key share.
 */
#ifndef TOKEN_DERIVE_H
#define TOKEN_DERIVE_H

#include "objects.h"

#define DERIVED_MAX_NBYTES 4096

/** Make the object for the new key, which is a generic secret unless the template says otherwise. The caller holds the
 *  module's lock. */
CK_RV derive_object(struct session *session, struct template template, struct object **out);

/** Each makes a new key, with its value and its history, that is not in the table yet. Errors of C_DeriveKey. Neither is
 *  called with the module's lock; the first holds it for a part of its work, the other all the time. */
CK_RV derive_ecdh(struct session *session, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                  CK_OBJECT_HANDLE base, struct template template, struct object **out);
CK_RV derive_join(struct session *session, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                  CK_OBJECT_HANDLE base, struct template template, struct object **out);

#endif

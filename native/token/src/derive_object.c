/* SPDX-License-Identifier: Apache-2.0
 *
 * derive_object.c - the object of a key that is derived.
 */
#include "derive.h"

CK_RV derive_object(struct session *session, struct template template, struct object **out)
{
    bool has_type = template_find(template, CKA_KEY_TYPE) != NULL;

    return object_from_template(session, TO_DERIVE, template, CKO_SECRET_KEY,
                                has_type ? CK_UNAVAILABLE_INFORMATION : CKK_GENERIC_SECRET, out);
}

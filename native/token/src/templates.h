/* SPDX-License-Identifier: Apache-2.0
 *
 * templates.h - what templates that make objects and those that change them share.
 */
#ifndef TOKEN_TEMPLATES_H
#define TOKEN_TEMPLATES_H

#include "objects.h"

/** The rule that the attribute falls under, if its value is of the right kind. CKR_TEMPLATE_INCONSISTENT: another class's;
 *  CKR_ATTRIBUTE_TYPE_INVALID, CKR_ATTRIBUTE_VALUE_INVALID. */
CK_RV template_rule(CK_OBJECT_CLASS object_class, const CK_ATTRIBUTE *attribute,
                    const struct attribute_rule **out_rule);

/** CKR_ATTRIBUTE_READ_ONLY for what only the SO may say. */
CK_RV template_only_so(const struct session *session, const struct attribute_rule *rule, const CK_ATTRIBUTE *attribute);

/** A new name for what may become a file. */
CK_RV object_set_unique_id(struct object *object);

/** Bring the members that mirror attributes up to date. */
void object_mirror(struct object *object);

#endif

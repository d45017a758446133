/* SPDX-License-Identifier: Apache-2.0
 *
 * templates.h - functions that templates for new objects and templates for changes share.
 */
#ifndef TOKEN_TEMPLATES_H
#define TOKEN_TEMPLATES_H

#include "objects.h"

/** Find the rule for an attribute of objects of one IN_…, and check that its value is of the right kind.
 *  CKR_TEMPLATE_INCONSISTENT: the attribute belongs to others. CKR_ATTRIBUTE_TYPE_INVALID, CKR_ATTRIBUTE_VALUE_INVALID. */
CK_RV template_rule(unsigned bit, const CK_ATTRIBUTE *attribute, const struct attribute_rule **out_rule);

/** CKR_ATTRIBUTE_READ_ONLY if only the SO may set the attribute. */
CK_RV template_only_so(const struct session *session, const struct attribute_rule *rule, const CK_ATTRIBUTE *attribute);

/** Generate a new CKA_UNIQUE_ID, which is also the name of the file if the object is stored. */
CK_RV object_set_unique_id(struct object *object);

/** Update the members of the struct that repeat attributes. */
void object_mirror(struct object *object);

#endif

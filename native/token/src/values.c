/* SPDX-License-Identifier: Apache-2.0
 *
 * values.c - C_GetAttributeValue. Every attribute is answered, even if another one fails.
 */
#include "array_attributes.h"

#include <string.h>

bool attribute_hidden(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    bool is_known = false;
    const struct attribute_rule *rule = NULL;

    if (type != CKA_VALUE && (type < CKA_PRIVATE_EXPONENT || type > CKA_COEFFICIENT)) {
        return false; /* no other attribute is ever hidden, and reading them is to be quick */
    }
    rule = attribute_rule(type, object_bit(object->object_class, object->key_type), &is_known);
    return rule != NULL && (rule->rules & RULE_SENSITIVE) != 0 &&
           (attribute_bool(object, CKA_SENSITIVE) || !attribute_bool(object, CKA_EXTRACTABLE));
}

static CK_RV get_value(const struct object *object, CK_ATTRIBUTE *wanted)
{
    const struct attribute *attribute = attribute_find(object, wanted->type);

    if (attribute_hidden(object, wanted->type)) {
        wanted->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return CKR_ATTRIBUTE_SENSITIVE;
    }
    if (attribute == NULL) {
        wanted->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return CKR_ATTRIBUTE_TYPE_INVALID;
    }
    if (wanted->type == CKA_UNWRAP_TEMPLATE) {
        return array_get(attribute, wanted);
    }
    if (wanted->pValue != NULL) {
        if (wanted->ulValueLen < attribute->nbytes) {
            wanted->ulValueLen = CK_UNAVAILABLE_INFORMATION;
            return CKR_BUFFER_TOO_SMALL;
        }
        memcpy(wanted->pValue, attribute_bytes(attribute), attribute->nbytes);
    }
    wanted->ulValueLen = attribute->nbytes;
    return CKR_OK;
}

CK_RV C_GetAttributeValue(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hObject, CK_ATTRIBUTE_PTR pTemplate,
                          CK_ULONG ulCount)
{
    struct session *session = NULL;
    const struct object *object = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    object = object_find(session, hObject);
    if (pTemplate == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (object == NULL) {
        rv = CKR_OBJECT_HANDLE_INVALID;
    } else {
        for (CK_ULONG i = 0; i < ulCount; i++) {
            CK_RV one = get_value(object, &pTemplate[i]);

            rv = rv == CKR_OK ? one : rv; /* return the first error */
        }
    }
    module_leave();
    return rv;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * changes.c - templates that change or copy an object. A changed copy replaces the object once all of it is valid.
 */
#include "policy.h"
#include "store.h"
#include "templates.h"

static CK_RV check_change(const struct session *session, const struct object *object, const CK_ATTRIBUTE *attribute,
                          unsigned allowed)
{
    const struct attribute_rule *rule = NULL;
    CK_RV rv = template_rule(object_bit(object->object_class, object->key_type), attribute, &rule);

    if (rv == CKR_OK && (rule->rules & allowed) == 0) {
        rv = CKR_ATTRIBUTE_READ_ONLY;
    }
    if (rv == CKR_OK && (rule->rules & (RULE_STAYS_TRUE | RULE_STAYS_FALSE)) != 0) {
        bool now = attribute_bool(object, attribute->type);
        bool stays = (rule->rules & RULE_STAYS_TRUE) != 0;

        if (now == stays && (*(const CK_BBOOL *)attribute->pValue != CK_FALSE) != stays) {
            rv = CKR_ATTRIBUTE_READ_ONLY;
        }
    }
    if (rv == CKR_OK) {
        rv = template_only_so(session, rule, attribute);
    }
    return rv == CKR_OK ? policy_change(object, attribute) : rv;
}

static CK_RV clone(const struct object *original, struct object **out)
{
    struct object *object = object_new(original->slot, original->object_class);
    CK_RV rv = object != NULL ? CKR_OK : CKR_HOST_MEMORY;

    for (size_t i = 0; i < original->count && rv == CKR_OK; i++) {
        const struct attribute *attribute = &original->attributes[i];

        rv = attribute_set(object, attribute->type, attribute_bytes(attribute), attribute->nbytes);
    }
    if (rv != CKR_OK) {
        object_free(object);
        return rv;
    }
    object->key_type = original->key_type;
    if (original->key != NULL && EVP_PKEY_up_ref(original->key) == 1) {
        object->key = original->key;
    }
    *out = object;
    return CKR_OK;
}

static CK_RV apply(const struct session *session, const struct object *original, struct template template,
                   unsigned allowed, struct object **out)
{
    struct object *object = NULL;
    CK_RV rv = template_check(template);

    for (CK_ULONG i = 0; i < template.count && rv == CKR_OK; i++) {
        rv = check_change(session, original, &template.list[i], allowed);
    }
    if (rv == CKR_OK) {
        rv = clone(original, &object);
    }
    for (CK_ULONG i = 0; i < template.count && rv == CKR_OK; i++) {
        rv = attribute_set(object, template.list[i].type, template.list[i].pValue, template.list[i].ulValueLen);
    }
    if (rv == CKR_OK && attribute_bool(object, CKA_ALWAYS_AUTHENTICATE) && !attribute_bool(object, CKA_PRIVATE)) {
        rv = CKR_TEMPLATE_INCONSISTENT;
    }
    if (rv != CKR_OK) {
        object_free(object);
        return rv;
    }
    object_mirror(object);
    *out = object;
    return CKR_OK;
}

CK_RV object_copy(struct session *session, const struct object *original, struct template template, struct object **out)
{
    CK_RV rv = apply(session, original, template, RULE_COPY, out);

    if (rv == CKR_OK) {
        rv = policy_copy(session, *out);
        if (rv == CKR_OK) {
            rv = object_set_unique_id(*out);
        }
        if (rv == CKR_OK) {
            rv = object_writable(session, *out);
        }
        if (rv != CKR_OK) {
            object_free(*out);
            *out = NULL;
        }
    }
    return rv;
}

CK_RV object_change(struct session *session, struct object *object, struct template template)
{
    struct object *changed = NULL;
    struct attribute *attributes = NULL;
    uint16_t count = 0;
    uint16_t capacity = 0;
    CK_RV rv = apply(session, object, template, RULE_CHANGE, &changed);

    if (rv == CKR_OK) {
        rv = store_object(changed, object);
    }
    if (rv == CKR_OK) { /* exchange the attributes */
        attributes = changed->attributes;
        count = changed->count;
        capacity = changed->capacity;
        changed->attributes = object->attributes;
        changed->count = object->count;
        changed->capacity = object->capacity;
        object->attributes = attributes;
        object->count = count;
        object->capacity = capacity;
    }
    object_free(changed);
    return rv;
}

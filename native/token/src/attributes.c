/* SPDX-License-Identifier: Apache-2.0
 *
 * attributes.c - the attributes of an object: a sorted array, since they are few, with short values stored in place.
 */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#define ATTRIBUTES_STEP 32

_Static_assert(ATTRIBUTES_MAX + ATTRIBUTES_STEP <= UINT16_MAX, "the capacity of an object has sixteen bits");

/* The index of the attribute, or the index at which it would be inserted. */
static size_t position(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    size_t low = 0;
    size_t high = object->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (object->attributes[middle].type < type) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

const struct attribute *attribute_find(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    size_t at = position(object, type);

    return at < object->count && object->attributes[at].type == type ? &object->attributes[at] : NULL;
}

const uint8_t *attribute_bytes(const struct attribute *attribute)
{
    return attribute->nbytes > ATTRIBUTE_SMALL_NBYTES ? attribute->value.large : attribute->value.small;
}

static void value_clear(struct attribute *attribute)
{
    if (attribute->nbytes > ATTRIBUTE_SMALL_NBYTES) {
        OPENSSL_cleanse(attribute->value.large, attribute->nbytes);
        free(attribute->value.large);
    } else {
        OPENSSL_cleanse(attribute->value.small, sizeof attribute->value.small);
    }
    attribute->nbytes = 0;
}

/* Make room for one more attribute. The values move, so the old memory is wiped. */
static bool grow(struct object *object)
{
    size_t capacity = (size_t)object->capacity + ATTRIBUTES_STEP;
    struct attribute *attributes = NULL;

    if (object->count < object->capacity) {
        return true;
    }
    attributes = malloc(capacity * sizeof *attributes);
    if (attributes == NULL) {
        return false;
    }
    if (object->count > 0) {
        memcpy(attributes, object->attributes, object->count * sizeof *attributes);
        OPENSSL_cleanse(object->attributes, object->count * sizeof *attributes);
    }
    free(object->attributes);
    object->attributes = attributes;
    object->capacity = (uint16_t)capacity;
    return true;
}

CK_RV attribute_set(struct object *object, CK_ATTRIBUTE_TYPE type, const void *value, CK_ULONG nbytes)
{
    size_t at = position(object, type);
    struct attribute fresh = {.type = (uint32_t)type, .nbytes = (uint32_t)nbytes};
    CK_RV rv = CKR_OK;

    if (nbytes > ATTRIBUTE_MAX_NBYTES) {
        return CKR_DEVICE_MEMORY;
    }
    if (nbytes > ATTRIBUTE_SMALL_NBYTES) {
        fresh.value.large = malloc(nbytes);
        if (fresh.value.large == NULL) {
            return CKR_HOST_MEMORY;
        }
        memcpy(fresh.value.large, value, nbytes);
    } else if (nbytes > 0) {
        memcpy(fresh.value.small, value, nbytes);
    }
    if (at < object->count && object->attributes[at].type == type) {
        value_clear(&object->attributes[at]);
    } else {
        rv = object->count >= ATTRIBUTES_MAX ? CKR_DEVICE_MEMORY : grow(object) ? CKR_OK : CKR_HOST_MEMORY;
        if (rv != CKR_OK) {
            value_clear(&fresh);
            return rv;
        }
        memmove(&object->attributes[at + 1], &object->attributes[at],
                (object->count - at) * sizeof object->attributes[0]);
        object->count++;
    }
    object->attributes[at] = fresh;
    OPENSSL_cleanse(&fresh, sizeof fresh);
    return CKR_OK;
}

CK_RV attribute_set_bool(struct object *object, CK_ATTRIBUTE_TYPE type, bool value)
{
    CK_BBOOL byte = value ? CK_TRUE : CK_FALSE;

    return attribute_set(object, type, &byte, sizeof byte);
}

CK_RV attribute_set_ulong(struct object *object, CK_ATTRIBUTE_TYPE type, CK_ULONG value)
{
    return attribute_set(object, type, &value, sizeof value);
}

bool attribute_bool(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    const struct attribute *attribute = attribute_find(object, type);

    return attribute != NULL && attribute->nbytes == sizeof(CK_BBOOL) && attribute->value.small[0] != CK_FALSE;
}

CK_ULONG attribute_ulong(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    const struct attribute *attribute = attribute_find(object, type);
    CK_ULONG value = CK_UNAVAILABLE_INFORMATION;

    if (attribute != NULL && attribute->nbytes == sizeof value) {
        memcpy(&value, attribute->value.small, sizeof value);
    }
    return value;
}

/* ---- the object around them
 * ------------------------------------------------------------------------------------------ */

struct object *object_new(struct slot *slot, CK_OBJECT_CLASS object_class)
{
    struct object *object = calloc(1, sizeof *object);

    if (object != NULL) {
        object->slot = slot;
        object->object_class = object_class;
        object->key_type = CK_UNAVAILABLE_INFORMATION;
    }
    return object;
}

void object_free(struct object *object)
{
    if (object == NULL) {
        return;
    }
    for (size_t i = 0; i < object->count; i++) {
        value_clear(&object->attributes[i]);
    }
    free(object->attributes);
    EVP_PKEY_free(object->key);
    EVP_MAC_CTX_free(object->mac);
    free(object);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * array_attributes.c - attributes whose value is a template.
 */
#include "array_attributes.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_MAX 64 /* attributes; more than a key has */

bool array_next(const uint8_t **io_piece, size_t *io_nbytes, CK_ATTRIBUTE *out)
{
    CK_ULONG head[2];

    if (*io_nbytes < sizeof head) {
        return false;
    }
    memcpy(head, *io_piece, sizeof head);
    *io_piece += sizeof head;
    *io_nbytes -= sizeof head;
    if (head[1] > *io_nbytes) {
        return false; /* array_add() writes no such piece */
    }
    out->type = head[0];
    out->ulValueLen = head[1];
    out->pValue = (void *)*io_piece; /* the standard's pointers are not const */
    *io_piece += head[1];
    *io_nbytes -= head[1];
    return true;
}

/* Find an attribute in a piece, and count all of them. */
static bool find(const uint8_t *piece, size_t nbytes, CK_ATTRIBUTE_TYPE type, CK_ATTRIBUTE *out, size_t *out_count)
{
    CK_ATTRIBUTE next = {0};
    bool is_found = false;

    *out_count = 0;
    while (array_next(&piece, &nbytes, &next)) {
        (*out_count)++;
        if (next.type == type) {
            *out = next;
            is_found = true;
        }
    }
    return is_found;
}

/* ---- from the application
 * -------------------------------------------------------------------------------------------- */

CK_RV array_add(struct bytes *piece, const CK_ATTRIBUTE *attribute)
{
    const CK_ULONG head[2] = {attribute->type, attribute->ulValueLen};
    const struct attribute_rule *rule = NULL;
    CK_ATTRIBUTE other = {0};
    size_t count = 0;
    bool is_known = false;

    rule = attribute_rule(attribute->type, IN_SECRET | IN_PRIVATE, &is_known);
    if (rule == NULL || rule->kind == KIND_ARRAY || (attribute->pValue == NULL && attribute->ulValueLen > 0) ||
        attribute_value_check(rule, attribute->pValue, attribute->ulValueLen) != CKR_OK ||
        find(piece->data, piece->nbytes, attribute->type, &other, &count) || count >= ARRAY_MAX) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    bytes_add(piece, head, sizeof head);
    bytes_add(piece, attribute->pValue, attribute->ulValueLen);
    return piece->failed ? CKR_HOST_MEMORY : CKR_OK;
}

CK_RV array_pack(const CK_ATTRIBUTE *given, struct bytes *out)
{
    const CK_ATTRIBUTE *list = given->pValue;
    CK_RV rv = CKR_OK;

    *out = (struct bytes){0};
    for (CK_ULONG i = 0; i < given->ulValueLen / sizeof *list && rv == CKR_OK; i++) {
        rv = array_add(out, &list[i]);
    }
    return rv == CKR_OK && out->nbytes > ATTRIBUTE_MAX_NBYTES ? CKR_ATTRIBUTE_VALUE_INVALID : rv;
}

/* ---- to the application
 * ---------------------------------------------------------------------------------------------- */

static CK_RV get_one(const CK_ATTRIBUTE *from, CK_ATTRIBUTE *out)
{
    out->type = from->type;
    if (out->pValue != NULL && out->ulValueLen < from->ulValueLen) {
        out->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return CKR_BUFFER_TOO_SMALL;
    }
    if (out->pValue != NULL && from->ulValueLen > 0) {
        memcpy(out->pValue, from->pValue, from->ulValueLen);
    }
    out->ulValueLen = from->ulValueLen;
    return CKR_OK;
}

CK_RV array_get(const struct attribute *attribute, CK_ATTRIBUTE *wanted)
{
    const uint8_t *piece = attribute_bytes(attribute);
    size_t nbytes = attribute->nbytes;
    CK_ATTRIBUTE *out = wanted->pValue;
    CK_ATTRIBUTE next = {0};
    size_t count = 0;
    CK_RV rv = CKR_OK;

    find(piece, nbytes, 0, &next, &count);
    if (out != NULL && wanted->ulValueLen < count * sizeof *out) {
        wanted->ulValueLen = CK_UNAVAILABLE_INFORMATION;
        return CKR_BUFFER_TOO_SMALL;
    }
    wanted->ulValueLen = count * sizeof *out;
    for (size_t i = 0; out != NULL && array_next(&piece, &nbytes, &next); i++) {
        CK_RV one = get_one(&next, &out[i]);

        rv = rv == CKR_OK ? one : rv;
    }
    return rv;
}

/* ---- use
 * ------------------------------------------------------------------------------------------------------------- */

CK_RV array_combine(const struct object *object, CK_ATTRIBUTE_TYPE type, struct template given, CK_ATTRIBUTE **out_room,
                    struct template *out)
{
    const struct attribute *array = attribute_find(object, type);
    const uint8_t *piece = array != NULL ? attribute_bytes(array) : NULL;
    size_t nbytes = array != NULL ? array->nbytes : 0;
    CK_ATTRIBUTE next = {0};
    CK_RV rv = template_check(given);

    *out = given;
    *out_room = NULL;
    if (rv != CKR_OK || nbytes == 0) {
        return rv;
    }
    *out_room = calloc(given.count + ARRAY_MAX, sizeof **out_room);
    if (*out_room == NULL) {
        return CKR_HOST_MEMORY;
    }
    if (given.count > 0) {
        memcpy(*out_room, given.list, given.count * sizeof *given.list);
    }
    out->list = *out_room;
    while (rv == CKR_OK && array_next(&piece, &nbytes, &next)) {
        const CK_ATTRIBUTE *same = template_find(given, next.type);

        if (same == NULL) {
            (*out_room)[out->count++] = next;
        } else if (same->ulValueLen != next.ulValueLen ||
                   (next.ulValueLen > 0 && memcmp(same->pValue, next.pValue, next.ulValueLen) != 0)) {
            rv = CKR_TEMPLATE_INCONSISTENT;
        }
    }
    return rv;
}

bool array_bool(const struct object *object, CK_ATTRIBUTE_TYPE array, CK_ATTRIBUTE_TYPE type)
{
    const struct attribute *attribute = attribute_find(object, array);
    CK_ATTRIBUTE found = {0};
    size_t count = 0;

    return attribute != NULL && find(attribute_bytes(attribute), attribute->nbytes, type, &found, &count) &&
           found.ulValueLen == sizeof(CK_BBOOL) && *(const CK_BBOOL *)found.pValue != CK_FALSE;
}

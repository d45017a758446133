/* SPDX-License-Identifier: Apache-2.0
 *
 * store_format.c - writes the contents of the files of the store, which store_parse.c reads: a magic number, items, and a
 * SHA-256 of everything before it. The SHA-256 detects damage, and is no protection against changes. Numbers are
 * big-endian; numbers that are values of attributes have eight bytes.
 *
 *   token:   "CSTOK\1" label[32] serial[16] pin pin, where a pin is: set[1] failures[1] salt[16] hash[32]
 *   object:  "CSOBJ\1" then for each attribute, in the order of their types: type[4] nbytes[4] value
 *            where the value of an array attribute is attributes in the same form, in any order
 */
#include <string.h>

#include "array_attributes.h"
#include "store_format.h"

const uint8_t format_token_magic[MAGIC_NBYTES] = {'C', 'S', 'T', 'O', 'K', 1};
const uint8_t format_object_magic[MAGIC_NBYTES] = {'C', 'S', 'O', 'B', 'J', 1};

static void add_number(struct bytes *bytes, uint64_t number, size_t nbytes)
{
    uint8_t wire[WIRE_ULONG_NBYTES];

    for (size_t i = 0; i < nbytes; i++) {
        wire[nbytes - 1 - i] = (uint8_t)(number >> 8 * i);
    }
    bytes_add(bytes, wire, nbytes);
}

bool format_sum(const uint8_t *data, size_t nbytes, uint8_t out[SUM_NBYTES])
{
    return algorithms.digests[DIGEST_SHA256] != NULL &&
           EVP_Digest(data, nbytes, out, NULL, algorithms.digests[DIGEST_SHA256], NULL) == 1;
}

static void add_sum(struct bytes *bytes)
{
    uint8_t sum[SUM_NBYTES];

    if (bytes->failed || !format_sum(bytes->data, bytes->nbytes, sum)) {
        bytes->failed = true;
        return;
    }
    bytes_add(bytes, sum, sizeof sum);
}

static void add_pin(struct bytes *bytes, const struct pin *pin)
{
    add_number(bytes, pin->is_set ? 1 : 0, 1);
    add_number(bytes, pin->failures, 1);
    bytes_add(bytes, pin->salt, sizeof pin->salt);
    bytes_add(bytes, pin->hash, sizeof pin->hash);
}

void format_token(struct bytes *out, const struct token *token)
{
    bytes_add(out, format_token_magic, MAGIC_NBYTES);
    bytes_add(out, token->label, sizeof token->label);
    bytes_add(out, token->serial, sizeof token->serial);
    add_pin(out, &token->so_pin);
    add_pin(out, &token->user_pin);
    add_sum(out);
}

enum attribute_kind format_kind(CK_ATTRIBUTE_TYPE type)
{
    const struct attribute_rule *rule = NULL;

    for (size_t i = 0; (rule = attribute_rule_at(i)) != NULL; i++) {
        if (rule->type == type) {
            return rule->kind;
        }
    }
    return KIND_BYTES;
}

bool format_is_numbers(enum attribute_kind kind)
{
    return kind == KIND_ULONG || kind == KIND_MECHANISMS;
}

/* An attribute whose value is no array. */
static void add_plain(struct bytes *out, CK_ATTRIBUTE_TYPE type, const uint8_t *value, size_t nbytes)
{
    size_t numbers = format_is_numbers(format_kind(type)) ? nbytes / sizeof(CK_ULONG) : 0;

    add_number(out, type, 4);
    add_number(out, numbers > 0 ? numbers * WIRE_ULONG_NBYTES : nbytes, 4);
    if (numbers == 0) {
        bytes_add(out, value, nbytes);
    }
    for (size_t at = 0; at < numbers; at++) {
        CK_ULONG number = 0;

        memcpy(&number, value + at * sizeof number, sizeof number);
        add_number(out, number == CK_UNAVAILABLE_INFORMATION ? UINT64_MAX : number, WIRE_ULONG_NBYTES);
    }
}

static void add_array(struct bytes *out, CK_ATTRIBUTE_TYPE type, const uint8_t *piece, size_t nbytes)
{
    struct bytes content = {0};
    CK_ATTRIBUTE next = {0};

    while (array_next(&piece, &nbytes, &next)) {
        add_plain(&content, next.type, next.pValue, next.ulValueLen);
    }
    add_number(out, type, 4);
    add_number(out, content.nbytes, 4);
    bytes_add(out, content.data, content.nbytes);
    out->failed = out->failed || content.failed;
    bytes_free(&content);
}

void format_object(struct bytes *out, const struct object *object)
{
    bytes_add(out, format_object_magic, MAGIC_NBYTES);
    for (size_t i = 0; i < object->count; i++) {
        const struct attribute *attribute = &object->attributes[i];
        const uint8_t *value = attribute_bytes(attribute);

        if (format_kind(attribute->type) == KIND_ARRAY) {
            add_array(out, attribute->type, value, attribute->nbytes);
        } else {
            add_plain(out, attribute->type, value, attribute->nbytes);
        }
    }
    add_sum(out);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * store_format.c - the contents of the files of the store: a magic number, items, and a SHA-256 of everything before
 * it. The SHA-256 detects damage, and is no protection against changes. Numbers are big-endian; numbers that are values
 * of attributes have eight bytes.
 *
 *   token:   "CSTOK\1" label[32] serial[16] pin pin, where a pin is: set[1] failures[1] salt[16] hash[32]
 *   object:  "CSOBJ\1" then for each attribute, in the order of their types: type[4] nbytes[4] value
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "store.h"

#define MAGIC_NBYTES 6
#define SUM_NBYTES 32
#define WIRE_ULONG_NBYTES 8

static const uint8_t token_magic[MAGIC_NBYTES] = {'C', 'S', 'T', 'O', 'K', 1};
static const uint8_t object_magic[MAGIC_NBYTES] = {'C', 'S', 'O', 'B', 'J', 1};

/* ---- write
 * ----------------------------------------------------------------------------------------------------------- */

static void add_number(struct bytes *bytes, uint64_t number, size_t nbytes)
{
    uint8_t wire[WIRE_ULONG_NBYTES];

    for (size_t i = 0; i < nbytes; i++) {
        wire[nbytes - 1 - i] = (uint8_t)(number >> 8 * i);
    }
    bytes_add(bytes, wire, nbytes);
}

static bool sum_up(const uint8_t *data, size_t nbytes, uint8_t *out)
{
    return algorithms.digests[DIGEST_SHA256] != NULL &&
           EVP_Digest(data, nbytes, out, NULL, algorithms.digests[DIGEST_SHA256], NULL) == 1;
}

static void add_sum(struct bytes *bytes)
{
    uint8_t sum[SUM_NBYTES];

    if (bytes->failed || !sum_up(bytes->data, bytes->nbytes, sum)) {
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
    bytes_add(out, token_magic, sizeof token_magic);
    bytes_add(out, token->label, sizeof token->label);
    bytes_add(out, token->serial, sizeof token->serial);
    add_pin(out, &token->so_pin);
    add_pin(out, &token->user_pin);
    add_sum(out);
}

/* Write the value of an attribute, whose form depends on its type. */
static enum attribute_kind kind_of(CK_ATTRIBUTE_TYPE type)
{
    const struct attribute_rule *rule = NULL;

    for (size_t i = 0; (rule = attribute_rule_at(i)) != NULL; i++) {
        if (rule->type == type) {
            return rule->kind;
        }
    }
    return KIND_BYTES;
}

static bool is_numbers(enum attribute_kind kind)
{
    return kind == KIND_ULONG || kind == KIND_MECHANISMS;
}

void format_object(struct bytes *out, const struct object *object)
{
    bytes_add(out, object_magic, sizeof object_magic);
    for (size_t i = 0; i < object->count; i++) {
        const struct attribute *attribute = &object->attributes[i];
        const uint8_t *value = attribute_bytes(attribute);
        size_t numbers = is_numbers(kind_of(attribute->type)) ? attribute->nbytes / sizeof(CK_ULONG) : 0;

        add_number(out, attribute->type, 4);
        add_number(out, numbers > 0 ? numbers * WIRE_ULONG_NBYTES : attribute->nbytes, 4);
        if (numbers == 0) {
            bytes_add(out, value, attribute->nbytes);
        }
        for (size_t at = 0; at < numbers; at++) {
            CK_ULONG number = 0;

            memcpy(&number, value + at * sizeof number, sizeof number);
            add_number(out, number == CK_UNAVAILABLE_INFORMATION ? UINT64_MAX : number, WIRE_ULONG_NBYTES);
        }
    }
    add_sum(out);
}

/* ---- read
 * ------------------------------------------------------------------------------------------------------------ */

struct reader {
    const uint8_t *data;
    size_t nbytes;
};

static const uint8_t *take(struct reader *reader, size_t nbytes)
{
    const uint8_t *data = reader->data;

    if (nbytes > reader->nbytes) {
        return NULL;
    }
    reader->data += nbytes;
    reader->nbytes -= nbytes;
    return data;
}

static uint64_t number_at(const uint8_t *wire, size_t nbytes)
{
    uint64_t number = 0;

    for (size_t i = 0; i < nbytes; i++) {
        number = number << 8 | wire[i];
    }
    return number;
}

/* The contents between the magic number and the SHA-256, if both are right. */
static bool open_content(const uint8_t *data, size_t nbytes, const uint8_t *magic, struct reader *out)
{
    uint8_t sum[SUM_NBYTES];

    if (nbytes < MAGIC_NBYTES + SUM_NBYTES || memcmp(data, magic, MAGIC_NBYTES) != 0 ||
        !sum_up(data, nbytes - SUM_NBYTES, sum) || memcmp(sum, data + nbytes - SUM_NBYTES, SUM_NBYTES) != 0) {
        return false;
    }
    *out = (struct reader){data + MAGIC_NBYTES, nbytes - MAGIC_NBYTES - SUM_NBYTES};
    return true;
}

static bool take_pin(struct reader *reader, struct pin *out)
{
    const uint8_t *wire = take(reader, 2 + PIN_SALT_NBYTES + PIN_HASH_NBYTES);

    if (wire == NULL || wire[0] > 1 || wire[1] > PIN_TRIES) {
        return false;
    }
    out->is_set = wire[0] == 1;
    out->failures = wire[1];
    memcpy(out->salt, wire + 2, PIN_SALT_NBYTES);
    memcpy(out->hash, wire + 2 + PIN_SALT_NBYTES, PIN_HASH_NBYTES);
    return true;
}

bool parse_token(const uint8_t *data, size_t nbytes, struct token *out)
{
    struct reader reader = {0};
    struct token token = {0};
    const uint8_t *label = NULL;
    const uint8_t *serial = NULL;

    if (!open_content(data, nbytes, token_magic, &reader)) {
        return false;
    }
    label = take(&reader, sizeof token.label);
    serial = take(&reader, sizeof token.serial);
    if (label == NULL || serial == NULL || !take_pin(&reader, &token.so_pin) || !take_pin(&reader, &token.user_pin) ||
        reader.nbytes > 0 || !token.so_pin.is_set) {
        return false;
    }
    memcpy(token.label, label, sizeof token.label);
    memcpy(token.serial, serial, sizeof token.serial);
    *out = token;
    OPENSSL_cleanse(&token, sizeof token);
    return true;
}

/* Convert numbers from the form in the file to that of this machine. */
static CK_RV set_numbers(struct object *object, CK_ATTRIBUTE_TYPE type, const uint8_t *wire, size_t wire_nbytes)
{
    size_t count = wire_nbytes / WIRE_ULONG_NBYTES;
    CK_ULONG *numbers = NULL;
    CK_RV rv = CKR_OK;

    if (wire_nbytes % WIRE_ULONG_NBYTES != 0) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    numbers = calloc(count + 1, sizeof *numbers);
    if (numbers == NULL) {
        return CKR_HOST_MEMORY;
    }
    for (size_t i = 0; i < count && rv == CKR_OK; i++) {
        uint64_t number = number_at(wire + i * WIRE_ULONG_NBYTES, WIRE_ULONG_NBYTES);

        numbers[i] = number == UINT64_MAX ? CK_UNAVAILABLE_INFORMATION : (CK_ULONG)number;
        rv = number != UINT64_MAX && numbers[i] != number ? CKR_ATTRIBUTE_VALUE_INVALID : CKR_OK;
    }
    if (rv == CKR_OK) {
        rv = attribute_set(object, type, numbers, count * sizeof *numbers);
    }
    free(numbers);
    return rv;
}

/* Take one attribute, and check it before it is stored. Attributes are in the order of their types, so none is there
 * twice, and the class, whose type is 0, is the first. */
static bool take_attribute(struct reader *reader, struct object *object, CK_ATTRIBUTE_TYPE *io_last_type)
{
    const uint8_t *head = take(reader, 8);
    CK_ATTRIBUTE_TYPE type = head != NULL ? (CK_ATTRIBUTE_TYPE)number_at(head, 4) : 0;
    size_t nbytes = head != NULL ? (size_t)number_at(head + 4, 4) : 0;
    const uint8_t *value = head != NULL ? take(reader, nbytes) : NULL;
    const struct attribute_rule *rule = NULL;
    const struct attribute *attribute = NULL;
    bool is_known = false;

    if (value == NULL || (object->count == 0 ? type != CKA_CLASS : type <= *io_last_type)) {
        return false;
    }
    *io_last_type = type;
    rule = attribute_rule(type, object->object_class, &is_known); /* the class before CKA_CLASS is taken: CKO_DATA */
    if (rule == NULL || (is_numbers(rule->kind) ? set_numbers(object, type, value, nbytes)
                                                : attribute_set(object, type, value, nbytes)) != CKR_OK) {
        return false;
    }
    attribute = attribute_find(object, type);
    if (attribute_value_check(rule, attribute_bytes(attribute), attribute->nbytes) != CKR_OK) {
        return false;
    }
    if (type == CKA_CLASS) {
        object->object_class = attribute_ulong(object, CKA_CLASS);
    }
    return class_bit(object->object_class) != 0;
}

/* Whether this token could have made an object with these attributes, each of which is right by itself. */
static bool is_sound(struct object *object)
{
    const struct attribute *id = attribute_find(object, CKA_UNIQUE_ID);
    const struct attribute_rule *rule = NULL;
    unsigned bit = class_bit(object->object_class);

    object->key_type = attribute_ulong(object, CKA_KEY_TYPE);
    object->is_token = attribute_bool(object, CKA_TOKEN);
    object->is_private = attribute_bool(object, CKA_PRIVATE);
    if (object->count == 0 || !object->is_token || id == NULL || id->nbytes != 32 ||
        ((bit & (IN_PUBLIC | IN_PRIVATE)) != 0 && object->key_type != CKK_EC)) {
        return false;
    }
    for (size_t i = 0; (rule = attribute_rule_at(i)) != NULL; i++) {
        if ((rule->classes & bit) != 0 && (rule->rules & RULE_NEEDED) != 0 &&
            attribute_find(object, rule->type) == NULL) {
            return false;
        }
    }
    return object_complete(object) == CKR_OK;
}

struct object *parse_object(const uint8_t *data, size_t nbytes, struct slot *slot)
{
    struct reader reader = {0};
    struct object *object = NULL;
    CK_ATTRIBUTE_TYPE last_type = 0;
    bool is_right = open_content(data, nbytes, object_magic, &reader);

    if (is_right) {
        object = object_new(slot, CKO_DATA);
        is_right = object != NULL;
    }
    while (is_right && reader.nbytes > 0) {
        is_right = take_attribute(&reader, object, &last_type);
    }
    if (is_right && is_sound(object)) {
        return object;
    }
    object_free(object);
    return NULL;
}

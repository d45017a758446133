/* SPDX-License-Identifier: Apache-2.0
 *
 * store_parse.c - reads the contents of the files of the store, in the form of store_format.c. Nothing is believed that
 * this token would not have written.
 */
#include <string.h>

#include <openssl/crypto.h>

#include "array_attributes.h"
#include "store_format.h"

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
        !format_sum(data, nbytes - SUM_NBYTES, sum) || memcmp(sum, data + nbytes - SUM_NBYTES, SUM_NBYTES) != 0) {
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

    if (!open_content(data, nbytes, format_token_magic, &reader)) {
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

/* Convert numbers from the form in the file to that of this machine. False if one does not fit. */
static bool convert_numbers(const uint8_t *wire, size_t wire_nbytes, struct bytes *out)
{
    for (size_t at = 0; at < wire_nbytes; at += WIRE_ULONG_NBYTES) {
        uint64_t number = number_at(wire + at, WIRE_ULONG_NBYTES);
        CK_ULONG converted = number == UINT64_MAX ? CK_UNAVAILABLE_INFORMATION : (CK_ULONG)number;

        if (number != UINT64_MAX && converted != number) {
            return false;
        }
        bytes_add(out, &converted, sizeof converted);
    }
    return true;
}

/* Take the type and the value of an attribute. Numbers are converted into `room`, else the value stays in the file. */
static bool take_plain(struct reader *reader, struct bytes *room, CK_ATTRIBUTE *out)
{
    const uint8_t *head = take(reader, 8);
    size_t nbytes = head != NULL ? (size_t)number_at(head + 4, 4) : 0;
    const uint8_t *value = head != NULL ? take(reader, nbytes) : NULL;

    if (value == NULL) {
        return false;
    }
    out->type = (CK_ATTRIBUTE_TYPE)number_at(head, 4);
    out->pValue = (void *)value;
    out->ulValueLen = nbytes;
    if (format_is_numbers(format_kind(out->type))) {
        if (nbytes % WIRE_ULONG_NBYTES != 0 || !convert_numbers(value, nbytes, room)) {
            return false;
        }
        out->pValue = room->data;
        out->ulValueLen = room->nbytes;
    }
    return !room->failed;
}

/* Convert the attributes of an array, which are checked as if an application gave them. */
static bool convert_array(const CK_ATTRIBUTE *array, struct bytes *out)
{
    struct reader reader = {array->pValue, array->ulValueLen};
    bool is_right = true;

    while (is_right && reader.nbytes > 0) {
        struct bytes room = {0};
        CK_ATTRIBUTE next = {0};

        is_right = take_plain(&reader, &room, &next) && array_add(out, &next) == CKR_OK;
        bytes_free(&room);
    }
    return is_right;
}

/* Set an attribute that was read, if the rules allow it. */
static bool set_attribute(struct object *object, const CK_ATTRIBUTE *attribute)
{
    struct bytes piece = {0};
    bool is_known = false;
    bool is_set = false;
    const struct attribute_rule *rule = attribute_rule(attribute->type, class_bits(object->object_class), &is_known);

    if (rule == NULL) {
        return false;
    }
    if (rule->kind == KIND_ARRAY) {
        is_set = convert_array(attribute, &piece) &&
                 attribute_set(object, attribute->type, piece.data, piece.nbytes) == CKR_OK;
        bytes_free(&piece);
        return is_set;
    }
    return attribute_value_check(rule, attribute->pValue, attribute->ulValueLen) == CKR_OK &&
           attribute_set(object, attribute->type, attribute->pValue, attribute->ulValueLen) == CKR_OK;
}

/* Take one attribute. They are in the order of their types, so none is there twice, and the class, whose type is 0, is the
 * first: its rule is the same for all classes. */
static bool take_attribute(struct reader *reader, struct object *object, CK_ATTRIBUTE_TYPE *io_last_type)
{
    struct bytes room = {0};
    CK_ATTRIBUTE next = {0};
    bool is_set = take_plain(reader, &room, &next) &&
                  (object->count == 0 ? next.type == CKA_CLASS : next.type > *io_last_type) &&
                  set_attribute(object, &next);

    bytes_free(&room);
    *io_last_type = next.type;
    if (is_set && next.type == CKA_CLASS) {
        object->object_class = attribute_ulong(object, CKA_CLASS);
    }
    return is_set && class_bits(object->object_class) != 0;
}

/* Whether this token could have made an object with these attributes, each of which is right by itself. */
static bool is_sound(struct object *object)
{
    const struct attribute *id = attribute_find(object, CKA_UNIQUE_ID);
    const struct attribute_rule *rule = NULL;
    unsigned bit = 0;
    bool is_known = false;

    object->key_type = attribute_ulong(object, CKA_KEY_TYPE);
    bit = object_bit(object->object_class, object->key_type);
    object->is_token = attribute_bool(object, CKA_TOKEN);
    object->is_private = attribute_bool(object, CKA_PRIVATE);
    if (object->count == 0 || !object->is_token || id == NULL || id->nbytes != 32 || bit == 0) {
        return false;
    }
    for (size_t i = 0; i < object->count; i++) { /* the key type was not known while they were taken */
        if (attribute_rule(object->attributes[i].type, bit, &is_known) == NULL) {
            return false;
        }
    }
    for (size_t i = 0; (rule = attribute_rule_at(i)) != NULL; i++) {
        if ((rule->objects & bit) != 0 && (rule->rules & RULE_NEEDED) != 0 &&
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
    bool is_right = open_content(data, nbytes, format_object_magic, &reader);

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * store_format.h - the contents of the files of the store. store_format.c describes them.
 */
#ifndef TOKEN_STORE_FORMAT_H
#define TOKEN_STORE_FORMAT_H

#include "bytes.h"
#include "objects.h"

void format_token(struct bytes *out, const struct token *token);
void format_object(struct bytes *out, const struct object *object);
bool parse_token(const uint8_t *data, size_t nbytes, struct token *out);
struct object *parse_object(const uint8_t *data, size_t nbytes, struct slot *slot); /* NULL if it is not an object */

/* ---- what the two share
 * ------------------------------------------------------------------------------------------------ */

#define MAGIC_NBYTES 6
#define SUM_NBYTES 32
#define WIRE_ULONG_NBYTES 8

extern const uint8_t format_token_magic[MAGIC_NBYTES];
extern const uint8_t format_object_magic[MAGIC_NBYTES];

/** SHA-256. False if libcrypto fails. */
bool format_sum(const uint8_t *data, size_t nbytes, uint8_t out[SUM_NBYTES]);

/** The kind of an attribute's value, and whether that is one or more CK_ULONG. */
enum attribute_kind format_kind(CK_ATTRIBUTE_TYPE type);
bool format_is_numbers(enum attribute_kind kind);

#endif

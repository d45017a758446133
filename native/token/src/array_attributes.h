/* SPDX-License-Identifier: Apache-2.0
 *
 * array_attributes.h - attributes whose value is a template, of which the token has CKA_UNWRAP_TEMPLATE. The application
 * gives and gets arrays of CK_ATTRIBUTE; an object holds the same in one piece: for each attribute its type and the
 * length of its value, each a CK_ULONG, and the value. A search never finds an object by such an attribute.
 */
#ifndef TOKEN_ARRAY_ATTRIBUTES_H
#define TOKEN_ARRAY_ATTRIBUTES_H

#include "bytes.h"
#include "objects.h"

/** Add one attribute to the piece. CKR_ATTRIBUTE_VALUE_INVALID: keys have no such attribute, or not with such a value, or
 *  it is an array itself; it is there already, or there are too many. CKR_HOST_MEMORY. */
CK_RV array_add(struct bytes *piece, const CK_ATTRIBUTE *attribute);

/** Make the piece of an application's array. Errors as above. The caller frees `out` also after an error. */
CK_RV array_pack(const CK_ATTRIBUTE *given, struct bytes *out);

/** Take the next attribute from a piece, whose rest is `io_piece` and `io_nbytes`. The value stays where it is, and need
 *  not be aligned. False at the end. */
bool array_next(const uint8_t **io_piece, size_t *io_nbytes, CK_ATTRIBUTE *out);

/** C_GetAttributeValue for the attribute that holds the piece: the number of attributes; their types and lengths; or
 *  their values too. CKR_BUFFER_TOO_SMALL. */
CK_RV array_get(const struct attribute *attribute, CK_ATTRIBUTE *wanted);

/** Combine a template with the array that an object may have: `*out`, with room for `*out_room` attributes, which the
 *  caller frees also after an error. CKR_TEMPLATE_INCONSISTENT: they have different values of one attribute. */
CK_RV array_combine(const struct object *object, CK_ATTRIBUTE_TYPE type, struct template given, CK_ATTRIBUTE **out_room,
                    struct template *out);

/** Whether the array of an object sets that attribute to true. */
bool array_bool(const struct object *object, CK_ATTRIBUTE_TYPE array, CK_ATTRIBUTE_TYPE type);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * store.h - stores tokens in the directory that CSIDE_TOKEN_DIR names. If it is not set, all functions do nothing.
 *
 * <dir>/slot-<n>/token has label, serial number and PINs; each <dir>/slot-<n>/<unique id>.object has one object. A file
 * is written under a temporary name, synced and renamed, and then the directory is synced. After a crash there is the
 * old file or the new one. All functions are called with the module's lock held.
 */
#ifndef TOKEN_STORE_H
#define TOKEN_STORE_H

#include "objects.h"

CK_RV store_open(void);

/** Read the files into the slots. A file that is damaged or of another format is not changed, and is named on stderr.
 *  */
void store_load(void);

CK_RV store_token(struct slot *slot);
CK_RV store_object(const struct object *object);
CK_RV store_forget(const struct object *object);
CK_RV store_erase(struct slot *slot);

/* ---- the format
 * ------------------------------------------------------------------------------------------------------ */

struct bytes {
    uint8_t *data;
    size_t nbytes;
    size_t capacity;
    bool failed; /* an allocation failed */
};

void bytes_add(struct bytes *bytes, const void *data, size_t nbytes);
void bytes_free(struct bytes *bytes);

void format_token(struct bytes *out, const struct slot *slot);
void format_object(struct bytes *out, const struct object *object);
bool parse_token(const uint8_t *data, size_t nbytes, struct slot *slot);
struct object *parse_object(const uint8_t *data, size_t nbytes, struct slot *slot); /* NULL if it is not an object */

#endif

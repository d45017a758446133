/* SPDX-License-Identifier: Apache-2.0
 *
 * store.h - tokens in a directory, where CSIDE_TOKEN_DIR names one; without it, all functions do nothing.
 *
 * <dir>/slot-<n>/token holds label, serial number and PINs, <dir>/slot-<n>/<unique id>.object an object each. A file is
 * written beside its place, synced and renamed into it, and the directory synced: after a crash it is the old one or the
 * new one. All under the module's lock.
 */
#ifndef TOKEN_STORE_H
#define TOKEN_STORE_H

#include "objects.h"

CK_RV store_open(void);

/** What is on disk, into the slots. A file that cannot be read as one of ours is left alone, and named on stderr. */
void store_load(void);

CK_RV store_token(struct slot *slot);
CK_RV store_object(const struct object *object);
CK_RV store_forget(const struct object *object);
CK_RV store_erase(struct slot *slot);

/* ---- the format ------------------------------------------------------------------------------------------------------ */

struct bytes {
    uint8_t *data;
    size_t nbytes;
    size_t capacity;
    bool failed; /* no memory */
};

void bytes_add(struct bytes *bytes, const void *data, size_t nbytes);
void bytes_free(struct bytes *bytes);

void format_token(struct bytes *out, const struct slot *slot);
void format_object(struct bytes *out, const struct object *object);
bool parse_token(const uint8_t *data, size_t nbytes, struct slot *slot);
struct object *parse_object(const uint8_t *data, size_t nbytes, struct slot *slot); /* NULL: not an object */

#endif

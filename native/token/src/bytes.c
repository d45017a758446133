/* SPDX-License-Identifier: Apache-2.0
 *
 * bytes.c - bytes that grow.
 */
#include "bytes.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#define GROW_NBYTES 256

static bool grow(struct bytes *bytes, size_t nbytes)
{
    size_t capacity = 0;
    uint8_t *room = NULL;

    if (nbytes <= bytes->capacity - bytes->nbytes) {
        return true;
    }
    if (nbytes > SIZE_MAX / 4 || bytes->capacity > SIZE_MAX / 4) {
        return false;
    }
    capacity = bytes->capacity * 2 + nbytes + GROW_NBYTES;
    room = malloc(capacity);
    if (room == NULL) {
        return false;
    }
    if (bytes->data != NULL) {
        memcpy(room, bytes->data, bytes->nbytes);
        OPENSSL_cleanse(bytes->data, bytes->nbytes);
        free(bytes->data);
    }
    bytes->data = room;
    bytes->capacity = capacity;
    return true;
}

void bytes_add(struct bytes *bytes, const void *data, size_t nbytes)
{
    bytes->failed = bytes->failed || !grow(bytes, nbytes);
    if (!bytes->failed && nbytes > 0) {
        memcpy(bytes->data + bytes->nbytes, data, nbytes);
        bytes->nbytes += nbytes;
    }
}

void bytes_free(struct bytes *bytes)
{
    if (bytes->data != NULL) {
        OPENSSL_cleanse(bytes->data, bytes->nbytes);
        free(bytes->data);
    }
    *bytes = (struct bytes){0};
}

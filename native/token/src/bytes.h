/* SPDX-License-Identifier: Apache-2.0
 *
 * bytes.h - bytes that grow, and are wiped when they move or are freed, because they may contain keys.
 */
#ifndef TOKEN_BYTES_H
#define TOKEN_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t nbytes;
    size_t capacity;
    bool failed; /* something could not be added; what is added later is ignored */
};

/** Sets `failed` if there is no memory. */
void bytes_add(struct bytes *bytes, const void *data, size_t nbytes);
void bytes_free(struct bytes *bytes);

#endif

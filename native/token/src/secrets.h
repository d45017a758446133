/* SPDX-License-Identifier: Apache-2.0
 *
 * secrets.h - secret bytes in libcrypto's memory, which are wiped when they are freed.
 */
#ifndef TOKEN_SECRETS_H
#define TOKEN_SECRETS_H

#include "module.h"

#include <openssl/crypto.h>

struct secret {
    uint8_t *data;
    CK_ULONG nbytes;
    CK_ULONG capacity; /* what is wiped */
};

static inline CK_RV secret_allocate(struct secret *out, CK_ULONG capacity)
{
    out->data = OPENSSL_malloc(capacity);
    out->nbytes = 0;
    out->capacity = out->data != NULL ? capacity : 0;
    return out->data != NULL ? CKR_OK : CKR_HOST_MEMORY;
}

static inline void secret_free(struct secret *secret)
{
    OPENSSL_clear_free(secret->data, secret->capacity);
    *secret = (struct secret){0};
}

#endif

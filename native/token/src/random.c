/* SPDX-License-Identifier: Apache-2.0
 *
 * random.c - random numbers, by libcrypto's generators.
 */
#include "module.h"

#include <openssl/rand.h>

#define CHUNK_NBYTES ((CK_ULONG)1 << 20)

static CK_RV generate(int (*generator)(unsigned char *, int), void *out, CK_ULONG nbytes)
{
    uint8_t *next = out;

    while (nbytes > 0) {
        CK_ULONG chunk = nbytes < CHUNK_NBYTES ? nbytes : CHUNK_NBYTES;

        if (generator(next, (int)chunk) != 1) {
            return CKR_FUNCTION_FAILED;
        }
        next += chunk;
        nbytes -= chunk;
    }
    return CKR_OK;
}

CK_RV random_bytes(void *out, CK_ULONG nbytes)
{
    return generate(RAND_bytes, out, nbytes);
}

CK_RV random_secret(void *out, CK_ULONG nbytes)
{
    return generate(RAND_priv_bytes, out, nbytes);
}

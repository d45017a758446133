/* SPDX-License-Identifier: Apache-2.0
 *
 * random.c - random numbers, by libcrypto's generators.
 */
#include "sessions.h"

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

CK_RV C_SeedRandom(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pSeed, CK_ULONG ulSeedLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if ((pSeed == NULL && ulSeedLen > 0) || ulSeedLen > INT32_MAX) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        RAND_add(pSeed, (int)ulSeedLen, 0.0); /* counted as no entropy */
    }
    session_leave(session);
    return rv;
}

CK_RV C_GenerateRandom(CK_SESSION_HANDLE hSession, CK_BYTE_PTR RandomData, CK_ULONG ulRandomLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = RandomData == NULL && ulRandomLen > 0 ? CKR_ARGUMENTS_BAD : random_bytes(RandomData, ulRandomLen);
    session_leave(session);
    return rv;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * random_calls.c - C_SeedRandom and C_GenerateRandom.
 */
#include "sessions.h"

#include <openssl/rand.h>

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

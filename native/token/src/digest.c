/* SPDX-License-Identifier: Apache-2.0
 *
 * digest.c - C_Digest and its functions for parts, and functions that signatures share with it.
 */
#include "signatures.h"

CK_RV hash_update(struct session *session, const uint8_t *data, CK_ULONG nbytes)
{
    struct hash_operation *hash = &session->hash;
    CK_RV rv = CKR_OK;

    while (nbytes > 0 && rv == CKR_OK) {
        CK_ULONG chunk = nbytes < SURRENDER_NBYTES ? nbytes : SURRENDER_NBYTES;
        int done = hash->mac != NULL ? EVP_MAC_update(hash->mac, data, chunk) : EVP_DigestUpdate(hash->md, data, chunk);

        data += chunk;
        nbytes -= chunk;
        if (done != 1) {
            rv = CKR_FUNCTION_FAILED;
        } else if (nbytes > 0) {
            rv = session_surrender(session);
        }
    }
    return rv;
}

CK_RV digest_start(struct hash_operation *hash, const struct mechanism *mechanism)
{
    if (hash->md == NULL) {
        hash->md = EVP_MD_CTX_new();
        if (hash->md == NULL) {
            return CKR_HOST_MEMORY;
        }
    }
    return EVP_DigestInit_ex2(hash->md, algorithms.digests[mechanism->digest], NULL) == 1 ? CKR_OK
                                                                                          : CKR_FUNCTION_FAILED;
}

CK_RV digest_finish(struct hash_operation *hash, uint8_t *out)
{
    return EVP_DigestFinal_ex(hash->md, out, NULL) == 1 ? CKR_OK : CKR_FUNCTION_FAILED;
}

CK_RV C_DigestInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism)
{
    struct session *session = NULL;
    const struct mechanism *mechanism = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (pMechanism == NULL) {
        rv = hash_cancel(&session->hash, HASH_DIGEST);
        goto done;
    }
    rv = mechanism_choose(pMechanism, CKF_DIGEST, &mechanism);
    if (rv == CKR_OK && session->hash.kind != HASH_NONE) {
        rv = CKR_OPERATION_ACTIVE;
    }
    if (rv == CKR_OK) {
        rv = mechanism_no_parameter(pMechanism);
    }
    if (rv == CKR_OK) {
        rv = digest_start(&session->hash, mechanism);
    }
    if (rv == CKR_OK) {
        session->hash.kind = HASH_DIGEST;
        session->hash.mechanism = mechanism;
        session->hash.out_nbytes = digest_nbytes(mechanism->digest);
    }
done:
    session_leave(session);
    return rv;
}

/* Digest `data` after the parts before, and end the operation unless only the length was asked for. */
static CK_RV finish(struct session *session, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out, CK_ULONG *io_nbytes)
{
    struct hash_operation *hash = &session->hash;
    bool asked = false;
    CK_RV rv = io_nbytes == NULL || (data == NULL && nbytes > 0) ? CKR_ARGUMENTS_BAD : CKR_OK;

    if (rv == CKR_OK) {
        rv = output_room(out, io_nbytes, hash->out_nbytes, &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            return rv;
        }
        rv = hash_update(session, data, nbytes);
    }
    if (rv == CKR_OK) {
        rv = digest_finish(hash, out);
    }
    hash_end(hash);
    return rv;
}

CK_RV C_Digest(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen, CK_BYTE_PTR pDigest,
               CK_ULONG_PTR pulDigestLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != HASH_DIGEST) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else if (session->hash.updated) {
        rv = CKR_OPERATION_ACTIVE;
        hash_end(&session->hash);
    } else {
        rv = finish(session, pData, ulDataLen, pDigest, pulDigestLen);
    }
    session_leave(session);
    return rv;
}

CK_RV C_DigestUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pPart, CK_ULONG ulPartLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != HASH_DIGEST) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else {
        session->hash.updated = true;
        rv = pPart == NULL && ulPartLen > 0 ? CKR_ARGUMENTS_BAD : hash_update(session, pPart, ulPartLen);
        if (rv != CKR_OK) {
            hash_end(&session->hash);
        }
    }
    session_leave(session);
    return rv;
}

/* A key that cannot be read cannot be digested either. */
static CK_RV digest_key(struct session *session, CK_OBJECT_HANDLE handle)
{
    const struct object *key = NULL;
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    key = object_find(session, handle);
    if (key == NULL) {
        rv = CKR_KEY_HANDLE_INVALID;
    } else if (key->object_class != CKO_SECRET_KEY || !attribute_bool(key, CKA_EXTRACTABLE)) {
        rv = CKR_KEY_INDIGESTIBLE;
    } else {
        const struct attribute *value = attribute_find(key, CKA_VALUE);

        rv = EVP_DigestUpdate(session->hash.md, attribute_bytes(value), value->nbytes) == 1 ? CKR_OK
                                                                                            : CKR_FUNCTION_FAILED;
    }
    lock_give(&module->lock);
    return rv;
}

CK_RV C_DigestKey(CK_SESSION_HANDLE hSession, CK_OBJECT_HANDLE hKey)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != HASH_DIGEST) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else {
        session->hash.updated = true;
        rv = digest_key(session, hKey);
        if (rv != CKR_OK) {
            hash_end(&session->hash);
        }
    }
    session_leave(session);
    return rv;
}

CK_RV C_DigestFinal(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pDigest, CK_ULONG_PTR pulDigestLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = session->hash.kind != HASH_DIGEST ? CKR_OPERATION_NOT_INITIALIZED
                                           : finish(session, NULL, 0, pDigest, pulDigestLen);
    session_leave(session);
    return rv;
}

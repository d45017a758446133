/* SPDX-License-Identifier: Apache-2.0
 *
 * digest_state.c - C_GetOperationState and C_SetOperationState, for digests.
 *
 * libcrypto does not export the state of a digest, so the application gets a ticket. The state itself stays here, as a
 * copy of the context, until STATES newer ones have been saved or the module is finalised.
 */
#include "signatures.h"

#include <string.h>

#define STATES 256
#define TICKET_NBYTES 24

struct saved_state {
    uint8_t ticket[TICKET_NBYTES]; /* all zero in a free entry */
    const struct mechanism *mechanism;
    EVP_MD_CTX *md;
};

static const uint8_t ticket_magic[8] = "cs-state";
static struct saved_state states[STATES]; /* guarded by the module's lock */
static size_t next_state;

void states_free(void)
{
    for (size_t i = 0; i < STATES; i++) {
        EVP_MD_CTX_free(states[i].md);
    }
    memset(states, 0, sizeof states);
    next_state = 0;
}

static CK_RV save(const struct hash_operation *hash, CK_BYTE *out)
{
    struct saved_state fresh = {.mechanism = hash->mechanism, .md = EVP_MD_CTX_new()};
    CK_RV rv = CKR_OK;

    if (fresh.md == NULL || EVP_MD_CTX_copy_ex(fresh.md, hash->md) != 1) {
        EVP_MD_CTX_free(fresh.md);
        return CKR_HOST_MEMORY;
    }
    memcpy(fresh.ticket, ticket_magic, sizeof ticket_magic);
    rv = random_bytes(fresh.ticket + sizeof ticket_magic, sizeof fresh.ticket - sizeof ticket_magic);
    if (rv == CKR_OK) {
        rv = lock_take(&module->lock);
    }
    if (rv != CKR_OK) {
        EVP_MD_CTX_free(fresh.md);
        return rv;
    }
    EVP_MD_CTX_free(states[next_state].md);
    states[next_state] = fresh;
    next_state = (next_state + 1) % STATES;
    lock_give(&module->lock);
    memcpy(out, fresh.ticket, sizeof fresh.ticket);
    return CKR_OK;
}

CK_RV C_GetOperationState(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pOperationState, CK_ULONG_PTR pulOperationStateLen)
{
    struct session *session = NULL;
    bool asked = false;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (pulOperationStateLen == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (session->hash.kind == HASH_NONE && session->cipher.kind == CIPHER_NONE) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else if (session->hash.kind != HASH_DIGEST || session->cipher.kind != CIPHER_NONE) {
        rv = CKR_STATE_UNSAVEABLE;
    } else {
        rv = output_room(pOperationState, pulOperationStateLen, TICKET_NBYTES, &asked);
        if (rv == CKR_OK && !asked) {
            rv = save(&session->hash, pOperationState);
        }
    }
    session_leave(session);
    return rv;
}

static CK_RV restore(struct hash_operation *hash, const CK_BYTE *ticket)
{
    const struct mechanism *mechanism = NULL;
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    CK_RV rv = md != NULL ? lock_take(&module->lock) : CKR_HOST_MEMORY;

    if (rv != CKR_OK) {
        EVP_MD_CTX_free(md);
        return rv;
    }
    for (size_t i = 0; i < STATES && mechanism == NULL; i++) {
        if (states[i].md != NULL && memcmp(states[i].ticket, ticket, TICKET_NBYTES) == 0 &&
            EVP_MD_CTX_copy_ex(md, states[i].md) == 1) {
            mechanism = states[i].mechanism;
        }
    }
    lock_give(&module->lock);
    if (mechanism == NULL) {
        EVP_MD_CTX_free(md);
        return CKR_SAVED_STATE_INVALID;
    }
    hash_end(hash);
    EVP_MD_CTX_free(hash->md);
    hash->md = md;
    hash->kind = HASH_DIGEST;
    hash->mechanism = mechanism;
    hash->updated = true;
    hash->out_nbytes = digest_nbytes(mechanism->digest);
    return CKR_OK;
}

CK_RV C_SetOperationState(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pOperationState, CK_ULONG ulOperationStateLen,
                          CK_OBJECT_HANDLE hEncryptionKey, CK_OBJECT_HANDLE hAuthenticationKey)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (pOperationState == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (ulOperationStateLen != TICKET_NBYTES ||
               memcmp(pOperationState, ticket_magic, sizeof ticket_magic) != 0) {
        rv = CKR_SAVED_STATE_INVALID;
    } else if (hEncryptionKey != CK_INVALID_HANDLE || hAuthenticationKey != CK_INVALID_HANDLE) {
        rv = CKR_KEY_NOT_NEEDED;
    } else {
        rv = restore(&session->hash, pOperationState);
    }
    session_leave(session);
    return rv;
}

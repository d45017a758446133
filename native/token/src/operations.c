/* SPDX-License-Identifier: Apache-2.0
 *
 * operations.c - ends the operations of a session, and checks the room for their results.
 */
#include <stdlib.h>

#include <openssl/crypto.h>

#include "sessions.h"

/* ---- the end of an operation ---- */

void hash_end(struct hash_operation *hash)
{
    if (hash->kind == HASH_NONE) {
        return;
    }
    hash->kind = HASH_NONE;
    hash->mechanism = NULL;
    hash->updated = false;
    hash->must_login = false;
    EVP_MAC_CTX_free(hash->mac); /* wipes its key */
    hash->mac = NULL;
    EVP_PKEY_free(hash->key);
    hash->key = NULL;
    EVP_PKEY_CTX_free(hash->pkey);
    hash->pkey = NULL;
    hash->signer = NULL;
    OPENSSL_cleanse(hash->expected, hash->expected_nbytes);
    hash->expected_nbytes = 0;
}

void cipher_held_clear(struct cipher_operation *cipher)
{
    if (cipher->held != NULL) {
        OPENSSL_cleanse(cipher->held, cipher->held_nbytes);
        free(cipher->held);
    }
    cipher->held = NULL;
    cipher->held_nbytes = 0;
    cipher->held_capacity = 0;
}

void cipher_end(struct cipher_operation *cipher)
{
    EVP_CIPHER_CTX *ctx = cipher->ctx;

    if (cipher->kind == CIPHER_NONE) {
        return;
    }
    if (ctx != NULL) {
        EVP_CIPHER_CTX_reset(ctx); /* wipes its key */
    }
    EVP_PKEY_CTX_free(cipher->pkey);
    cipher_held_clear(cipher);
    OPENSSL_cleanse(cipher, sizeof *cipher);
    cipher->ctx = ctx;
}

CK_RV hash_cancel(struct hash_operation *hash, enum hash_kind kind)
{
    if (hash->kind != kind) {
        return CKR_ARGUMENTS_BAD;
    }
    hash_end(hash);
    return CKR_OK;
}

CK_RV cipher_cancel(struct cipher_operation *cipher, enum cipher_kind kind)
{
    if (cipher->kind != kind) {
        return CKR_ARGUMENTS_BAD;
    }
    cipher_end(cipher);
    return CKR_OK;
}

/* ---- the room for results ---- */

CK_RV output_room(const void *out, CK_ULONG *io_nbytes, CK_ULONG nbytes, bool *out_asked)
{
    CK_ULONG room = *io_nbytes;

    *io_nbytes = nbytes;
    *out_asked = out == NULL;
    return out != NULL && room < nbytes ? CKR_BUFFER_TOO_SMALL : CKR_OK;
}

CK_RV part_room(const void *out, CK_ULONG *io_nbytes, CK_ULONG nbytes, CK_ULONG in_nbytes, bool *out_asked)
{
    CK_RV rv = output_room(out, io_nbytes, nbytes, out_asked);

    if (*out_asked && nbytes == 0) {
        *io_nbytes = in_nbytes;
    }
    return rv;
}

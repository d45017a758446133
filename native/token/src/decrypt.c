/* SPDX-License-Identifier: Apache-2.0
 *
 * decrypt.c - C_Decrypt, C_DecryptUpdate and C_DecryptFinal. The output of GCM in parts is returned at the end, after
 * the tag was verified.
 */
#include "ciphers.h"
#include "ciphers_rsa.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

CK_RV C_DecryptInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = cipher_start(session, CIPHER_DECRYPT, pMechanism, hKey);
    session_leave(session);
    return rv;
}

/* Store the last bytes of a padded plaintext in the operation. Their number is known only now. */
static CK_RV make_tail(struct cipher_operation *cipher)
{
    uint8_t block[2 * BLOCK_NBYTES];
    int written = 0;

    if (cipher->has_tail) {
        return CKR_OK;
    }
    if (cipher->buffered != BLOCK_NBYTES) {
        return CKR_ENCRYPTED_DATA_LEN_RANGE;
    }
    if (EVP_DecryptFinal_ex(cipher->ctx, block, &written) != 1) {
        return CKR_ENCRYPTED_DATA_INVALID;
    }
    memcpy(cipher->tail, block, (size_t)written);
    cipher->tail_nbytes = (CK_ULONG)written;
    cipher->has_tail = true;
    OPENSSL_cleanse(block, sizeof block);
    return CKR_OK;
}

static void write_tail(struct cipher_operation *cipher, uint8_t *out)
{
    if (out != NULL && cipher->tail_nbytes > 0) {
        memcpy(out, cipher->tail, cipher->tail_nbytes);
    }
}

/* Decrypt a padded ciphertext in one call. The length of the plaintext is known only at its end, so if there is no room
 * for the longest it is decrypted into other memory first. If it then does not fit, the operation starts again. */
static CK_RV decrypt_padded(struct session *session, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                            CK_ULONG *io_nbytes, bool *out_goes_on)
{
    struct cipher_operation *cipher = &session->cipher;
    CK_ULONG room = *io_nbytes;
    CK_ULONG first = cipher_update_nbytes(cipher, nbytes);
    uint8_t *scratch = NULL;
    uint8_t *target = out;
    CK_RV rv = CKR_OK;

    if (room < nbytes) {
        scratch = malloc(nbytes);
        if (scratch == NULL) {
            return CKR_HOST_MEMORY;
        }
        target = scratch;
    }
    rv = cipher_update(session, data, nbytes, target);
    if (rv == CKR_OK) {
        rv = make_tail(cipher);
    }
    if (rv == CKR_OK) {
        CK_ULONG whole = first + cipher->tail_nbytes;

        *io_nbytes = whole;
        if (whole > room) {
            *out_goes_on = true;
            cipher->has_tail = false;
            cipher->buffered = 0;
            rv = EVP_DecryptInit_ex2(cipher->ctx, NULL, NULL, cipher->iv, NULL) == 1 ? CKR_BUFFER_TOO_SMALL
                                                                                     : CKR_FUNCTION_FAILED;
        } else {
            write_tail(cipher, target + first);
            if (scratch != NULL && whole > 0) {
                memcpy(out, scratch, whole);
            }
        }
    }
    if (scratch != NULL) {
        OPENSSL_cleanse(scratch, nbytes);
        free(scratch);
    }
    return rv;
}

static CK_RV decrypt_gcm(struct session *session, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out)
{
    CK_RV rv = cipher_hold(&session->cipher, data, nbytes);

    return rv == CKR_OK ? decrypt_held(session, out) : rv;
}

static CK_RV check_length(const struct cipher_operation *cipher, CK_ULONG nbytes)
{
    bool fits = true;

    switch (cipher->mechanism->family) {
    case FAMILY_AES:
        fits = nbytes % BLOCK_NBYTES == 0;
        break;
    case FAMILY_AES_PAD:
        fits = nbytes > 0 && nbytes % BLOCK_NBYTES == 0;
        break;
    case FAMILY_AES_GCM:
        fits = nbytes >= cipher->tag_nbytes;
        break;
    default:
        break;
    }
    return fits ? CKR_OK : CKR_ENCRYPTED_DATA_LEN_RANGE;
}

static CK_RV decrypt_all(struct session *session, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                         CK_ULONG *io_nbytes)
{
    struct cipher_operation *cipher = &session->cipher;
    enum family family = cipher->mechanism->family;
    bool asked = false;
    bool goes_on = false;
    CK_RV rv = CKR_OK;

    if (cipher->updated) {
        rv = CKR_OPERATION_ACTIVE;
    } else if (io_nbytes == NULL || (data == NULL && nbytes > 0)) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        rv = check_length(cipher, nbytes);
    }
    if (rv != CKR_OK) {
        goto done;
    }
    if (mechanism_is_rsa(cipher->mechanism)) {
        rv = rsa_decrypt(cipher, data, nbytes, out, io_nbytes, &goes_on);
        if (goes_on) {
            return rv;
        }
        goto done;
    }
    if (family == FAMILY_AES_PAD) {
        if (out == NULL) {
            *io_nbytes = nbytes; /* an upper bound */
            return CKR_OK;
        }
        rv = decrypt_padded(session, data, nbytes, out, io_nbytes, &goes_on);
        if (goes_on) {
            return rv;
        }
        goto done;
    }
    rv = output_room(out, io_nbytes, family == FAMILY_AES_GCM ? nbytes - cipher->tag_nbytes : nbytes, &asked);
    if (asked || rv == CKR_BUFFER_TOO_SMALL) {
        return rv;
    }
    rv = family == FAMILY_AES_GCM ? decrypt_gcm(session, data, nbytes, out) : cipher_update(session, data, nbytes, out);
done:
    cipher_end(cipher);
    return rv;
}

CK_RV C_Decrypt(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pEncryptedData, CK_ULONG ulEncryptedDataLen, CK_BYTE_PTR pData,
                CK_ULONG_PTR pulDataLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = session->cipher.kind != CIPHER_DECRYPT
             ? CKR_OPERATION_NOT_INITIALIZED
             : decrypt_all(session, pEncryptedData, ulEncryptedDataLen, pData, pulDataLen);
    session_leave(session);
    return rv;
}

CK_RV C_DecryptUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pEncryptedPart, CK_ULONG ulEncryptedPartLen,
                      CK_BYTE_PTR pPart, CK_ULONG_PTR pulPartLen)
{
    struct session *session = NULL;
    struct cipher_operation *cipher = NULL;
    bool asked = false;
    bool gives_nothing = false;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    cipher = &session->cipher;
    if (cipher->kind != CIPHER_DECRYPT) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
        goto done;
    }
    if (pulPartLen == NULL || (pEncryptedPart == NULL && ulEncryptedPartLen > 0)) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (!mechanism_takes_parts(cipher->mechanism)) {
        rv = CKR_FUNCTION_NOT_SUPPORTED;
    } else if (cipher->has_tail) {
        rv = CKR_OPERATION_ACTIVE; /* C_DecryptFinal was called already */
    } else {
        rv = part_room(pPart, pulPartLen, cipher_update_nbytes(cipher, ulEncryptedPartLen), ulEncryptedPartLen, &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            goto done;
        }
        cipher->updated = true;
        gives_nothing = *pulPartLen == 0;
        rv = cipher_update(session, pEncryptedPart, ulEncryptedPartLen, gives_nothing ? cipher->tail : pPart);
    }
    if (rv != CKR_OK) {
        cipher_end(cipher);
    }
done:
    session_leave(session);
    return rv;
}

/* Check the length of what is left at the end, and return it. Where only the length is asked for, `*out_nbytes` is an
 * upper bound. */
static CK_RV end_nbytes(struct cipher_operation *cipher, bool only_asks, CK_ULONG *out_nbytes)
{
    CK_RV rv = CKR_OK;

    *out_nbytes = 0;
    switch (cipher->mechanism->family) {
    case FAMILY_AES:
        return cipher->buffered > 0 ? CKR_ENCRYPTED_DATA_LEN_RANGE : CKR_OK;
    case FAMILY_AES_PAD:
        if (only_asks && !cipher->has_tail && cipher->buffered == BLOCK_NBYTES) {
            *out_nbytes = BLOCK_NBYTES;
            return CKR_OK;
        }
        rv = make_tail(cipher);
        *out_nbytes = cipher->tail_nbytes;
        return rv;
    case FAMILY_AES_GCM:
        if (cipher->held_nbytes < cipher->tag_nbytes) {
            return CKR_ENCRYPTED_DATA_LEN_RANGE;
        }
        *out_nbytes = cipher->held_nbytes - cipher->tag_nbytes;
        return CKR_OK;
    default:
        return mechanism_takes_parts(cipher->mechanism) ? CKR_OK : CKR_FUNCTION_NOT_SUPPORTED;
    }
}

CK_RV C_DecryptFinal(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pLastPart, CK_ULONG_PTR pulLastPartLen)
{
    struct session *session = NULL;
    struct cipher_operation *cipher = NULL;
    CK_ULONG nbytes = 0;
    bool asked = false;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    cipher = &session->cipher;
    if (cipher->kind != CIPHER_DECRYPT) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
        goto done;
    }
    rv = pulLastPartLen == NULL ? CKR_ARGUMENTS_BAD : end_nbytes(cipher, pLastPart == NULL, &nbytes);
    if (rv == CKR_OK) {
        rv = output_room(pLastPart, pulLastPartLen, nbytes, &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            goto done;
        }
        if (cipher->mechanism->family == FAMILY_AES_PAD) {
            write_tail(cipher, pLastPart);
        } else if (cipher->mechanism->family == FAMILY_AES_GCM) {
            rv = decrypt_held(session, pLastPart);
        }
    }
    cipher_end(cipher);
done:
    session_leave(session);
    return rv;
}

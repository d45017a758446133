/* SPDX-License-Identifier: Apache-2.0
 *
 * encrypt.c - C_Encrypt, C_EncryptUpdate and C_EncryptFinal.
 */
#include "ciphers.h"
#include "ciphers_rsa.h"

CK_RV C_EncryptInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = cipher_start(session, CIPHER_ENCRYPT, pMechanism, hKey);
    session_leave(session);
    return rv;
}

/* Number of bytes that the end of the operation produces. */
static CK_ULONG end_nbytes(const struct cipher_operation *cipher)
{
    switch (cipher->mechanism->family) {
    case FAMILY_AES_PAD:
        return BLOCK_NBYTES;
    case FAMILY_AES_GCM:
        return cipher->tag_nbytes;
    default:
        return 0;
    }
}

static CK_RV write_end(struct cipher_operation *cipher, uint8_t *out)
{
    uint8_t none[BLOCK_NBYTES];
    int written = 0;

    if (cipher->mechanism->family == FAMILY_AES && cipher->buffered > 0) {
        return CKR_DATA_LEN_RANGE;
    }
    if (EVP_EncryptFinal_ex(cipher->ctx, cipher->mechanism->family == FAMILY_AES_PAD ? out : none, &written) != 1) {
        return CKR_FUNCTION_FAILED;
    }
    if (cipher->mechanism->family == FAMILY_AES_GCM &&
        EVP_CIPHER_CTX_ctrl(cipher->ctx, EVP_CTRL_AEAD_GET_TAG, (int)cipher->tag_nbytes, out) != 1) {
        return CKR_FUNCTION_FAILED;
    }
    return CKR_OK;
}

static CK_RV encrypt_all(struct session *session, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                         CK_ULONG *io_nbytes)
{
    struct cipher_operation *cipher = &session->cipher;
    CK_ULONG first = cipher_update_nbytes(cipher, nbytes);
    bool asked = false;
    bool goes_on = false;
    CK_RV rv = CKR_OK;

    if (cipher->updated) {
        rv = CKR_OPERATION_ACTIVE;
    } else if (io_nbytes == NULL || (data == NULL && nbytes > 0)) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (cipher->mechanism->family == FAMILY_AES && nbytes % BLOCK_NBYTES != 0) {
        rv = CKR_DATA_LEN_RANGE;
    } else if (mechanism_is_rsa(cipher->mechanism)) {
        rv = rsa_encrypt(cipher, data, nbytes, out, io_nbytes, &goes_on);
        if (!goes_on) {
            cipher_end(cipher);
        }
        return rv;
    } else {
        rv = output_room(out, io_nbytes, first + end_nbytes(cipher), &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            return rv;
        }
        rv = cipher_update(session, data, nbytes, out);
    }
    if (rv == CKR_OK) {
        rv = write_end(cipher, out + first);
    }
    cipher_end(cipher);
    return rv;
}

CK_RV C_Encrypt(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pData, CK_ULONG ulDataLen, CK_BYTE_PTR pEncryptedData,
                CK_ULONG_PTR pulEncryptedDataLen)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = session->cipher.kind != CIPHER_ENCRYPT
             ? CKR_OPERATION_NOT_INITIALIZED
             : encrypt_all(session, pData, ulDataLen, pEncryptedData, pulEncryptedDataLen);
    session_leave(session);
    return rv;
}

CK_RV C_EncryptUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pPart, CK_ULONG ulPartLen, CK_BYTE_PTR pEncryptedPart,
                      CK_ULONG_PTR pulEncryptedPartLen)
{
    struct session *session = NULL;
    bool asked = false;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->cipher.kind != CIPHER_ENCRYPT) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
        goto done;
    }
    if (pulEncryptedPartLen == NULL || (pPart == NULL && ulPartLen > 0)) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (!mechanism_takes_parts(session->cipher.mechanism)) {
        rv = CKR_FUNCTION_NOT_SUPPORTED;
    } else {
        rv = part_room(pEncryptedPart, pulEncryptedPartLen, cipher_update_nbytes(&session->cipher, ulPartLen),
                       ulPartLen, &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            goto done;
        }
        session->cipher.updated = true;
        rv = cipher_update(session, pPart, ulPartLen, pEncryptedPart);
    }
    if (rv != CKR_OK) {
        cipher_end(&session->cipher);
    }
done:
    session_leave(session);
    return rv;
}

CK_RV C_EncryptFinal(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pLastEncryptedPart, CK_ULONG_PTR pulLastEncryptedPartLen)
{
    struct session *session = NULL;
    struct cipher_operation *cipher = NULL;
    bool asked = false;
    CK_RV rv = session_enter(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    cipher = &session->cipher;
    if (cipher->kind != CIPHER_ENCRYPT) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
        goto done;
    }
    if (pulLastEncryptedPartLen == NULL) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (!mechanism_takes_parts(cipher->mechanism)) {
        rv = CKR_FUNCTION_NOT_SUPPORTED;
    } else if (cipher->mechanism->family == FAMILY_AES && cipher->buffered > 0) {
        rv = CKR_DATA_LEN_RANGE;
    } else {
        rv = output_room(pLastEncryptedPart, pulLastEncryptedPartLen, end_nbytes(cipher), &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            goto done;
        }
        rv = write_end(cipher, pLastEncryptedPart);
    }
    cipher_end(cipher);
done:
    session_leave(session);
    return rv;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * combined.c - functions that process a part by two operations of a session at once. Both must be active; an error ends
 * both.
 */
#include "signatures.h"

#include "ciphers.h"

static CK_RV hash_part(struct session *session, const uint8_t *data, CK_ULONG nbytes)
{
    session->hash.updated = true;
    return session->hash.kind == HASH_DIGEST ? hash_update(session, data, nbytes)
                                             : signature_update(session, data, nbytes);
}

static CK_RV two_at_once(CK_SESSION_HANDLE handle, enum hash_kind hash_kind, enum cipher_kind cipher_kind,
                         const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out, CK_ULONG *io_nbytes)
{
    struct session *session = NULL;
    bool asked = false;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->hash.kind != hash_kind || session->cipher.kind != cipher_kind) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
        goto done;
    }
    if (io_nbytes == NULL || (data == NULL && nbytes > 0)) {
        rv = CKR_ARGUMENTS_BAD;
    } else if (!mechanism_takes_parts(session->cipher.mechanism)) {
        rv = CKR_FUNCTION_NOT_SUPPORTED;
    } else if (session->hash.must_login) {
        rv = CKR_USER_NOT_LOGGED_IN;
    } else if (session->cipher.has_tail) {
        rv = CKR_OPERATION_ACTIVE; /* C_DecryptFinal was called already */
    } else if (cipher_kind == CIPHER_DECRYPT && session->cipher.mechanism->family == FAMILY_AES_GCM) {
        rv = CKR_FUNCTION_NOT_SUPPORTED; /* C_DecryptFinal gives the plaintext, so there would be nothing to hash */
    } else {
        rv = part_room(out, io_nbytes, cipher_update_nbytes(&session->cipher, nbytes), nbytes, &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            goto done;
        }
        session->cipher.updated = true;
        if (cipher_kind == CIPHER_ENCRYPT) { /* before the output is written, which may be in the same memory */
            rv = hash_part(session, data, nbytes);
        }
        if (rv == CKR_OK) {
            rv = cipher_update(session, data, nbytes, out);
        }
        if (rv == CKR_OK && cipher_kind == CIPHER_DECRYPT) {
            rv = hash_part(session, out, *io_nbytes);
        }
    }
    if (rv != CKR_OK) {
        hash_end(&session->hash);
        cipher_end(&session->cipher);
    }
done:
    session_leave(session);
    return rv;
}

CK_RV C_DigestEncryptUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pPart, CK_ULONG ulPartLen,
                            CK_BYTE_PTR pEncryptedPart, CK_ULONG_PTR pulEncryptedPartLen)
{
    return two_at_once(hSession, HASH_DIGEST, CIPHER_ENCRYPT, pPart, ulPartLen, pEncryptedPart, pulEncryptedPartLen);
}

CK_RV C_DecryptDigestUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pEncryptedPart, CK_ULONG ulEncryptedPartLen,
                            CK_BYTE_PTR pPart, CK_ULONG_PTR pulPartLen)
{
    return two_at_once(hSession, HASH_DIGEST, CIPHER_DECRYPT, pEncryptedPart, ulEncryptedPartLen, pPart, pulPartLen);
}

CK_RV C_SignEncryptUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pPart, CK_ULONG ulPartLen, CK_BYTE_PTR pEncryptedPart,
                          CK_ULONG_PTR pulEncryptedPartLen)
{
    return two_at_once(hSession, HASH_SIGN, CIPHER_ENCRYPT, pPart, ulPartLen, pEncryptedPart, pulEncryptedPartLen);
}

CK_RV C_DecryptVerifyUpdate(CK_SESSION_HANDLE hSession, CK_BYTE_PTR pEncryptedPart, CK_ULONG ulEncryptedPartLen,
                            CK_BYTE_PTR pPart, CK_ULONG_PTR pulPartLen)
{
    return two_at_once(hSession, HASH_VERIFY, CIPHER_DECRYPT, pEncryptedPart, ulEncryptedPartLen, pPart, pulPartLen);
}

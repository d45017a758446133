/* SPDX-License-Identifier: Apache-2.0
 *
 * messages.c - the message functions of 3.0, for AES-GCM: many messages under one key, each with an IV and a tag of its
 * own in CK_GCM_MESSAGE_PARAMS. A plaintext in parts is returned with its last part, after the tag was verified.
 */
#include "ciphers.h"

#include <string.h>

#include <openssl/crypto.h>

#define IV_MAX_NBYTES 256

static CK_RV message_init(CK_SESSION_HANDLE handle, enum cipher_kind kind, const CK_MECHANISM *mechanism,
                          CK_OBJECT_HANDLE key)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = cipher_start(session, kind, mechanism, key);
    session_leave(session);
    return rv;
}

static CK_RV message_final(CK_SESSION_HANDLE handle, enum cipher_kind kind)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->cipher.kind != kind) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else {
        cipher_end(&session->cipher);
    }
    session_leave(session);
    return rv;
}

static CK_RV read_parameter(const void *parameter, CK_ULONG nbytes, CK_GCM_MESSAGE_PARAMS *out)
{
    if (parameter == NULL || nbytes != sizeof *out) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(out, parameter, sizeof *out);
    if (out->pIv == NULL || out->ulIvLen == 0 || out->ulIvLen > IV_MAX_NBYTES ||
        out->ulIvFixedBits > out->ulIvLen * 8 || out->pTag == NULL || !gcm_tag_fits(out->ulTagBits)) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    return CKR_OK;
}

/* How many IVs with this many random bits may be generated in one operation. NIST SP 800-38D, 8, requires that the
 * probability of one IV twice is at most 2^-32, and 8.3 allows at most 2^32 IVs. Of n IVs two are the same with a
 * probability below n^2 / 2^(bits + 1). With fewer than 32 bits even two IVs would be too many. */
static uint64_t iv_limit(CK_ULONG bits)
{
    CK_ULONG exponent = bits < 32 ? 0 : (bits - 32) / 2;

    return bits < 32 ? 0 : (uint64_t)1 << (exponent < 32 ? exponent : 32);
}

/* Generate the IV after its fixed bits, if the application leaves that to the token. */
static CK_RV make_iv(struct cipher_operation *cipher, const CK_GCM_MESSAGE_PARAMS *params)
{
    uint64_t limit = iv_limit(params->ulIvLen * 8 - params->ulIvFixedBits);
    CK_ULONG fixed = params->ulIvFixedBits / 8;
    uint8_t mask = (uint8_t)(0xff >> params->ulIvFixedBits % 8);
    uint8_t fresh[IV_MAX_NBYTES];
    CK_RV rv = CKR_OK;

    switch (params->ivGenerator) {
    case CKG_NO_GENERATE:
        return CKR_OK;
    case CKG_GENERATE:
    case CKG_GENERATE_RANDOM:
        break;
    default:
        return CKR_MECHANISM_PARAM_INVALID;
    }
    if (limit == 0) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    if (cipher->iv_count >= limit) {
        return CKR_KEY_EXHAUSTED;
    }
    rv = random_bytes(fresh, params->ulIvLen);
    if (rv == CKR_OK) {
        cipher->iv_count++;
        fresh[fixed] = (uint8_t)((fresh[fixed] & mask) | (params->pIv[fixed] & ~mask));
        memcpy(params->pIv + fixed, fresh + fixed, params->ulIvLen - fixed);
    }
    return rv;
}

static CK_RV message_begin(struct cipher_operation *cipher, const void *parameter, CK_ULONG parameter_nbytes,
                           const uint8_t *associated, CK_ULONG associated_nbytes)
{
    CK_GCM_MESSAGE_PARAMS params;
    bool encrypts = cipher->kind == CIPHER_MESSAGE_ENCRYPT;
    CK_RV rv = read_parameter(parameter, parameter_nbytes, &params);

    if (rv == CKR_OK && associated == NULL && associated_nbytes > 0) {
        rv = CKR_ARGUMENTS_BAD;
    }
    if (rv == CKR_OK && encrypts) {
        rv = make_iv(cipher, &params);
    }
    if (rv != CKR_OK) {
        return rv;
    }
    cipher->tag_nbytes = params.ulTagBits / 8;
    cipher_held_clear(cipher);
    if (EVP_CIPHER_CTX_ctrl(cipher->ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)params.ulIvLen, NULL) != 1 ||
        EVP_CipherInit_ex2(cipher->ctx, NULL, NULL, params.pIv, encrypts, NULL) != 1) {
        return CKR_FUNCTION_FAILED;
    }
    return gcm_associate(cipher->ctx, associated, associated_nbytes);
}

/* Process the last part of a message. */
static CK_RV message_end(struct session *session, const CK_GCM_MESSAGE_PARAMS *params, const uint8_t *data,
                         CK_ULONG nbytes, uint8_t *out)
{
    struct cipher_operation *cipher = &session->cipher;
    uint8_t none[BLOCK_NBYTES];
    int written = 0;
    CK_RV rv = CKR_OK;

    if (params->ulTagBits / 8 != cipher->tag_nbytes) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    if (cipher->kind == CIPHER_MESSAGE_ENCRYPT) {
        rv = cipher_update(session, data, nbytes, out);
        if (rv == CKR_OK &&
            (EVP_EncryptFinal_ex(cipher->ctx, none, &written) != 1 ||
             EVP_CIPHER_CTX_ctrl(cipher->ctx, EVP_CTRL_AEAD_GET_TAG, (int)cipher->tag_nbytes, params->pTag) != 1)) {
            rv = CKR_FUNCTION_FAILED;
        }
        return rv;
    }
    rv = cipher_hold(cipher, data, nbytes);
    if (rv == CKR_OK) {
        rv = cipher_hold(cipher, params->pTag, cipher->tag_nbytes);
    }
    if (rv == CKR_OK) {
        rv = decrypt_held(session, out);
    }
    cipher_held_clear(cipher);
    return rv == CKR_ENCRYPTED_DATA_INVALID ? CKR_AEAD_DECRYPT_FAILED : rv;
}

/* Process a whole message. An error ends the message and not the operation, so other messages may follow. */
static CK_RV message_all(CK_SESSION_HANDLE handle, enum cipher_kind kind, const void *parameter,
                         CK_ULONG parameter_nbytes, const uint8_t *associated, CK_ULONG associated_nbytes,
                         const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out, CK_ULONG *io_nbytes)
{
    struct session *session = NULL;
    CK_GCM_MESSAGE_PARAMS params;
    bool asked = false;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->cipher.kind != kind) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else if (session->cipher.in_message) {
        rv = CKR_OPERATION_ACTIVE;
    } else if (io_nbytes == NULL || (data == NULL && nbytes > 0)) {
        rv = CKR_ARGUMENTS_BAD;
    } else {
        rv = read_parameter(parameter, parameter_nbytes, &params);
    }
    if (rv == CKR_OK) {
        rv = output_room(out, io_nbytes, nbytes, &asked);
    }
    if (rv == CKR_OK && (!asked || nbytes == 0)) { /* the only output of an empty message is its tag */
        rv = message_begin(&session->cipher, parameter, parameter_nbytes, associated, associated_nbytes);
        if (rv == CKR_OK) {
            rv = message_end(session, &params, data, nbytes, out);
        }
    }
    session_leave(session);
    return rv;
}

static CK_RV message_parts_begin(CK_SESSION_HANDLE handle, enum cipher_kind kind, const void *parameter,
                                 CK_ULONG parameter_nbytes, const uint8_t *associated, CK_ULONG associated_nbytes)
{
    struct session *session = NULL;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    if (session->cipher.kind != kind) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
    } else if (session->cipher.in_message) {
        rv = CKR_OPERATION_ACTIVE;
    } else {
        rv = message_begin(&session->cipher, parameter, parameter_nbytes, associated, associated_nbytes);
        session->cipher.in_message = rv == CKR_OK;
    }
    session_leave(session);
    return rv;
}

static CK_RV message_part(CK_SESSION_HANDLE handle, enum cipher_kind kind, const void *parameter,
                          CK_ULONG parameter_nbytes, const uint8_t *data, CK_ULONG nbytes, CK_BYTE *out,
                          CK_ULONG *io_nbytes, CK_FLAGS flags)
{
    struct session *session = NULL;
    struct cipher_operation *cipher = NULL;
    CK_GCM_MESSAGE_PARAMS params;
    bool is_last = (flags & CKF_END_OF_MESSAGE) != 0;
    bool holds = kind == CIPHER_MESSAGE_DECRYPT;
    bool asked = false;
    CK_RV rv = session_enter(handle, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    cipher = &session->cipher;
    if (cipher->kind != kind || !cipher->in_message) {
        rv = CKR_OPERATION_NOT_INITIALIZED;
        goto done;
    }
    rv = io_nbytes == NULL || (data == NULL && nbytes > 0) ? CKR_ARGUMENTS_BAD
                                                           : read_parameter(parameter, parameter_nbytes, &params);
    if (rv == CKR_OK) {
        CK_ULONG gives = !holds ? nbytes : (is_last ? cipher->held_nbytes + nbytes : 0);

        rv = is_last ? output_room(out, io_nbytes, gives, &asked) : part_room(out, io_nbytes, gives, nbytes, &asked);
        if (asked || rv == CKR_BUFFER_TOO_SMALL) {
            goto done;
        }
        if (is_last) {
            rv = message_end(session, &params, data, nbytes, out);
        } else {
            rv = holds ? cipher_hold(cipher, data, nbytes) : cipher_update(session, data, nbytes, out);
        }
    }
    if (rv != CKR_OK || is_last) {
        cipher->in_message = false;
    }
done:
    session_leave(session);
    return rv;
}

CK_RV C_MessageEncryptInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    return message_init(hSession, CIPHER_MESSAGE_ENCRYPT, pMechanism, hKey);
}

CK_RV C_MessageDecryptInit(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hKey)
{
    return message_init(hSession, CIPHER_MESSAGE_DECRYPT, pMechanism, hKey);
}

CK_RV C_EncryptMessage(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen,
                       CK_BYTE_PTR pAssociatedData, CK_ULONG ulAssociatedDataLen, CK_BYTE_PTR pPlaintext,
                       CK_ULONG ulPlaintextLen, CK_BYTE_PTR pCiphertext, CK_ULONG_PTR pulCiphertextLen)
{
    return message_all(hSession, CIPHER_MESSAGE_ENCRYPT, pParameter, ulParameterLen, pAssociatedData,
                       ulAssociatedDataLen, pPlaintext, ulPlaintextLen, pCiphertext, pulCiphertextLen);
}

CK_RV C_DecryptMessage(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen,
                       CK_BYTE_PTR pAssociatedData, CK_ULONG ulAssociatedDataLen, CK_BYTE_PTR pCiphertext,
                       CK_ULONG ulCiphertextLen, CK_BYTE_PTR pPlaintext, CK_ULONG_PTR pulPlaintextLen)
{
    return message_all(hSession, CIPHER_MESSAGE_DECRYPT, pParameter, ulParameterLen, pAssociatedData,
                       ulAssociatedDataLen, pCiphertext, ulCiphertextLen, pPlaintext, pulPlaintextLen);
}

CK_RV C_EncryptMessageBegin(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen,
                            CK_BYTE_PTR pAssociatedData, CK_ULONG ulAssociatedDataLen)
{
    return message_parts_begin(hSession, CIPHER_MESSAGE_ENCRYPT, pParameter, ulParameterLen, pAssociatedData,
                               ulAssociatedDataLen);
}

CK_RV C_DecryptMessageBegin(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen,
                            CK_BYTE_PTR pAssociatedData, CK_ULONG ulAssociatedDataLen)
{
    return message_parts_begin(hSession, CIPHER_MESSAGE_DECRYPT, pParameter, ulParameterLen, pAssociatedData,
                               ulAssociatedDataLen);
}

CK_RV C_EncryptMessageNext(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen,
                           CK_BYTE_PTR pPlaintextPart, CK_ULONG ulPlaintextPartLen, CK_BYTE_PTR pCiphertextPart,
                           CK_ULONG_PTR pulCiphertextPartLen, CK_FLAGS flags)
{
    return message_part(hSession, CIPHER_MESSAGE_ENCRYPT, pParameter, ulParameterLen, pPlaintextPart,
                        ulPlaintextPartLen, pCiphertextPart, pulCiphertextPartLen, flags);
}

CK_RV C_DecryptMessageNext(CK_SESSION_HANDLE hSession, CK_VOID_PTR pParameter, CK_ULONG ulParameterLen,
                           CK_BYTE_PTR pCiphertextPart, CK_ULONG ulCiphertextPartLen, CK_BYTE_PTR pPlaintextPart,
                           CK_ULONG_PTR pulPlaintextPartLen, CK_FLAGS flags)
{
    return message_part(hSession, CIPHER_MESSAGE_DECRYPT, pParameter, ulParameterLen, pCiphertextPart,
                        ulCiphertextPartLen, pPlaintextPart, pulPlaintextPartLen, flags);
}

CK_RV C_MessageEncryptFinal(CK_SESSION_HANDLE hSession)
{
    return message_final(hSession, CIPHER_MESSAGE_ENCRYPT);
}

CK_RV C_MessageDecryptFinal(CK_SESSION_HANDLE hSession)
{
    return message_final(hSession, CIPHER_MESSAGE_DECRYPT);
}

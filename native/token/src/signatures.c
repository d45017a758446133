/* SPDX-License-Identifier: Apache-2.0
 *
 * signatures.c - begins, continues and ends signatures and their verification, whatever makes them.
 */
#include "signatures.h"

static const struct signer *signer_of(const struct mechanism *mechanism)
{
    switch (mechanism->family) {
    case FAMILY_ECDSA:
        return &signer_ecdsa;
    case FAMILY_EDDSA:
        return &signer_eddsa;
    case FAMILY_RSA_PKCS:
    case FAMILY_RSA_RAW:
    case FAMILY_RSA_PSS:
        return &signer_rsa;
    default:
        return &signer_mac;
    }
}

CK_RV signature_start(struct session *session, enum hash_kind kind, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE handle)
{
    struct hash_operation *hash = &session->hash;
    const struct mechanism *mechanism = NULL;
    struct object *key = NULL;
    CK_OBJECT_CLASS object_class = 0;
    bool signs = kind == HASH_SIGN;
    CK_RV rv = CKR_OK;

    if (wanted == NULL) {
        return hash_cancel(hash, kind);
    }
    rv = mechanism_choose(wanted, signs ? CKF_SIGN : CKF_VERIFY, &mechanism);
    if (rv == CKR_OK && hash->kind != HASH_NONE) {
        rv = CKR_OPERATION_ACTIVE;
    }
    if (rv != CKR_OK) {
        return rv;
    }
    rv = lock_take(&module->lock);
    if (rv != CKR_OK) {
        return rv;
    }
    object_class = signer_of(mechanism) == &signer_mac ? CKO_SECRET_KEY : signs ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY;
    rv = key_find(session, handle, object_class, signs ? CKA_SIGN : CKA_VERIFY, mechanism, &key);
    if (rv == CKR_OK) {
        hash->kind = kind;
        hash->mechanism = mechanism;
        hash->signer = signer_of(mechanism);
        hash->must_login = attribute_bool(key, CKA_ALWAYS_AUTHENTICATE);
        rv = hash->signer->start(hash, key, wanted);
    }
    lock_give(&module->lock);
    if (rv != CKR_OK) {
        hash_end(hash);
    }
    return rv;
}

CK_RV signature_update(struct session *session, const uint8_t *data, CK_ULONG nbytes)
{
    session->hash.updated = true;
    if (data == NULL && nbytes > 0) {
        return CKR_ARGUMENTS_BAD;
    }
    return mechanism_takes_parts(session->hash.mechanism) ? hash_update(session, data, nbytes)
                                                          : CKR_FUNCTION_NOT_SUPPORTED;
}

CK_RV signature_make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    return session->hash.must_login ? CKR_USER_NOT_LOGGED_IN : session->hash.signer->make(session, data, nbytes, out);
}

CK_RV signature_check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature,
                      CK_ULONG signature_nbytes)
{
    return signature_nbytes != session->hash.out_nbytes ? CKR_SIGNATURE_LEN_RANGE
                                                        : session->hash.signer->check(session, data, nbytes, signature);
}

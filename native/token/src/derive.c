/* SPDX-License-Identifier: Apache-2.0
 *
 * derive.c - C_DeriveKey by ECDH, with the key derivation function of X9.63 or with none. No lock is held meanwhile.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>

#include "policy.h"

#define SECRET_NBYTES 32 /* the x of a point on P-256 */
#define DERIVED_MAX_NBYTES 4096
#define SHARED_MAX_NBYTES ((CK_ULONG)1 << 20)

static CK_RV kdf_digest(CK_ULONG kdf, enum digest_id *out)
{
    switch (kdf) {
    case CKD_NULL:
        *out = DIGEST_NONE;
        return CKR_OK;
    case CKD_SHA1_KDF:
        *out = DIGEST_SHA1;
        return CKR_OK;
    case CKD_SHA224_KDF:
        *out = DIGEST_SHA224;
        return CKR_OK;
    case CKD_SHA256_KDF:
        *out = DIGEST_SHA256;
        return CKR_OK;
    case CKD_SHA384_KDF:
        *out = DIGEST_SHA384;
        return CKR_OK;
    case CKD_SHA512_KDF:
        *out = DIGEST_SHA512;
        return CKR_OK;
    default:
        return CKR_MECHANISM_PARAM_INVALID;
    }
}

static CK_RV read_parameter(const CK_MECHANISM *wanted, CK_ECDH1_DERIVE_PARAMS *out, enum digest_id *out_digest)
{
    if (wanted->ulParameterLen != sizeof *out) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(out, wanted->pParameter, sizeof *out);
    if (out->pPublicData == NULL || out->ulPublicDataLen == 0 || out->ulSharedDataLen > SHARED_MAX_NBYTES ||
        (out->pSharedData == NULL && out->ulSharedDataLen > 0) || (out->kdf == CKD_NULL && out->ulSharedDataLen > 0)) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    return kdf_digest(out->kdf, out_digest);
}

/* Compute the shared secret. */
static CK_RV agree(EVP_PKEY *own, EVP_PKEY *other, uint8_t *out)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
    size_t nbytes = SECRET_NBYTES;
    bool is_done = ctx != NULL && EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, other) == 1 &&
                   EVP_PKEY_derive(ctx, out, &nbytes) == 1 && nbytes == SECRET_NBYTES;

    EVP_PKEY_CTX_free(ctx);
    return is_done ? CKR_OK : CKR_FUNCTION_FAILED;
}

static CK_RV stretch(const uint8_t *secret, enum digest_id digest, const CK_ECDH1_DERIVE_PARAMS *params, uint8_t *out,
                     CK_ULONG nbytes)
{
    EVP_KDF_CTX *ctx = algorithms.x963 != NULL ? EVP_KDF_CTX_new(algorithms.x963) : NULL;
    OSSL_PARAM list[4];
    size_t count = 0;
    CK_RV rv = CKR_FUNCTION_FAILED;

    /* the casts are needed because OSSL_PARAM serves both directions */
    list[count++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest_name(digest), 0);
    list[count++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, SECRET_NBYTES);
    if (params->ulSharedDataLen > 0) {
        list[count++] =
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, params->pSharedData, params->ulSharedDataLen);
    }
    list[count] = OSSL_PARAM_construct_end();
    if (ctx != NULL && EVP_KDF_derive(ctx, out, nbytes, list) == 1) {
        rv = CKR_OK;
    }
    EVP_KDF_CTX_free(ctx);
    return rv;
}

/* Make the new object, and take a reference to the base key that is valid without the lock. */
static CK_RV prepare(struct session *session, const struct mechanism *mechanism, CK_OBJECT_HANDLE handle,
                     struct template template, struct object **out, EVP_PKEY **out_base)
{
    struct object *base = NULL;
    CK_ULONG nbytes = SECRET_NBYTES;
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = key_find(session, handle, CKO_PRIVATE_KEY, CKA_DERIVE, mechanism, &base);
    if (rv == CKR_OK) {
        rv = object_from_template(
            session, TO_DERIVE, template, CKO_SECRET_KEY,
            template_find(template, CKA_KEY_TYPE) == NULL ? CKK_GENERIC_SECRET : CK_UNAVAILABLE_INFORMATION, out);
    }
    if (rv == CKR_OK) {
        rv = template_ulong(template, CKA_VALUE_LEN, &nbytes);
    }
    if (rv == CKR_OK) {
        rv = policy_derive(*out, base, nbytes);
    }
    if (rv == CKR_OK) {
        rv = key_history(*out, false, CK_UNAVAILABLE_INFORMATION, base);
    }
    if (rv == CKR_OK) {
        *out_base = EVP_PKEY_up_ref(base->key) == 1 ? base->key : NULL;
        rv = *out_base != NULL ? CKR_OK : CKR_FUNCTION_FAILED;
    }
    lock_give(&module->lock);
    return rv;
}

static CK_RV set_value(struct object *object, struct template template, const uint8_t *secret, enum digest_id digest,
                       const CK_ECDH1_DERIVE_PARAMS *params)
{
    uint8_t value[DERIVED_MAX_NBYTES];
    CK_ULONG nbytes = SECRET_NBYTES;
    CK_RV rv = template_ulong(template, CKA_VALUE_LEN, &nbytes);

    if (rv == CKR_OK &&
        (!key_length_fits(object->key_type, nbytes) || (digest == DIGEST_NONE && nbytes > SECRET_NBYTES))) {
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (rv != CKR_OK) {
        return rv;
    }
    if (digest == DIGEST_NONE) { /* excess bytes are removed at the front: PKCS #11, "Elliptic curve Diffie-Hellman" */
        memcpy(value, secret + SECRET_NBYTES - nbytes, nbytes);
    } else {
        rv = stretch(secret, digest, params, value, nbytes);
    }
    if (rv == CKR_OK) {
        rv = attribute_set(object, CKA_VALUE, value, nbytes);
    }
    OPENSSL_cleanse(value, sizeof value);
    return rv;
}

static CK_RV derive(struct session *session, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE base_handle,
                    struct template template, CK_OBJECT_HANDLE *out_handle)
{
    CK_ECDH1_DERIVE_PARAMS params;
    const struct mechanism *mechanism = NULL;
    enum digest_id digest = DIGEST_NONE;
    struct object *object = NULL;
    EVP_PKEY *base = NULL;
    EVP_PKEY *other = NULL;
    uint8_t secret[SECRET_NBYTES];
    CK_RV rv = mechanism_choose(wanted, CKF_DERIVE, &mechanism);

    if (rv == CKR_OK) {
        rv = read_parameter(wanted, &params, &digest);
    }
    if (rv == CKR_OK) {
        rv = prepare(session, mechanism, base_handle, template, &object, &base);
    }
    if (rv == CKR_OK && ec_public_key(params.pPublicData, params.ulPublicDataLen, &other) != CKR_OK) {
        rv = CKR_MECHANISM_PARAM_INVALID;
    }
    if (rv == CKR_OK) {
        rv = agree(base, other, secret);
    }
    if (rv == CKR_OK) {
        rv = set_value(object, template, secret, digest, &params);
    }
    if (rv == CKR_OK) {
        rv = object_complete(object);
    }
    if (rv == CKR_OK) {
        rv = lock_take(&module->lock);
        if (rv == CKR_OK) {
            rv = object_add(session, object, out_handle);
            lock_give(&module->lock);
        }
    }
    if (rv != CKR_OK) {
        object_free(object);
    }
    EVP_PKEY_free(base);
    EVP_PKEY_free(other);
    OPENSSL_cleanse(secret, sizeof secret);
    return rv;
}

CK_RV C_DeriveKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hBaseKey,
                  CK_ATTRIBUTE_PTR pTemplate, CK_ULONG ulAttributeCount, CK_OBJECT_HANDLE_PTR phKey)
{
    struct session *session = NULL;
    CK_RV rv = session_hold(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = phKey == NULL || (pTemplate == NULL && ulAttributeCount > 0)
             ? CKR_ARGUMENTS_BAD
             : derive(session, pMechanism, hBaseKey, (struct template){pTemplate, ulAttributeCount}, phKey);
    session_drop(session);
    return rv;
}

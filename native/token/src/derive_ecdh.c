/* SPDX-License-Identifier: Apache-2.0
 *
 * derive_ecdh.c - ECDH, with the key derivation function of X9.63 or with none. No lock is held meanwhile.
 */
#include "derive.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/kdf.h>

#include "ec.h"
#include "policy.h"

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
static CK_RV agree(EVP_PKEY *own, EVP_PKEY *other, uint8_t *out, CK_ULONG out_nbytes)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
    size_t nbytes = out_nbytes;
    bool is_done = ctx != NULL && EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, other) == 1 &&
                   EVP_PKEY_derive(ctx, out, &nbytes) == 1 && nbytes == out_nbytes;

    EVP_PKEY_CTX_free(ctx);
    return is_done ? CKR_OK : CKR_FUNCTION_FAILED;
}

static CK_RV stretch(const uint8_t *secret, CK_ULONG secret_nbytes, enum digest_id digest,
                     const CK_ECDH1_DERIVE_PARAMS *params, uint8_t *out, CK_ULONG nbytes)
{
    EVP_KDF_CTX *ctx = algorithms.x963 != NULL ? EVP_KDF_CTX_new(algorithms.x963) : NULL;
    OSSL_PARAM list[4];
    size_t count = 0;
    CK_RV rv = CKR_FUNCTION_FAILED;

    /* the casts are needed because OSSL_PARAM serves both directions */
    list[count++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest_name(digest), 0);
    list[count++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_nbytes);
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

/* What the operation needs of the base key without the lock. */
struct base {
    EVP_PKEY *key;
    const struct curve *curve;
};

/* Make the new object, and take a reference to the base key. */
static CK_RV prepare(struct session *session, const struct mechanism *mechanism, CK_OBJECT_HANDLE handle,
                     struct template template, struct object **out, struct base *out_base)
{
    struct object *key = NULL;
    CK_ULONG nbytes = 0;
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = key_find(session, handle, CKO_PRIVATE_KEY, CKA_DERIVE, mechanism, &key);
    if (rv == CKR_OK) {
        rv = curve_of_object(key, &out_base->curve);
    }
    if (rv == CKR_OK) {
        rv = derive_object(session, template, out);
    }
    if (rv == CKR_OK) {
        nbytes = out_base->curve->value_nbytes;
        rv = template_ulong(template, CKA_VALUE_LEN, &nbytes);
    }
    if (rv == CKR_OK) {
        rv = policy_derive(*out, key, nbytes);
    }
    if (rv == CKR_OK) {
        rv = key_history(*out, false, CK_UNAVAILABLE_INFORMATION, key);
    }
    if (rv == CKR_OK) {
        out_base->key = EVP_PKEY_up_ref(key->key) == 1 ? key->key : NULL;
        rv = out_base->key != NULL ? CKR_OK : CKR_FUNCTION_FAILED;
    }
    lock_give(&module->lock);
    return rv;
}

static CK_RV set_value(struct object *object, struct template template, const uint8_t *secret, CK_ULONG secret_nbytes,
                       enum digest_id digest, const CK_ECDH1_DERIVE_PARAMS *params)
{
    uint8_t value[DERIVED_MAX_NBYTES];
    CK_ULONG nbytes = secret_nbytes;
    CK_RV rv = template_ulong(template, CKA_VALUE_LEN, &nbytes);

    if (rv == CKR_OK &&
        (!key_length_fits(object->key_type, nbytes) || (digest == DIGEST_NONE && nbytes > secret_nbytes))) {
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (rv != CKR_OK) {
        return rv;
    }
    if (digest == DIGEST_NONE) { /* excess bytes are removed at the front: PKCS #11, "Elliptic curve Diffie-Hellman" */
        memcpy(value, secret + secret_nbytes - nbytes, nbytes);
    } else {
        rv = stretch(secret, secret_nbytes, digest, params, value, nbytes);
    }
    if (rv == CKR_OK) {
        rv = attribute_set(object, CKA_VALUE, value, nbytes);
    }
    OPENSSL_cleanse(value, sizeof value);
    return rv;
}

CK_RV derive_ecdh(struct session *session, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                  CK_OBJECT_HANDLE base_handle, struct template template, struct object **out)
{
    CK_ECDH1_DERIVE_PARAMS params;
    enum digest_id digest = DIGEST_NONE;
    struct base base = {0};
    EVP_PKEY *other = NULL;
    uint8_t secret[CURVE_VALUE_MAX_NBYTES];
    CK_RV rv = read_parameter(wanted, &params, &digest);

    if (rv == CKR_OK) {
        rv = prepare(session, mechanism, base_handle, template, out, &base);
    }
    if (rv == CKR_OK && ec_public_key(base.curve, params.pPublicData, params.ulPublicDataLen, &other) != CKR_OK) {
        rv = CKR_MECHANISM_PARAM_INVALID;
    }
    if (rv == CKR_OK) {
        rv = agree(base.key, other, secret, base.curve->value_nbytes);
    }
    if (rv == CKR_OK) {
        rv = set_value(*out, template, secret, base.curve->value_nbytes, digest, &params);
    }
    EVP_PKEY_free(base.key);
    EVP_PKEY_free(other);
    OPENSSL_cleanse(secret, sizeof secret);
    return rv;
}

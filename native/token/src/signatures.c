/* SPDX-License-Identifier: Apache-2.0
 *
 * signatures.c - makes and verifies signatures by HMAC and ECDSA.
 */
#include "signatures.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>

#define RAW_MAX_NBYTES 128 /* limit of CKM_ECDSA's data, of which only as many bits as the order has are used */
#define HALF_NBYTES (SIGNATURE_MAX_NBYTES / 2)
#define DER_MAX_NBYTES 80

/* Make a context with the key. */
static EVP_MAC_CTX *keyed_mac(const struct object *key, enum digest_id digest)
{
    const struct attribute *value = attribute_find(key, CKA_VALUE);
    EVP_MAC_CTX *mac = EVP_MAC_CTX_new(algorithms.hmac);
    OSSL_PARAM params[2];

    /* the cast is needed because OSSL_PARAM serves both directions */
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest_name(digest), 0);
    params[1] = OSSL_PARAM_construct_end();
    if (mac != NULL && EVP_MAC_init(mac, attribute_bytes(value), value->nbytes, params) != 1) {
        EVP_MAC_CTX_free(mac);
        mac = NULL;
    }
    return mac;
}

static CK_RV mac_start(struct hash_operation *hash, struct object *key)
{
    enum digest_id digest = hash->mechanism->digest;

    if (key->mac == NULL || key->mac_digest != digest) {
        EVP_MAC_CTX_free(key->mac);
        key->mac = keyed_mac(key, digest);
        key->mac_digest = digest;
    }
    hash->mac = key->mac != NULL ? EVP_MAC_CTX_dup(key->mac) : NULL;
    return hash->mac != NULL ? CKR_OK : CKR_FUNCTION_FAILED;
}

static CK_RV mac_length(struct hash_operation *hash, const CK_MECHANISM *wanted)
{
    CK_ULONG nbytes = 0;

    hash->out_nbytes = digest_nbytes(hash->mechanism->digest);
    if (hash->mechanism->family == FAMILY_HMAC) {
        return mechanism_no_parameter(wanted);
    }
    if (wanted->ulParameterLen != sizeof nbytes) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&nbytes, wanted->pParameter, sizeof nbytes);
    if (nbytes > hash->out_nbytes) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    hash->out_nbytes = nbytes;
    return CKR_OK;
}

static CK_RV ecdsa_start(struct hash_operation *hash, const struct object *key, const CK_MECHANISM *wanted)
{
    CK_RV rv = mechanism_no_parameter(wanted);

    if (rv == CKR_OK && hash->mechanism->family == FAMILY_ECDSA_DIGEST) {
        rv = digest_start(hash, hash->mechanism);
    }
    if (rv != CKR_OK) {
        return rv;
    }
    if (EVP_PKEY_up_ref(key->key) != 1) {
        return CKR_FUNCTION_FAILED;
    }
    hash->key = key->key;
    hash->out_nbytes = 2 * HALF_NBYTES;
    return CKR_OK;
}

CK_RV signature_start(struct session *session, enum hash_kind kind, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE handle)
{
    struct hash_operation *hash = &session->hash;
    const struct mechanism *mechanism = NULL;
    struct object *key = NULL;
    bool is_mac = false;
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
    is_mac = mechanism->family == FAMILY_HMAC || mechanism->family == FAMILY_HMAC_GENERAL;
    rv = key_find(session, handle, is_mac ? CKO_SECRET_KEY : (signs ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY),
                  signs ? CKA_SIGN : CKA_VERIFY, mechanism, &key);
    if (rv == CKR_OK) {
        hash->kind = kind;
        hash->mechanism = mechanism;
        hash->must_login = attribute_bool(key, CKA_ALWAYS_AUTHENTICATE);
        if (is_mac) {
            rv = mac_length(hash, wanted);
            if (rv == CKR_OK) {
                rv = mac_start(hash, key);
            }
        } else {
            rv = ecdsa_start(hash, key, wanted);
        }
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
    return session->hash.mechanism->family == FAMILY_ECDSA ? CKR_FUNCTION_NOT_SUPPORTED
                                                           : hash_update(session, data, nbytes);
}

/* ---- ECDSA
 * ----------------------------------------------------------------------------------------------------------- */

/* The input of ECDSA: a digest of the parts, or the data itself. */
static CK_RV ecdsa_input(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out,
                         size_t *out_nbytes)
{
    CK_RV rv = CKR_OK;

    if (session->hash.mechanism->family == FAMILY_ECDSA) {
        if (session->hash.updated) {
            return CKR_FUNCTION_NOT_SUPPORTED;
        }
        if (nbytes == 0 || nbytes > RAW_MAX_NBYTES) {
            return CKR_DATA_LEN_RANGE;
        }
        memcpy(out, data, nbytes);
        *out_nbytes = nbytes;
        return CKR_OK;
    }
    rv = hash_update(session, data, nbytes);
    *out_nbytes = digest_nbytes(session->hash.mechanism->digest);
    return rv == CKR_OK ? digest_finish(&session->hash, out) : rv;
}

static CK_RV ecdsa_make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    uint8_t input[RAW_MAX_NBYTES];
    uint8_t der[DER_MAX_NBYTES];
    const uint8_t *next = der;
    size_t input_nbytes = 0;
    size_t der_nbytes = sizeof der;
    EVP_PKEY_CTX *ctx = NULL;
    ECDSA_SIG *parts = NULL;
    CK_RV rv = ecdsa_input(session, data, nbytes, input, &input_nbytes);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = CKR_FUNCTION_FAILED;
    ctx = EVP_PKEY_CTX_new_from_pkey(NULL, session->hash.key, NULL);
    if (ctx != NULL && EVP_PKEY_sign_init(ctx) == 1 && EVP_PKEY_sign(ctx, der, &der_nbytes, input, input_nbytes) == 1) {
        parts = d2i_ECDSA_SIG(NULL, &next, (long)der_nbytes);
    }
    if (parts != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(parts), out, HALF_NBYTES) == HALF_NBYTES &&
        BN_bn2binpad(ECDSA_SIG_get0_s(parts), out + HALF_NBYTES, HALF_NBYTES) == HALF_NBYTES) {
        rv = CKR_OK;
    }
    ECDSA_SIG_free(parts);
    EVP_PKEY_CTX_free(ctx);
    return rv;
}

static CK_RV ecdsa_check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature)
{
    uint8_t input[RAW_MAX_NBYTES];
    uint8_t *der = NULL;
    size_t input_nbytes = 0;
    int der_nbytes = 0;
    EVP_PKEY_CTX *ctx = NULL;
    ECDSA_SIG *parts = NULL;
    BIGNUM *r = NULL;
    BIGNUM *s = NULL;
    CK_RV rv = ecdsa_input(session, data, nbytes, input, &input_nbytes);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = CKR_HOST_MEMORY;
    parts = ECDSA_SIG_new();
    r = BN_bin2bn(signature, HALF_NBYTES, NULL);
    s = BN_bin2bn(signature + HALF_NBYTES, HALF_NBYTES, NULL);
    if (parts == NULL || r == NULL || s == NULL || ECDSA_SIG_set0(parts, r, s) != 1) {
        BN_free(r);
        BN_free(s);
        goto done;
    }
    der_nbytes = i2d_ECDSA_SIG(parts, &der);
    ctx = EVP_PKEY_CTX_new_from_pkey(NULL, session->hash.key, NULL);
    if (der_nbytes <= 0 || ctx == NULL || EVP_PKEY_verify_init(ctx) != 1) {
        goto done;
    }
    rv = EVP_PKEY_verify(ctx, der, (size_t)der_nbytes, input, input_nbytes) == 1 ? CKR_OK : CKR_SIGNATURE_INVALID;
done:
    OPENSSL_free(der);
    ECDSA_SIG_free(parts);
    EVP_PKEY_CTX_free(ctx);
    return rv;
}

/* ---- both
 * ------------------------------------------------------------------------------------------------------------ */

static CK_RV mac_make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    uint8_t whole[EVP_MAX_MD_SIZE];
    size_t whole_nbytes = 0;
    CK_RV rv = hash_update(session, data, nbytes);

    if (rv == CKR_OK && EVP_MAC_final(session->hash.mac, whole, &whole_nbytes, sizeof whole) != 1) {
        rv = CKR_FUNCTION_FAILED;
    }
    if (rv == CKR_OK) {
        memcpy(out, whole, session->hash.out_nbytes);
    }
    OPENSSL_cleanse(whole, sizeof whole);
    return rv;
}

CK_RV signature_make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    if (session->hash.must_login) {
        return CKR_USER_NOT_LOGGED_IN;
    }
    return session->hash.mac != NULL ? mac_make(session, data, nbytes, out) : ecdsa_make(session, data, nbytes, out);
}

CK_RV signature_check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature,
                      CK_ULONG signature_nbytes)
{
    uint8_t expected[SIGNATURE_MAX_NBYTES];
    CK_RV rv = CKR_OK;

    if (signature_nbytes != session->hash.out_nbytes) {
        return CKR_SIGNATURE_LEN_RANGE;
    }
    if (session->hash.mac == NULL) {
        return ecdsa_check(session, data, nbytes, signature);
    }
    rv = mac_make(session, data, nbytes, expected);
    if (rv == CKR_OK && CRYPTO_memcmp(expected, signature, signature_nbytes) != 0) {
        rv = CKR_SIGNATURE_INVALID;
    }
    OPENSSL_cleanse(expected, sizeof expected);
    return rv;
}

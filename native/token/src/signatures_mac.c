/* SPDX-License-Identifier: Apache-2.0
 *
 * signatures_mac.c - HMAC, whole or truncated.
 */
#include "signatures.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>

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

static CK_RV copy_keyed(struct hash_operation *hash, struct object *key)
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

static CK_RV start(struct hash_operation *hash, struct object *key, const CK_MECHANISM *wanted)
{
    CK_RV rv = mac_length(hash, wanted);

    return rv == CKR_OK ? copy_keyed(hash, key) : rv;
}

static CK_RV make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
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

static CK_RV check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature)
{
    uint8_t expected[EVP_MAX_MD_SIZE];
    CK_RV rv = make(session, data, nbytes, expected);

    if (rv == CKR_OK && CRYPTO_memcmp(expected, signature, session->hash.out_nbytes) != 0) {
        rv = CKR_SIGNATURE_INVALID;
    }
    OPENSSL_cleanse(expected, sizeof expected);
    return rv;
}

const struct signer signer_mac = {start, make, check};

/* SPDX-License-Identifier: Apache-2.0
 *
 * signatures_ecdsa.c - ECDSA. A signature is both numbers, each as long as the order of the curve: PKCS #11, "ECDSA".
 */
#include "signatures.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/ecdsa.h>

#include "curves.h"
#include "verdicts.h"

#define RAW_MAX_NBYTES 128 /* limit of CKM_ECDSA's data, of which only as many bits as the order has are used */
#define DER_MAX_NBYTES (2 * CURVE_VALUE_MAX_NBYTES + 16)

static CK_RV start(struct hash_operation *hash, struct object *key, const CK_MECHANISM *wanted)
{
    const struct curve *curve = NULL;
    CK_RV rv = mechanism_no_parameter(wanted);

    if (rv == CKR_OK) {
        rv = curve_of_object(key, &curve);
    }
    if (rv == CKR_OK && hash->mechanism->digest != DIGEST_NONE) {
        rv = digest_start(hash, hash->mechanism);
    }
    if (rv == CKR_OK && EVP_PKEY_up_ref(key->key) != 1) {
        rv = CKR_FUNCTION_FAILED;
    }
    if (rv == CKR_OK) {
        hash->key = key->key;
        hash->out_nbytes = 2 * curve->value_nbytes;
    }
    return rv;
}

/* The input of ECDSA: a digest of the parts, or the data itself. */
static CK_RV read_input(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out, size_t *out_nbytes)
{
    CK_RV rv = CKR_OK;

    if (session->hash.mechanism->digest == DIGEST_NONE) {
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

static CK_RV make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    uint8_t input[RAW_MAX_NBYTES];
    uint8_t der[DER_MAX_NBYTES];
    const uint8_t *next = der;
    size_t input_nbytes = 0;
    size_t der_nbytes = sizeof der;
    int half_nbytes = (int)session->hash.out_nbytes / 2;
    EVP_PKEY_CTX *ctx = NULL;
    ECDSA_SIG *parts = NULL;
    CK_RV rv = read_input(session, data, nbytes, input, &input_nbytes);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = CKR_FUNCTION_FAILED;
    ctx = EVP_PKEY_CTX_new_from_pkey(NULL, session->hash.key, NULL);
    if (ctx != NULL && EVP_PKEY_sign_init(ctx) == 1 && EVP_PKEY_sign(ctx, der, &der_nbytes, input, input_nbytes) == 1 &&
        der_nbytes <= sizeof der) { /* libcrypto 3.0 says 2**32 - 1, and no error, if it has no memory to encode it */
        parts = d2i_ECDSA_SIG(NULL, &next, (long)der_nbytes);
    }
    if (parts != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(parts), out, half_nbytes) == half_nbytes &&
        BN_bn2binpad(ECDSA_SIG_get0_s(parts), out + half_nbytes, half_nbytes) == half_nbytes) {
        rv = CKR_OK;
    }
    ECDSA_SIG_free(parts);
    EVP_PKEY_CTX_free(ctx);
    return rv;
}

static CK_RV check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature)
{
    uint8_t input[RAW_MAX_NBYTES];
    uint8_t *der = NULL;
    size_t input_nbytes = 0;
    int der_nbytes = 0;
    int half_nbytes = (int)session->hash.out_nbytes / 2;
    EVP_PKEY_CTX *ctx = NULL;
    ECDSA_SIG *parts = NULL;
    BIGNUM *r = NULL;
    BIGNUM *s = NULL;
    CK_RV rv = read_input(session, data, nbytes, input, &input_nbytes);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = CKR_HOST_MEMORY;
    parts = ECDSA_SIG_new();
    r = BN_bin2bn(signature, half_nbytes, NULL);
    s = BN_bin2bn(signature + half_nbytes, half_nbytes, NULL);
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
    signature_expect();
    rv = signature_verdict(EVP_PKEY_verify(ctx, der, (size_t)der_nbytes, input, input_nbytes));
done:
    OPENSSL_free(der);
    ECDSA_SIG_free(parts);
    EVP_PKEY_CTX_free(ctx);
    return rv;
}

const struct signer signer_ecdsa = {start, make, check};

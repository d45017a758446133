/* SPDX-License-Identifier: Apache-2.0
 *
 * signatures_eddsa.c - Ed25519 (RFC 8032, 5.1) of a whole message. Its variants with a context or a digest, which have a
 * parameter in PKCS #11, are not supported: libcrypto has them since 3.2.
 */
#include "signatures.h"

#include "curves.h"
#include "verdicts.h"

static CK_RV start(struct hash_operation *hash, struct object *key, const CK_MECHANISM *wanted)
{
    const struct curve *curve = NULL;
    CK_RV rv = mechanism_no_parameter(wanted);

    if (rv == CKR_OK) {
        rv = curve_of_object(key, &curve);
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

static CK_RV make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    size_t out_nbytes = session->hash.out_nbytes;
    bool is_done = ctx != NULL && EVP_DigestSignInit_ex(ctx, NULL, NULL, NULL, NULL, session->hash.key, NULL) == 1 &&
                   EVP_DigestSign(ctx, out, &out_nbytes, data, nbytes) == 1;

    EVP_MD_CTX_free(ctx);
    return is_done ? CKR_OK : CKR_FUNCTION_FAILED;
}

static CK_RV check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    CK_RV rv = CKR_FUNCTION_FAILED;

    if (ctx != NULL && EVP_DigestVerifyInit_ex(ctx, NULL, NULL, NULL, NULL, session->hash.key, NULL) == 1) {
        signature_expect();
        rv = signature_verdict(EVP_DigestVerify(ctx, signature, session->hash.out_nbytes, data, nbytes));
    }
    EVP_MD_CTX_free(ctx);
    return rv;
}

const struct signer signer_eddsa = {start, make, check};

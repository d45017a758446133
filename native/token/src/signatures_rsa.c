/* SPDX-License-Identifier: Apache-2.0
 *
 * signatures_rsa.c - RSA: PKCS #1 v1.5 and PSS, of a digest or of data that is signed as it is, and raw.
 */
#include "signatures.h"

#include <string.h>

#include <openssl/crypto.h>

#include "rsa.h"
#include "verdicts.h"

static CK_RV start(struct hash_operation *hash, struct object *key, const CK_MECHANISM *wanted)
{
    enum rsa_use use = hash->kind == HASH_SIGN ? RSA_SIGN : RSA_VERIFY;
    CK_RV rv = rsa_context(key->key, use, hash->mechanism, wanted, &hash->pkey);

    if (rv == CKR_OK && hash->mechanism->digest != DIGEST_NONE) {
        rv = digest_start(hash, hash->mechanism);
    }
    if (rv == CKR_OK) {
        hash->out_nbytes = rsa_nbytes(hash->pkey);
    }
    return rv;
}

/* The input of the padding. */
static CK_RV read_input(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t out[RSA_MAX_NBYTES],
                        CK_ULONG *out_nbytes)
{
    struct hash_operation *hash = &session->hash;
    CK_ULONG most = 0;
    CK_RV rv = CKR_OK;

    if (hash->mechanism->digest != DIGEST_NONE) {
        rv = hash_update(session, data, nbytes);
        *out_nbytes = digest_nbytes(hash->mechanism->digest);
        return rv == CKR_OK ? digest_finish(hash, out) : rv;
    }
    most = rsa_input_max(hash->pkey, hash->mechanism);
    if (nbytes > most || (hash->mechanism->family == FAMILY_RSA_PSS && nbytes != most)) {
        return CKR_DATA_LEN_RANGE;
    }
    *out_nbytes = hash->mechanism->family == FAMILY_RSA_RAW ? most : nbytes;
    rsa_fill(data, nbytes, out, *out_nbytes);
    return CKR_OK;
}

static CK_RV make(struct session *session, const uint8_t *data, CK_ULONG nbytes, uint8_t *out)
{
    uint8_t input[RSA_MAX_NBYTES];
    CK_ULONG input_nbytes = 0;
    size_t out_nbytes = session->hash.out_nbytes;
    CK_RV rv = read_input(session, data, nbytes, input, &input_nbytes);

    if (rv == CKR_OK && EVP_PKEY_sign(session->hash.pkey, out, &out_nbytes, input, input_nbytes) != 1) {
        /* raw data may be a number that is not below the modulus */
        rv = session->hash.mechanism->family == FAMILY_RSA_RAW ? CKR_DATA_INVALID : CKR_FUNCTION_FAILED;
    }
    OPENSSL_cleanse(input, sizeof input);
    return rv;
}

static CK_RV check(struct session *session, const uint8_t *data, CK_ULONG nbytes, const uint8_t *signature)
{
    uint8_t input[RSA_MAX_NBYTES];
    CK_ULONG input_nbytes = 0;
    CK_RV rv = read_input(session, data, nbytes, input, &input_nbytes);

    if (rv == CKR_OK) {
        signature_expect();
        rv = signature_verdict(
            EVP_PKEY_verify(session->hash.pkey, signature, session->hash.out_nbytes, input, input_nbytes));
    }
    return rv;
}

const struct signer signer_rsa = {start, make, check};

/* SPDX-License-Identifier: Apache-2.0
 *
 * rsa_contexts.c - the paddings of RSA (RFC 8017), and the parameters of PKCS #11 for them.
 */
#include "rsa.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/rsa.h>

#define PKCS1_OVERHEAD_NBYTES 11 /* RFC 8017, 7.2.1 and 9.2 */
#define LABEL_MAX_NBYTES ((CK_ULONG)1 << 20)

/* The digest of a mechanism like CKM_SHA256. False: the token does not have it, or not for these paddings. */
static bool find_digest(CK_MECHANISM_TYPE type, enum digest_id *out)
{
    const struct mechanism *mechanism = mechanism_find(type);

    *out = mechanism != NULL && mechanism->family == FAMILY_DIGEST ? mechanism->digest : DIGEST_NONE;
    return *out != DIGEST_NONE && *out != DIGEST_MD5;
}

static bool find_mask(CK_RSA_PKCS_MGF_TYPE mask, enum digest_id *out)
{
    static const enum digest_id digests[] = {
        [CKG_MGF1_SHA1] = DIGEST_SHA1,         [CKG_MGF1_SHA256] = DIGEST_SHA256,
        [CKG_MGF1_SHA384] = DIGEST_SHA384,     [CKG_MGF1_SHA512] = DIGEST_SHA512,
        [CKG_MGF1_SHA224] = DIGEST_SHA224,     [CKG_MGF1_SHA3_224] = DIGEST_SHA3_224,
        [CKG_MGF1_SHA3_256] = DIGEST_SHA3_256, [CKG_MGF1_SHA3_384] = DIGEST_SHA3_384,
        [CKG_MGF1_SHA3_512] = DIGEST_SHA3_512,
    };

    *out = mask >= CKG_MGF1_SHA1 && mask < sizeof digests / sizeof digests[0] ? digests[mask] : DIGEST_NONE;
    return *out != DIGEST_NONE && algorithms.digests[*out] != NULL;
}

static CK_RV done(bool is_done)
{
    return is_done ? CKR_OK : CKR_FUNCTION_FAILED;
}

/* ---- paddings
 * -------------------------------------------------------------------------------------------------------- */

static CK_RV set_plain(EVP_PKEY_CTX *ctx, const struct mechanism *mechanism, const CK_MECHANISM *wanted, int padding)
{
    const EVP_MD *digest = mechanism->digest != DIGEST_NONE ? algorithms.digests[mechanism->digest] : NULL;
    CK_RV rv = mechanism_no_parameter(wanted);

    if (rv != CKR_OK) {
        return rv;
    }
    return done(EVP_PKEY_CTX_set_rsa_padding(ctx, padding) == 1 &&
                (digest == NULL || EVP_PKEY_CTX_set_signature_md(ctx, digest) == 1));
}

static CK_RV set_pss(EVP_PKEY_CTX *ctx, const struct mechanism *mechanism, const CK_MECHANISM *wanted)
{
    CK_RSA_PKCS_PSS_PARAMS params;
    enum digest_id digest = DIGEST_NONE;
    enum digest_id mask = DIGEST_NONE;
    CK_ULONG encoded_nbytes = ((CK_ULONG)EVP_PKEY_get_bits(EVP_PKEY_CTX_get0_pkey(ctx)) + 6) / 8; /* RFC 8017, 8.1.1 */

    if (wanted->ulParameterLen != sizeof params) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&params, wanted->pParameter, sizeof params);
    if (!find_digest(params.hashAlg, &digest) || !find_mask(params.mgf, &mask) ||
        (mechanism->digest != DIGEST_NONE && mechanism->digest != digest) ||
        params.sLen > encoded_nbytes - digest_nbytes(digest) - 2) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    return done(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
                EVP_PKEY_CTX_set_signature_md(ctx, algorithms.digests[digest]) == 1 &&
                EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, algorithms.digests[mask]) == 1 &&
                EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, (int)params.sLen) == 1);
}

static CK_RV set_label(EVP_PKEY_CTX *ctx, const CK_RSA_PKCS_OAEP_PARAMS *params)
{
    void *label = NULL;

    if (params->ulSourceDataLen == 0) {
        return CKR_OK;
    }
    label = OPENSSL_memdup(params->pSourceData, params->ulSourceDataLen);
    if (label == NULL) {
        return CKR_HOST_MEMORY;
    }
    if (EVP_PKEY_CTX_set0_rsa_oaep_label(ctx, label, (int)params->ulSourceDataLen) != 1) {
        OPENSSL_free(label);
        return CKR_FUNCTION_FAILED;
    }
    return CKR_OK;
}

static CK_RV set_oaep(EVP_PKEY_CTX *ctx, const CK_MECHANISM *wanted)
{
    CK_RSA_PKCS_OAEP_PARAMS params;
    enum digest_id digest = DIGEST_NONE;
    enum digest_id mask = DIGEST_NONE;
    bool has_label = false;

    if (wanted->ulParameterLen != sizeof params) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    memcpy(&params, wanted->pParameter, sizeof params);
    has_label = params.ulSourceDataLen > 0;
    if (!find_digest(params.hashAlg, &digest) || !find_mask(params.mgf, &mask) ||
        params.ulSourceDataLen > LABEL_MAX_NBYTES || (has_label && params.pSourceData == NULL) ||
        (params.source != CKZ_DATA_SPECIFIED && (params.source != 0 || has_label))) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    if (EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) != 1 ||
        EVP_PKEY_CTX_set_rsa_oaep_md(ctx, algorithms.digests[digest]) != 1 ||
        EVP_PKEY_CTX_set_rsa_mgf1_md(ctx, algorithms.digests[mask]) != 1) {
        return CKR_FUNCTION_FAILED;
    }
    return set_label(ctx, &params);
}

static CK_RV set_padding(EVP_PKEY_CTX *ctx, const struct mechanism *mechanism, const CK_MECHANISM *wanted)
{
    switch (mechanism->family) {
    case FAMILY_RSA_PKCS:
        return set_plain(ctx, mechanism, wanted, RSA_PKCS1_PADDING);
    case FAMILY_RSA_RAW:
        return set_plain(ctx, mechanism, wanted, RSA_NO_PADDING);
    case FAMILY_RSA_OAEP:
        return set_oaep(ctx, wanted);
    case FAMILY_RSA_PSS:
        return set_pss(ctx, mechanism, wanted);
    default:
        return CKR_MECHANISM_INVALID;
    }
}

/* libcrypto keeps a blinding factor and its inverse with a private key. BN_BLINDING_update() squares the inverse and then
 * the factor, in place, and leaves the first changed where it has no memory for the second; each later operation with the
 * key then gives a wrong result, without an error. So each has a copy of the key, which has no blinding yet. */
static EVP_PKEY_CTX *context_of(EVP_PKEY *key, enum rsa_use use)
{
    bool is_private = use == RSA_SIGN || use == RSA_DECRYPT;
    EVP_PKEY *own = is_private ? EVP_PKEY_dup(key) : NULL;
    EVP_PKEY_CTX *ctx =
        is_private && own == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(NULL, is_private ? own : key, NULL);

    EVP_PKEY_free(own); /* the context has it */
    return ctx;
}

CK_RV rsa_context(EVP_PKEY *key, enum rsa_use use, const struct mechanism *mechanism, const CK_MECHANISM *wanted,
                  EVP_PKEY_CTX **out)
{
    static int (*const begin[])(EVP_PKEY_CTX *) = {EVP_PKEY_sign_init, EVP_PKEY_verify_init, EVP_PKEY_encrypt_init,
                                                   EVP_PKEY_decrypt_init};
    EVP_PKEY_CTX *ctx = context_of(key, use);
    CK_RV rv = ctx != NULL ? done(begin[use](ctx) == 1) : CKR_HOST_MEMORY;

    if (rv == CKR_OK) {
        rv = set_padding(ctx, mechanism, wanted);
    }
    if (rv != CKR_OK) {
        EVP_PKEY_CTX_free(ctx);
        return rv;
    }
    *out = ctx;
    return CKR_OK;
}

/* ---- lengths
 * --------------------------------------------------------------------------------------------------------- */

CK_ULONG rsa_nbytes(EVP_PKEY_CTX *ctx)
{
    return (CK_ULONG)EVP_PKEY_get_size(EVP_PKEY_CTX_get0_pkey(ctx));
}

CK_ULONG rsa_input_max(EVP_PKEY_CTX *ctx, const struct mechanism *mechanism)
{
    CK_ULONG nbytes = rsa_nbytes(ctx);
    const EVP_MD *digest = NULL;

    switch (mechanism->family) {
    case FAMILY_RSA_PKCS:
        return nbytes - PKCS1_OVERHEAD_NBYTES;
    case FAMILY_RSA_OAEP: /* RFC 8017, 7.1.1 */
        return EVP_PKEY_CTX_get_rsa_oaep_md(ctx, &digest) == 1 ? nbytes - 2 * (CK_ULONG)EVP_MD_get_size(digest) - 2 : 0;
    case FAMILY_RSA_PSS:
        return EVP_PKEY_CTX_get_signature_md(ctx, &digest) == 1 ? (CK_ULONG)EVP_MD_get_size(digest) : 0;
    default:
        return nbytes;
    }
}

void rsa_fill(const uint8_t *data, CK_ULONG nbytes, uint8_t *out, CK_ULONG out_nbytes)
{
    memset(out, 0, out_nbytes - nbytes);
    if (nbytes > 0) {
        memcpy(out + out_nbytes - nbytes, data, nbytes);
    }
}

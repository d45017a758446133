/* SPDX-License-Identifier: Apache-2.0
 *
 * wrapping.c - wraps and unwraps values by AES and RSA.
 */
#include "wrapping.h"

#include "ciphers.h"
#include "rsa.h"

#define WRAP_OVERHEAD_NBYTES 16
#define SEMIBLOCK_NBYTES 8 /* the block size of RFC 3394 */
#define WRAPPED_MAX_NBYTES ((CK_ULONG)1 << 20)

static CK_RV choose_iv(const CK_MECHANISM *wanted, struct wrapping *out)
{
    CK_ULONG iv_nbytes = 0;

    if (out->mechanism->mode == MODE_CBC) {
        iv_nbytes = BLOCK_NBYTES;
    } else if (wanted->ulParameterLen != 0) {
        iv_nbytes = out->mechanism->mode == MODE_WRAP ? 8 : 4; /* the application gave an initial value */
    }
    if (wanted->ulParameterLen != iv_nbytes) {
        return CKR_MECHANISM_PARAM_INVALID;
    }
    out->iv = iv_nbytes > 0 ? wanted->pParameter : NULL;
    return CKR_OK;
}

/* The errors of a wrapping or unwrapping key have names of their own. */
static CK_RV rename_error(CK_RV rv, bool wraps)
{
    switch (rv) {
    case CKR_KEY_HANDLE_INVALID:
        return wraps ? CKR_WRAPPING_KEY_HANDLE_INVALID : CKR_UNWRAPPING_KEY_HANDLE_INVALID;
    case CKR_KEY_TYPE_INCONSISTENT:
        return wraps ? CKR_WRAPPING_KEY_TYPE_INCONSISTENT : CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT;
    default:
        return rv;
    }
}

CK_RV wrapping_open(const struct session *session, const CK_MECHANISM *wanted, CK_OBJECT_HANDLE handle,
                    CK_ATTRIBUTE_TYPE usage, struct wrapping *out)
{
    bool wraps = usage == CKA_WRAP;
    bool is_rsa = false;
    CK_OBJECT_CLASS object_class = CKO_SECRET_KEY;
    CK_RV rv = mechanism_choose(wanted, wraps ? CKF_WRAP : CKF_UNWRAP, &out->mechanism);

    if (rv != CKR_OK) {
        return rv;
    }
    is_rsa = mechanism_is_rsa(out->mechanism);
    if (is_rsa) {
        object_class = wraps ? CKO_PUBLIC_KEY : CKO_PRIVATE_KEY;
    } else {
        rv = choose_iv(wanted, out);
    }
    if (rv == CKR_OK) {
        rv = rename_error(key_find(session, handle, object_class, usage, out->mechanism, &out->key), wraps);
    }
    if (rv == CKR_OK && is_rsa) {
        return rsa_context(out->key->key, wraps ? RSA_ENCRYPT : RSA_DECRYPT, out->mechanism, wanted, &out->pkey);
    }
    if (rv == CKR_OK) {
        out->algorithm = aes_cipher(out->mechanism->mode, attribute_find(out->key, CKA_VALUE)->nbytes);
    }
    return rv;
}

void wrapping_close(struct wrapping *wrapping)
{
    EVP_PKEY_CTX_free(wrapping->pkey);
    wrapping->pkey = NULL;
}

CK_ULONG wrapping_nbytes(const struct wrapping *wrapping, CK_ULONG nbytes)
{
    const struct mechanism *mechanism = wrapping->mechanism;

    if (wrapping->pkey != NULL) {
        return nbytes <= rsa_input_max(wrapping->pkey, mechanism) ? rsa_nbytes(wrapping->pkey) : 0;
    }
    if (mechanism->mode == MODE_CBC) {
        return (nbytes / BLOCK_NBYTES + 1) * BLOCK_NBYTES;
    }
    if (mechanism->mode == MODE_WRAP && (nbytes % SEMIBLOCK_NBYTES != 0 || nbytes < 2 * SEMIBLOCK_NBYTES)) {
        return 0;
    }
    return (nbytes + SEMIBLOCK_NBYTES - 1) / SEMIBLOCK_NBYTES * SEMIBLOCK_NBYTES + SEMIBLOCK_NBYTES;
}

/* Process the data in one call of the cipher. False if libcrypto fails. `out` has room for the overhead. */
static bool run_cipher(const struct wrapping *wrapping, bool encrypts, const uint8_t *data, CK_ULONG nbytes,
                       struct secret *out)
{
    const uint8_t *key = attribute_bytes(attribute_find(wrapping->key, CKA_VALUE));
    EVP_CIPHER_CTX *ctx = NULL;
    int first = 0;
    int last = 0;
    bool is_done = cipher_context(&ctx, wrapping->algorithm, encrypts, key, wrapping->iv, 0) == CKR_OK &&
                   EVP_CipherUpdate(ctx, out->data, &first, data, (int)nbytes) == 1 &&
                   EVP_CipherFinal_ex(ctx, out->data + first, &last) == 1;

    EVP_CIPHER_CTX_free(ctx);
    out->nbytes = is_done ? (CK_ULONG)first + (CK_ULONG)last : 0;
    return is_done;
}

static bool run(const struct wrapping *wrapping, bool encrypts, const uint8_t *data, CK_ULONG nbytes,
                struct secret *out)
{
    size_t written = out->capacity;

    if (wrapping->pkey == NULL) {
        return run_cipher(wrapping, encrypts, data, nbytes, out);
    }
    out->nbytes =
        (encrypts ? EVP_PKEY_encrypt : EVP_PKEY_decrypt)(wrapping->pkey, out->data, &written, data, nbytes) == 1
            ? written
            : 0;
    return out->nbytes > 0;
}

CK_RV wrapping_seal(const struct wrapping *wrapping, const struct secret *value, struct secret *out)
{
    CK_ULONG expected = wrapping_nbytes(wrapping, value->nbytes);
    CK_RV rv = secret_allocate(out, expected + WRAP_OVERHEAD_NBYTES);

    if (rv != CKR_OK) {
        return rv;
    }
    return run(wrapping, true, value->data, value->nbytes, out) && out->nbytes == expected ? CKR_OK
                                                                                           : CKR_FUNCTION_FAILED;
}

static bool length_fits(const struct wrapping *wrapping, CK_ULONG nbytes)
{
    CK_ULONG unit = wrapping->mechanism->mode == MODE_CBC ? BLOCK_NBYTES : SEMIBLOCK_NBYTES;

    if (wrapping->pkey != NULL) {
        return nbytes == rsa_nbytes(wrapping->pkey);
    }
    return nbytes % unit == 0 && nbytes >= BLOCK_NBYTES && nbytes <= WRAPPED_MAX_NBYTES;
}

CK_RV wrapping_unseal(const struct wrapping *wrapping, const uint8_t *wrapped, CK_ULONG nbytes, struct secret *out)
{
    CK_RV rv = CKR_OK;

    if (!length_fits(wrapping, nbytes)) {
        return CKR_WRAPPED_KEY_LEN_RANGE;
    }
    rv = secret_allocate(out, nbytes + WRAP_OVERHEAD_NBYTES);
    return rv == CKR_OK && !run(wrapping, false, wrapped, nbytes, out) ? CKR_WRAPPED_KEY_INVALID : rv;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * wrap.c - C_WrapKey and C_UnwrapKey. A secret key is wrapped as its value, a private key as PKCS #8.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/x509.h>

#include "array_attributes.h"
#include "ciphers.h"
#include "policy.h"

#define WRAP_OVERHEAD_NBYTES 16
#define SEMIBLOCK_NBYTES 8 /* the block size of RFC 3394 */
#define WRAPPED_MAX_NBYTES ((CK_ULONG)1 << 20)

/* A secret, which is wiped when it is freed. */
struct secret {
    uint8_t *data;
    CK_ULONG nbytes;
};

static void secret_free(struct secret *secret)
{
    OPENSSL_clear_free(secret->data, secret->nbytes);
    secret->data = NULL;
    secret->nbytes = 0;
}

/* ---- the wrapping key
 * ------------------------------------------------------------------------------------------------ */

struct wrapping {
    const struct mechanism *mechanism;
    const EVP_CIPHER *algorithm;
    const uint8_t *key;
    const uint8_t *iv; /* NULL for the initial value of RFC 3394 or RFC 5649 */
};

static CK_RV wrapping_choose(const CK_MECHANISM *wanted, CK_FLAGS flag, struct wrapping *out)
{
    CK_RV rv = mechanism_choose(wanted, flag, &out->mechanism);
    CK_ULONG iv_nbytes = 0;

    if (rv != CKR_OK) {
        return rv;
    }
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

static CK_RV wrapping_key(const struct session *session, CK_OBJECT_HANDLE handle, CK_ATTRIBUTE_TYPE usage,
                          struct wrapping *wrapping, struct object **out_key)
{
    const struct attribute *value = NULL;
    CK_RV rv = key_find(session, handle, CKO_SECRET_KEY, usage, wrapping->mechanism, out_key);

    if (rv == CKR_KEY_HANDLE_INVALID) {
        return usage == CKA_WRAP ? CKR_WRAPPING_KEY_HANDLE_INVALID : CKR_UNWRAPPING_KEY_HANDLE_INVALID;
    }
    if (rv == CKR_KEY_TYPE_INCONSISTENT) {
        return usage == CKA_WRAP ? CKR_WRAPPING_KEY_TYPE_INCONSISTENT : CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT;
    }
    if (rv == CKR_OK) {
        value = attribute_find(*out_key, CKA_VALUE);
        wrapping->key = attribute_bytes(value);
        wrapping->algorithm = aes_cipher(wrapping->mechanism->mode, value->nbytes);
    }
    return rv;
}

/* Process the data in one call of the cipher. False if libcrypto fails. `out` has room for the overhead. */
static bool run(const struct wrapping *wrapping, bool encrypts, const uint8_t *data, CK_ULONG nbytes, uint8_t *out,
                CK_ULONG *out_nbytes)
{
    EVP_CIPHER_CTX *ctx = NULL;
    int first = 0;
    int last = 0;
    bool is_done = cipher_context(&ctx, wrapping->algorithm, encrypts, wrapping->key, wrapping->iv, 0) == CKR_OK &&
                   EVP_CipherUpdate(ctx, out, &first, data, (int)nbytes) == 1 &&
                   EVP_CipherFinal_ex(ctx, out + first, &last) == 1;

    EVP_CIPHER_CTX_free(ctx);
    *out_nbytes = is_done ? (CK_ULONG)first + (CK_ULONG)last : 0;
    return is_done;
}

/* ---- wrap
 * ------------------------------------------------------------------------------------------------------------ */

static CK_RV check_wrappable(const struct object *key, const struct object *wrapping)
{
    if (key->object_class != CKO_SECRET_KEY && key->object_class != CKO_PRIVATE_KEY) {
        return CKR_KEY_NOT_WRAPPABLE;
    }
    if (!attribute_bool(key, CKA_EXTRACTABLE)) {
        return CKR_KEY_UNEXTRACTABLE;
    }
    return attribute_bool(key, CKA_WRAP_WITH_TRUSTED) && !attribute_bool(wrapping, CKA_TRUSTED) ? CKR_KEY_NOT_WRAPPABLE
                                                                                                : CKR_OK;
}

/* The plaintext to wrap, in memory that libcrypto allocated. */
static CK_RV export_key(const struct object *key, struct secret *out)
{
    const struct attribute *value = attribute_find(key, CKA_VALUE);
    PKCS8_PRIV_KEY_INFO *info = NULL;
    int nbytes = 0;

    if (key->object_class == CKO_SECRET_KEY) {
        out->data = OPENSSL_memdup(attribute_bytes(value), value->nbytes);
        out->nbytes = out->data != NULL ? value->nbytes : 0;
    } else {
        info = EVP_PKEY2PKCS8(key->key);
        nbytes = info != NULL ? i2d_PKCS8_PRIV_KEY_INFO(info, &out->data) : 0;
        out->nbytes = nbytes > 0 ? (CK_ULONG)nbytes : 0;
        PKCS8_PRIV_KEY_INFO_free(info);
    }
    return out->nbytes > 0 ? CKR_OK : CKR_FUNCTION_FAILED;
}

/* The length of the wrapped key; 0 if the mechanism cannot wrap it. */
static CK_ULONG wrapped_nbytes(const struct mechanism *mechanism, CK_ULONG nbytes)
{
    if (mechanism->mode == MODE_CBC) {
        return (nbytes / BLOCK_NBYTES + 1) * BLOCK_NBYTES;
    }
    if (mechanism->mode == MODE_WRAP && (nbytes % SEMIBLOCK_NBYTES != 0 || nbytes < 2 * SEMIBLOCK_NBYTES)) {
        return 0;
    }
    return (nbytes + SEMIBLOCK_NBYTES - 1) / SEMIBLOCK_NBYTES * SEMIBLOCK_NBYTES + SEMIBLOCK_NBYTES;
}

CK_RV C_WrapKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hWrappingKey,
                CK_OBJECT_HANDLE hKey, CK_BYTE_PTR pWrappedKey, CK_ULONG_PTR pulWrappedKeyLen)
{
    struct session *session = NULL;
    struct wrapping wrapping = {0};
    struct object *wrapper = NULL;
    const struct object *key = NULL;
    struct secret plain = {0};
    uint8_t *wrapped = NULL;
    CK_ULONG nbytes = 0;
    CK_ULONG written = 0;
    bool asked = false;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pulWrappedKeyLen == NULL ? CKR_ARGUMENTS_BAD : wrapping_choose(pMechanism, CKF_WRAP, &wrapping);
    if (rv == CKR_OK) {
        rv = wrapping_key(session, hWrappingKey, CKA_WRAP, &wrapping, &wrapper);
    }
    if (rv == CKR_OK) {
        key = object_find(session, hKey);
        rv = key == NULL ? CKR_KEY_HANDLE_INVALID : check_wrappable(key, wrapper);
    }
    if (rv == CKR_OK) {
        rv = policy_wrap(key, wrapper, wrapping.mechanism);
    }
    if (rv == CKR_OK) {
        rv = export_key(key, &plain);
    }
    if (rv == CKR_OK) {
        nbytes = wrapped_nbytes(wrapping.mechanism, plain.nbytes);
        rv = nbytes == 0 ? CKR_KEY_SIZE_RANGE : output_room(pWrappedKey, pulWrappedKeyLen, nbytes, &asked);
    }
    if (rv == CKR_OK && !asked) {
        wrapped = malloc(nbytes + WRAP_OVERHEAD_NBYTES);
        rv = wrapped != NULL ? CKR_OK : CKR_HOST_MEMORY;
        if (rv == CKR_OK && (!run(&wrapping, true, plain.data, plain.nbytes, wrapped, &written) || written != nbytes)) {
            rv = CKR_FUNCTION_FAILED;
        }
        if (rv == CKR_OK) {
            memcpy(pWrappedKey, wrapped, nbytes);
        }
        free(wrapped);
    }
    secret_free(&plain);
    module_leave();
    return rv;
}

/* ---- unwrap
 * ---------------------------------------------------------------------------------------------------------- */

/* Whether the public key that the structure may contain belongs to the private key, and both are on the curve. */
static bool pair_matches(EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    bool matches = ctx != NULL && EVP_PKEY_check(ctx) == 1;

    EVP_PKEY_CTX_free(ctx);
    return matches;
}

static CK_RV import_private(struct object *object, const struct secret *plain)
{
    const uint8_t *next = plain->data;
    PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &next, (long)plain->nbytes);
    EVP_PKEY *key = info != NULL && next == plain->data + plain->nbytes ? EVP_PKCS82PKEY(info) : NULL;
    char group[32] = "";
    CK_RV rv = CKR_WRAPPED_KEY_INVALID;

    if (key != NULL && EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_group_name(key, group, sizeof group, NULL) == 1) {
        if (strcmp(group, "prime256v1") != 0 && strcmp(group, "P-256") != 0) {
            rv = CKR_CURVE_NOT_SUPPORTED;
        } else if (pair_matches(key)) {
            rv = ec_export(key, NULL, object);
        }
    }
    EVP_PKEY_free(key);
    PKCS8_PRIV_KEY_INFO_free(info);
    return rv;
}

static CK_RV import_key(struct object *object, const struct secret *plain)
{
    CK_RV rv = CKR_OK;

    if (object->object_class == CKO_SECRET_KEY) {
        rv = key_length_fits(object->key_type, plain->nbytes)
                 ? attribute_set(object, CKA_VALUE, plain->data, plain->nbytes)
                 : CKR_WRAPPED_KEY_LEN_RANGE;
    } else {
        rv = import_private(object, plain);
    }
    if (rv == CKR_OK) {
        rv = key_history(object, false, CK_UNAVAILABLE_INFORMATION, NULL);
    }
    return rv == CKR_OK ? object_complete(object) : rv;
}

static CK_RV unwrap(const struct wrapping *wrapping, const uint8_t *wrapped, CK_ULONG nbytes, struct secret *out)
{
    CK_ULONG unit = wrapping->mechanism->mode == MODE_CBC ? BLOCK_NBYTES : SEMIBLOCK_NBYTES;

    if (nbytes % unit != 0 || nbytes < BLOCK_NBYTES || nbytes > WRAPPED_MAX_NBYTES) {
        return CKR_WRAPPED_KEY_LEN_RANGE;
    }
    out->data = OPENSSL_malloc(nbytes + WRAP_OVERHEAD_NBYTES);
    if (out->data == NULL) {
        return CKR_HOST_MEMORY;
    }
    if (!run(wrapping, false, wrapped, nbytes, out->data, &out->nbytes)) {
        OPENSSL_clear_free(out->data, nbytes + WRAP_OVERHEAD_NBYTES);
        *out = (struct secret){0};
        return CKR_WRAPPED_KEY_INVALID;
    }
    return CKR_OK;
}

CK_RV C_UnwrapKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hUnwrappingKey,
                  CK_BYTE_PTR pWrappedKey, CK_ULONG ulWrappedKeyLen, CK_ATTRIBUTE_PTR pTemplate,
                  CK_ULONG ulAttributeCount, CK_OBJECT_HANDLE_PTR phKey)
{
    struct session *session = NULL;
    struct wrapping wrapping = {0};
    struct object *unwrapper = NULL;
    struct object *object = NULL;
    struct secret plain = {0};
    struct template template = {0};
    CK_ATTRIBUTE *room = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = phKey == NULL || pWrappedKey == NULL ? CKR_ARGUMENTS_BAD : wrapping_choose(pMechanism, CKF_UNWRAP, &wrapping);
    if (rv == CKR_OK) {
        rv = wrapping_key(session, hUnwrappingKey, CKA_UNWRAP, &wrapping, &unwrapper);
    }
    if (rv == CKR_OK) {
        rv = array_combine(unwrapper, CKA_UNWRAP_TEMPLATE, (struct template){pTemplate, ulAttributeCount}, &room,
                           &template);
    }
    if (rv == CKR_OK) {
        rv = object_from_template(session, TO_UNWRAP, template, CK_UNAVAILABLE_INFORMATION, CK_UNAVAILABLE_INFORMATION,
                                  &object);
    }
    if (rv == CKR_OK && object->object_class != CKO_SECRET_KEY && object->object_class != CKO_PRIVATE_KEY) {
        rv = CKR_TEMPLATE_INCONSISTENT;
    }
    if (rv == CKR_OK) {
        rv = policy_unwrap(object, unwrapper, wrapping.mechanism);
    }
    if (rv == CKR_OK) {
        rv = unwrap(&wrapping, pWrappedKey, ulWrappedKeyLen, &plain);
    }
    if (rv == CKR_OK) {
        rv = import_key(object, &plain);
    }
    if (rv == CKR_OK) {
        rv = object_add(session, object, phKey);
    }
    if (rv != CKR_OK) {
        object_free(object);
    }
    free(room);
    secret_free(&plain);
    module_leave();
    return rv;
}

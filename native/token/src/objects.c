/* SPDX-License-Identifier: Apache-2.0
 *
 * objects.c - the table of objects: which session may see, change and destroy an object.
 */
#include "objects.h"

#include <string.h>

#include <openssl/crypto.h>

#include "pairs.h"
#include "policy.h"
#include "store.h"

#define CHECK_VALUE_NBYTES 3

CK_RV object_writable(const struct session *session, const struct object *object)
{
    if (object->is_private && !session_is_user(session)) {
        return CKR_USER_NOT_LOGGED_IN;
    }
    return object->is_token && !session_is_rw(session) ? CKR_SESSION_READ_ONLY : CKR_OK;
}

struct object *object_find(const struct session *session, CK_OBJECT_HANDLE handle)
{
    struct object *object = handle_get(&module->objects, handle);

    if (object == NULL || object->slot != session->slot || (object->is_private && !session_is_user(session))) {
        return NULL;
    }
    return object;
}

CK_RV object_link(struct object *object)
{
    struct slot *slot = object->slot;

    object->handle = handle_add(&module->objects, object);
    if (object->handle == CK_INVALID_HANDLE) {
        return CKR_DEVICE_MEMORY;
    }
    object->next = slot->objects;
    if (slot->objects != NULL) {
        slot->objects->previous = object;
    }
    slot->objects = object;
    return CKR_OK;
}

static void take_out(struct object *object)
{
    handle_remove(&module->objects, object->handle);
    if (object->previous != NULL) {
        object->previous->next = object->next;
    } else {
        object->slot->objects = object->next;
    }
    if (object->next != NULL) {
        object->next->previous = object->previous;
    }
    object->next = NULL;
    object->previous = NULL;
}

void object_unlink(struct object *object)
{
    struct session *owner = handle_get(&module->sessions, object->owner);

    if (owner != NULL) {
        owner->object_count--;
    }
    take_out(object);
    object_free(object);
}

void object_remove(struct object *object)
{
    store_forget(object);
    object_unlink(object);
}

CK_RV object_add(struct session *session, struct object *object, CK_OBJECT_HANDLE *out_handle)
{
    CK_RV rv = atomic_load(&session->is_open) ? object_writable(session, object) : CKR_SESSION_CLOSED;

    if (rv != CKR_OK) {
        return rv;
    }
    rv = object_link(object);
    if (rv != CKR_OK) {
        return rv;
    }
    rv = store_object(object, NULL);
    if (rv != CKR_OK) {
        take_out(object);
        return rv;
    }
    if (!object->is_token) {
        object->owner = session->handle;
        session->object_count++;
    }
    *out_handle = object->handle;
    return CKR_OK;
}

void objects_destroy_owned(struct session *session)
{
    struct object *next = NULL;

    for (struct object *object = session->slot->objects; object != NULL && session->object_count > 0; object = next) {
        next = object->next;
        if (object->owner == session->handle) {
            session->object_count--;
            take_out(object);
            object_free(object);
        }
    }
}

void objects_forget(struct slot *slot)
{
    while (slot->objects != NULL) {
        object_unlink(slot->objects);
    }
}

void objects_renew_private(struct slot *slot)
{
    struct object *next = NULL;

    for (struct object *object = slot->objects; object != NULL; object = next) {
        next = object->next;
        if (object->is_private && !object->is_token) {
            object_unlink(object);
        } else if (object->is_private) {
            object->handle = handle_renew(&module->objects, object->handle);
        }
    }
}

/* ---- completion
 * ------------------------------------------------------------------------------------------------------ */

bool key_length_fits(CK_KEY_TYPE key_type, CK_ULONG nbytes)
{
    switch (key_type) {
    case CKK_AES:
        return nbytes == 16 || nbytes == 24 || nbytes == 32;
    case CKK_GENERIC_SECRET:
    case CKK_MD5_HMAC:
    case CKK_SHA_1_HMAC:
    case CKK_SHA224_HMAC:
    case CKK_SHA256_HMAC:
    case CKK_SHA384_HMAC:
    case CKK_SHA512_HMAC:
    case CKK_SHA3_224_HMAC:
    case CKK_SHA3_256_HMAC:
    case CKK_SHA3_384_HMAC:
    case CKK_SHA3_512_HMAC:
        return nbytes >= 1 && nbytes <= 4096;
    default:
        return false;
    }
}

/* The key check value: the first bytes of an encrypted block of zeros, or of the SHA-1 of a key that cannot encrypt. */
static CK_RV check_value(const struct object *object, const uint8_t *value, CK_ULONG nbytes, uint8_t *out)
{
    static const uint8_t zeros[16];
    uint8_t result[EVP_MAX_MD_SIZE] = {0};
    EVP_CIPHER_CTX *ctx = NULL;
    int result_nbytes = 0;
    bool is_done = false;

    if (object->key_type == CKK_AES) {
        ctx = EVP_CIPHER_CTX_new();
        is_done = ctx != NULL && EVP_EncryptInit_ex2(ctx, aes_cipher(MODE_ECB, nbytes), value, NULL, NULL) == 1 &&
                  EVP_EncryptUpdate(ctx, result, &result_nbytes, zeros, sizeof zeros) == 1;
        EVP_CIPHER_CTX_free(ctx);
    } else {
        is_done = algorithms.digests[DIGEST_SHA1] != NULL &&
                  EVP_Digest(value, nbytes, result, NULL, algorithms.digests[DIGEST_SHA1], NULL) == 1;
    }
    memcpy(out, result, CHECK_VALUE_NBYTES);
    OPENSSL_cleanse(result, sizeof result);
    return is_done ? CKR_OK : CKR_FUNCTION_FAILED;
}

static CK_RV complete_secret(struct object *object)
{
    const struct attribute *value = attribute_find(object, CKA_VALUE);
    const struct attribute *given = attribute_find(object, CKA_CHECK_VALUE);
    CK_ULONG value_len = attribute_ulong(object, CKA_VALUE_LEN);
    uint8_t check[CHECK_VALUE_NBYTES];
    CK_RV rv = CKR_OK;

    if (value == NULL || !key_length_fits(object->key_type, value->nbytes) ||
        (value_len != CK_UNAVAILABLE_INFORMATION && value_len != value->nbytes)) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (given == NULL || given->nbytes > 0) { /* an empty attribute asks for no check value */
        rv = check_value(object, attribute_bytes(value), value->nbytes, check);
        if (rv == CKR_OK && given != NULL &&
            (given->nbytes != sizeof check || memcmp(attribute_bytes(given), check, sizeof check) != 0)) {
            rv = CKR_ATTRIBUTE_VALUE_INVALID;
        }
    }
    if (rv == CKR_OK) {
        rv = attribute_set_ulong(object, CKA_VALUE_LEN, value->nbytes);
    }
    if (rv == CKR_OK && attribute_find(object, CKA_CHECK_VALUE) == NULL) {
        rv = attribute_set(object, CKA_CHECK_VALUE, check, sizeof check);
    }
    return rv;
}

CK_RV object_complete(struct object *object)
{
    switch (object->object_class) {
    case CKO_SECRET_KEY:
        return complete_secret(object);
    case CKO_PUBLIC_KEY:
        return pair_type(object->key_type)->complete_public(object);
    case CKO_PRIVATE_KEY:
        return pair_type(object->key_type)->complete_private(object);
    default:
        return CKR_OK;
    }
}

/* ---- keys
 * ------------------------------------------------------------------------------------------------------------ */

static bool is_allowed(const struct object *key, CK_MECHANISM_TYPE mechanism)
{
    const struct attribute *allowed = attribute_find(key, CKA_ALLOWED_MECHANISMS);

    if (allowed == NULL || allowed->nbytes == 0) {
        return true;
    }
    for (size_t at = 0; at < allowed->nbytes; at += sizeof mechanism) {
        if (memcmp(attribute_bytes(allowed) + at, &mechanism, sizeof mechanism) == 0) {
            return true;
        }
    }
    return false;
}

CK_RV key_find(const struct session *session, CK_OBJECT_HANDLE handle, CK_OBJECT_CLASS object_class,
               CK_ATTRIBUTE_TYPE usage, const struct mechanism *mechanism, struct object **out)
{
    struct object *key = object_find(session, handle);
    bool is_mac = mechanism->family == FAMILY_HMAC || mechanism->family == FAMILY_HMAC_GENERAL;

    if (key == NULL) {
        return CKR_KEY_HANDLE_INVALID;
    }
    if (key->object_class != object_class ||
        (key->key_type != mechanism->key_type && mechanism->key_type != CK_UNAVAILABLE_INFORMATION &&
         !(is_mac && key->key_type == CKK_GENERIC_SECRET))) {
        return CKR_KEY_TYPE_INCONSISTENT;
    }
    if (!attribute_bool(key, usage)) {
        return CKR_KEY_FUNCTION_NOT_PERMITTED;
    }
    if (!is_allowed(key, mechanism->type)) {
        return CKR_MECHANISM_INVALID;
    }
    *out = key;
    return policy_use(key, usage);
}

CK_RV key_history(struct object *object, bool is_local, CK_MECHANISM_TYPE mechanism, const struct object *base)
{
    bool from_here = is_local || base != NULL;
    bool sensitive = from_here && attribute_bool(object, CKA_SENSITIVE);
    bool unextractable = from_here && !attribute_bool(object, CKA_EXTRACTABLE);
    CK_RV rv = attribute_set_bool(object, CKA_LOCAL, is_local);

    if (base != NULL) {
        sensitive = sensitive && attribute_bool(base, CKA_ALWAYS_SENSITIVE);
        unextractable = unextractable && attribute_bool(base, CKA_NEVER_EXTRACTABLE);
    }
    if (rv == CKR_OK) {
        rv = attribute_set_ulong(object, CKA_KEY_GEN_MECHANISM, mechanism);
    }
    if (rv == CKR_OK && object->object_class != CKO_PUBLIC_KEY) {
        rv = attribute_set_bool(object, CKA_ALWAYS_SENSITIVE, sensitive);
        if (rv == CKR_OK) {
            rv = attribute_set_bool(object, CKA_NEVER_EXTRACTABLE, unextractable);
        }
    }
    return rv;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * wrap.c - C_WrapKey and C_UnwrapKey. A secret key is wrapped as its value, a private key as PKCS #8.
 */
#include <stdlib.h>
#include <string.h>

#include "array_attributes.h"
#include "pkcs8.h"
#include "policy.h"
#include "wrapping.h"

/* ---- wrap
 * ------------------------------------------------------------------------------------------------------------ */

static CK_RV check_wrappable(const struct object *key, const struct wrapping *wrapping)
{
    bool is_kind = key->object_class == CKO_SECRET_KEY ||
                   (key->object_class == CKO_PRIVATE_KEY && !mechanism_is_rsa(wrapping->mechanism));

    if (!is_kind) { /* RSA wraps secret keys only: PKCS #11, "PKCS #1 v1.5 RSA" and "OAEP" */
        return CKR_KEY_NOT_WRAPPABLE;
    }
    if (!attribute_bool(key, CKA_EXTRACTABLE)) {
        return CKR_KEY_UNEXTRACTABLE;
    }
    return attribute_bool(key, CKA_WRAP_WITH_TRUSTED) && !attribute_bool(wrapping->key, CKA_TRUSTED)
               ? CKR_KEY_NOT_WRAPPABLE
               : CKR_OK;
}

static CK_RV export_secret(const struct object *key, struct secret *out)
{
    const struct attribute *value = attribute_find(key, CKA_VALUE);
    CK_RV rv = secret_allocate(out, value->nbytes);

    if (rv == CKR_OK) {
        memcpy(out->data, attribute_bytes(value), value->nbytes);
        out->nbytes = value->nbytes;
    }
    return rv;
}

CK_RV C_WrapKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hWrappingKey,
                CK_OBJECT_HANDLE hKey, CK_BYTE_PTR pWrappedKey, CK_ULONG_PTR pulWrappedKeyLen)
{
    struct session *session = NULL;
    struct wrapping wrapping = {0};
    const struct object *key = NULL;
    struct secret plain = {0};
    struct secret wrapped = {0};
    CK_ULONG nbytes = 0;
    bool asked = false;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = pulWrappedKeyLen == NULL ? CKR_ARGUMENTS_BAD
                                  : wrapping_open(session, pMechanism, hWrappingKey, CKA_WRAP, &wrapping);
    if (rv == CKR_OK) {
        key = object_find(session, hKey);
        rv = key == NULL ? CKR_KEY_HANDLE_INVALID : check_wrappable(key, &wrapping);
    }
    if (rv == CKR_OK) {
        rv = policy_wrap(key, wrapping.key, wrapping.mechanism);
    }
    if (rv == CKR_OK) {
        rv = key->object_class == CKO_SECRET_KEY ? export_secret(key, &plain) : pkcs8_export(key, &plain);
    }
    if (rv == CKR_OK) {
        nbytes = wrapping_nbytes(&wrapping, plain.nbytes);
        rv = nbytes == 0 ? CKR_KEY_SIZE_RANGE : output_room(pWrappedKey, pulWrappedKeyLen, nbytes, &asked);
    }
    if (rv == CKR_OK && !asked) {
        rv = wrapping_seal(&wrapping, &plain, &wrapped);
        if (rv == CKR_OK) {
            memcpy(pWrappedKey, wrapped.data, nbytes);
        }
    }
    secret_free(&wrapped);
    secret_free(&plain);
    wrapping_close(&wrapping);
    module_leave();
    return rv;
}

/* ---- unwrap
 * ---------------------------------------------------------------------------------------------------------- */

static CK_RV import_key(struct object *object, const struct secret *plain)
{
    CK_RV rv = CKR_OK;

    if (object->object_class == CKO_SECRET_KEY) {
        rv = key_length_fits(object->key_type, plain->nbytes)
                 ? attribute_set(object, CKA_VALUE, plain->data, plain->nbytes)
                 : CKR_WRAPPED_KEY_LEN_RANGE;
    } else {
        rv = pkcs8_import(object, plain);
    }
    if (rv == CKR_OK) {
        rv = key_history(object, false, CK_UNAVAILABLE_INFORMATION, NULL);
    }
    return rv == CKR_OK ? object_complete(object) : rv;
}

CK_RV C_UnwrapKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_OBJECT_HANDLE hUnwrappingKey,
                  CK_BYTE_PTR pWrappedKey, CK_ULONG ulWrappedKeyLen, CK_ATTRIBUTE_PTR pTemplate,
                  CK_ULONG ulAttributeCount, CK_OBJECT_HANDLE_PTR phKey)
{
    struct session *session = NULL;
    struct wrapping wrapping = {0};
    struct object *object = NULL;
    struct secret plain = {0};
    struct template template = {0};
    CK_ATTRIBUTE *room = NULL;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = phKey == NULL || pWrappedKey == NULL
             ? CKR_ARGUMENTS_BAD
             : wrapping_open(session, pMechanism, hUnwrappingKey, CKA_UNWRAP, &wrapping);
    if (rv == CKR_OK) {
        rv = array_combine(wrapping.key, CKA_UNWRAP_TEMPLATE, (struct template){pTemplate, ulAttributeCount}, &room,
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
        rv = policy_unwrap(object, wrapping.key, wrapping.mechanism);
    }
    if (rv == CKR_OK) {
        rv = wrapping_unseal(&wrapping, pWrappedKey, ulWrappedKeyLen, &plain);
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
    wrapping_close(&wrapping);
    module_leave();
    return rv;
}

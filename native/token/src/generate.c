/* SPDX-License-Identifier: Apache-2.0
 *
 * generate.c - C_GenerateKey and C_GenerateKeyPair. No lock is held while a pair is generated.
 */
#include <openssl/crypto.h>

#include "pairs.h"

/* The length of the key: CKA_VALUE_LEN, or the length of the digest of the key type if the template has none. */
static CK_RV choose_length(const struct mechanism *mechanism, struct template template, CK_ULONG *out)
{
    CK_RV rv = CKR_OK;

    *out = mechanism->digest != DIGEST_NONE ? digest_nbytes(mechanism->digest) : 0;
    rv = template_ulong(template, CKA_VALUE_LEN, out);
    if (rv != CKR_OK) {
        return rv;
    }
    if (*out == 0 && template_find(template, CKA_VALUE_LEN) == NULL) {
        return CKR_TEMPLATE_INCOMPLETE;
    }
    return key_length_fits(mechanism->key_type, *out) ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
}

static CK_RV set_random_value(struct object *object, CK_ULONG nbytes)
{
    uint8_t value[4096];
    CK_RV rv = random_secret(value, nbytes);

    if (rv == CKR_OK) {
        rv = attribute_set(object, CKA_VALUE, value, nbytes);
    }
    OPENSSL_cleanse(value, nbytes);
    return rv;
}

CK_RV C_GenerateKey(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_ATTRIBUTE_PTR pTemplate,
                    CK_ULONG ulCount, CK_OBJECT_HANDLE_PTR phKey)
{
    struct session *session = NULL;
    struct object *object = NULL;
    struct template template = {pTemplate, ulCount};
    const struct mechanism *mechanism = NULL;
    CK_ULONG nbytes = 0;
    CK_RV rv = session_enter_module(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = phKey == NULL || (pTemplate == NULL && ulCount > 0) ? CKR_ARGUMENTS_BAD
                                                             : mechanism_choose(pMechanism, CKF_GENERATE, &mechanism);
    if (rv == CKR_OK) {
        rv = mechanism_no_parameter(pMechanism);
    }
    if (rv == CKR_OK) {
        rv = object_from_template(session, TO_GENERATE, template, CKO_SECRET_KEY, mechanism->key_type, &object);
    }
    if (rv == CKR_OK) {
        rv = choose_length(mechanism, template, &nbytes);
    }
    if (rv == CKR_OK) {
        rv = set_random_value(object, nbytes);
    }
    if (rv == CKR_OK) {
        rv = key_history(object, true, mechanism->type, NULL);
    }
    if (rv == CKR_OK) {
        rv = object_complete(object);
    }
    if (rv == CKR_OK) {
        rv = object_add(session, object, phKey);
    }
    if (rv != CKR_OK) {
        object_free(object);
    }
    module_leave();
    return rv;
}

/* ---- pairs
 * ----------------------------------------------------------------------------------------------------------- */

struct pair {
    struct object *public_object;
    struct object *private_object;
};

/* Make objects from the templates, without values yet. */
static CK_RV prepare(struct session *session, const struct mechanism *mechanism, struct template public_template,
                     struct template private_template, struct pair *pair)
{
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = object_from_template(session, TO_GENERATE, public_template, CKO_PUBLIC_KEY, mechanism->key_type,
                              &pair->public_object);
    if (rv == CKR_OK) {
        rv = object_from_template(session, TO_GENERATE, private_template, CKO_PRIVATE_KEY, mechanism->key_type,
                                  &pair->private_object);
    }
    if (rv == CKR_OK && attribute_find(pair->private_object, CKA_EC_PARAMS) != NULL) {
        rv = CKR_TEMPLATE_INCONSISTENT; /* the parameters belong into the template of the public key */
    }
    if (rv == CKR_OK) {
        rv = pair_type(mechanism->key_type)->check(pair->public_object);
    }
    lock_give(&module->lock);
    return rv;
}

static CK_RV complete(struct object *object, const struct mechanism *mechanism)
{
    CK_RV rv = key_history(object, true, mechanism->type, NULL);

    return rv == CKR_OK ? object_complete(object) : rv;
}

/* Add both objects, or none. */
static CK_RV publish(struct session *session, struct pair *pair, CK_OBJECT_HANDLE *out_public,
                     CK_OBJECT_HANDLE *out_private)
{
    CK_RV rv = lock_take(&module->lock);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = object_add(session, pair->public_object, out_public);
    if (rv == CKR_OK) {
        rv = object_add(session, pair->private_object, out_private);
        if (rv != CKR_OK) {
            object_remove(pair->public_object);
            pair->public_object = NULL;
        }
    }
    lock_give(&module->lock);
    return rv;
}

static CK_RV generate_pair(struct session *session, const struct mechanism *mechanism, struct template public_template,
                           struct template private_template, CK_OBJECT_HANDLE *out_public,
                           CK_OBJECT_HANDLE *out_private)
{
    const struct pair_type *type = pair_type(mechanism->key_type);
    struct pair pair = {NULL, NULL};
    EVP_PKEY *key = NULL;
    CK_RV rv = prepare(session, mechanism, public_template, private_template, &pair);

    if (rv == CKR_OK) {
        rv = session_surrender_unlocked(session);
    }
    if (rv == CKR_OK) {
        rv = type->generate(pair.public_object, &key);
    }
    if (rv == CKR_OK) {
        rv = type->export_key(key, pair.public_object, pair.private_object);
    }
    if (rv == CKR_OK) {
        rv = complete(pair.public_object, mechanism);
    }
    if (rv == CKR_OK) {
        rv = complete(pair.private_object, mechanism);
    }
    if (rv == CKR_OK) {
        rv = publish(session, &pair, out_public, out_private);
    }
    if (rv != CKR_OK) {
        object_free(pair.public_object);
        object_free(pair.private_object);
    }
    EVP_PKEY_free(key);
    return rv;
}

CK_RV C_GenerateKeyPair(CK_SESSION_HANDLE hSession, CK_MECHANISM_PTR pMechanism, CK_ATTRIBUTE_PTR pPublicKeyTemplate,
                        CK_ULONG ulPublicKeyAttributeCount, CK_ATTRIBUTE_PTR pPrivateKeyTemplate,
                        CK_ULONG ulPrivateKeyAttributeCount, CK_OBJECT_HANDLE_PTR phPublicKey,
                        CK_OBJECT_HANDLE_PTR phPrivateKey)
{
    struct session *session = NULL;
    const struct mechanism *mechanism = NULL;
    CK_RV rv = session_hold(hSession, &session);

    if (rv != CKR_OK) {
        return rv;
    }
    rv = phPublicKey == NULL || phPrivateKey == NULL ? CKR_ARGUMENTS_BAD
                                                     : mechanism_choose(pMechanism, CKF_GENERATE_KEY_PAIR, &mechanism);
    if (rv == CKR_OK) {
        rv = mechanism_no_parameter(pMechanism);
    }
    if (rv == CKR_OK) {
        rv = generate_pair(session, mechanism, (struct template){pPublicKeyTemplate, ulPublicKeyAttributeCount},
                           (struct template){pPrivateKeyTemplate, ulPrivateKeyAttributeCount}, phPublicKey,
                           phPrivateKey);
    }
    session_drop(session);
    return rv;
}

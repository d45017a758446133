/* SPDX-License-Identifier: Apache-2.0
 *
 * edwards.c - keys on Ed25519 (RFC 8032), whose values libcrypto has in the same form as PKCS #11. The private value is the
 * seed.
 */
#include "curves.h"

#include <string.h>

#include <openssl/crypto.h>

#include "pairs.h"

#define VALUE_NBYTES 32

static CK_RV set_info(const struct curve *curve, struct object *object)
{
    uint8_t point[VALUE_NBYTES];
    size_t nbytes = sizeof point;

    return EVP_PKEY_get_raw_public_key(object->key, point, &nbytes) == 1 && nbytes == curve->point_nbytes
               ? curve_set_info(curve, object, point)
               : CKR_FUNCTION_FAILED;
}

static CK_RV complete_public(struct object *object)
{
    const struct attribute *given = attribute_find(object, CKA_EC_POINT);
    const struct curve *curve = NULL;
    const uint8_t *point = NULL;
    CK_RV rv = curve_of_object(object, &curve);

    if (rv != CKR_OK) {
        return rv;
    }
    point = given != NULL ? curve_bare_point(curve, attribute_bytes(given), given->nbytes) : NULL;
    if (point == NULL) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (object->key == NULL) {
        object->key = EVP_PKEY_new_raw_public_key_ex(NULL, curve->name, NULL, point, curve->point_nbytes);
    }
    if (object->key == NULL) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (given->nbytes == curve->point_nbytes) {
        uint8_t bare[VALUE_NBYTES];

        memcpy(bare, point, sizeof bare);
        rv = curve_set_point(curve, object, bare);
    }
    return rv == CKR_OK ? set_info(curve, object) : rv;
}

static CK_RV complete_private(struct object *object)
{
    const struct attribute *value = attribute_find(object, CKA_VALUE);
    const struct curve *curve = NULL;
    CK_RV rv = curve_of_object(object, &curve);

    if (rv != CKR_OK) {
        return rv;
    }
    if (value == NULL || value->nbytes != curve->value_nbytes) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (object->key == NULL) {
        object->key =
            EVP_PKEY_new_raw_private_key_ex(NULL, curve->name, NULL, attribute_bytes(value), curve->value_nbytes);
    }
    return object->key != NULL ? set_info(curve, object) : CKR_FUNCTION_FAILED;
}

static CK_RV generate(const struct object *public_object, EVP_PKEY **out)
{
    const struct curve *curve = NULL;
    CK_RV rv = curve_of_object(public_object, &curve);

    if (rv != CKR_OK) {
        return rv;
    }
    *out = EVP_PKEY_Q_keygen(NULL, NULL, curve->name);
    return *out != NULL ? CKR_OK : CKR_FUNCTION_FAILED;
}

static CK_RV export_public(const struct curve *curve, EVP_PKEY *key, struct object *object)
{
    uint8_t point[VALUE_NBYTES];
    size_t nbytes = sizeof point;

    return EVP_PKEY_get_raw_public_key(key, point, &nbytes) == 1 && nbytes == curve->point_nbytes
               ? curve_set_point(curve, object, point)
               : CKR_FUNCTION_FAILED;
}

static CK_RV export_private(const struct curve *curve, EVP_PKEY *key, struct object *object)
{
    uint8_t value[VALUE_NBYTES];
    size_t nbytes = sizeof value;
    CK_RV rv = CKR_FUNCTION_FAILED;

    if (EVP_PKEY_get_raw_private_key(key, value, &nbytes) == 1 && nbytes == curve->value_nbytes) {
        rv = attribute_set(object, CKA_VALUE, value, nbytes);
    }
    if (rv == CKR_OK && attribute_find(object, CKA_EC_PARAMS) == NULL) {
        rv = attribute_set(object, CKA_EC_PARAMS, curve->params, curve->params_nbytes);
    }
    OPENSSL_cleanse(value, sizeof value);
    return rv;
}

static CK_RV export_key(EVP_PKEY *key, struct object *public_object, struct object *private_object)
{
    const struct curve *curve = curve_of_key(key);
    CK_RV rv = CKR_OK;

    if (curve == NULL || curve->key_type != CKK_EC_EDWARDS) {
        return EVP_PKEY_is_a(key, "ED448") ? CKR_CURVE_NOT_SUPPORTED : CKR_WRAPPED_KEY_INVALID;
    }
    if (public_object != NULL) {
        rv = export_public(curve, key, public_object);
    }
    if (rv == CKR_OK && public_object != NULL && private_object != NULL) { /* in the form that the template has */
        const struct attribute *params = attribute_find(public_object, CKA_EC_PARAMS);

        rv = attribute_set(private_object, CKA_EC_PARAMS, attribute_bytes(params), params->nbytes);
    }
    return rv == CKR_OK && private_object != NULL ? export_private(curve, key, private_object) : rv;
}

const struct pair_type pair_edwards = {CKK_EC_EDWARDS, curve_check,     generate,
                                       export_key,     complete_public, complete_private};

/* SPDX-License-Identifier: Apache-2.0
 *
 * ec.c - keys on the curves of NIST: conversion between the forms of PKCS #11 and of libcrypto.
 */
#include "ec.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>

#include "pairs.h"

/* Make a key of libcrypto from a point, and a private value unless it is NULL. */
static CK_RV make_key(const struct curve *curve, const uint8_t *point, const BIGNUM *value, EVP_PKEY **out)
{
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    CK_RV rv = CKR_HOST_MEMORY;

    if (builder == NULL || ctx == NULL ||
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, curve->name, 0) != 1 ||
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, curve->point_nbytes) != 1 ||
        (value != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, value) != 1)) {
        goto done;
    }
    params = OSSL_PARAM_BLD_to_param(builder);
    if (params == NULL) {
        goto done;
    }
    rv = CKR_ATTRIBUTE_VALUE_INVALID; /* not on the curve */
    if (EVP_PKEY_fromdata_init(ctx) == 1 &&
        EVP_PKEY_fromdata(ctx, &key, value != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params) == 1) {
        *out = key;
        rv = CKR_OK;
    }
done:
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(ctx);
    return rv;
}

CK_RV ec_public_key(const struct curve *curve, const uint8_t *point, CK_ULONG nbytes, EVP_PKEY **out)
{
    const uint8_t *bare = curve_bare_point(curve, point, nbytes);

    return bare != NULL ? make_key(curve, bare, NULL, out) : CKR_ATTRIBUTE_VALUE_INVALID;
}

/* Compute the point that belongs to a private value. */
static CK_RV private_key(const struct curve *curve, const uint8_t *value, CK_ULONG nbytes, EVP_PKEY **out)
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(curve->nid);
    EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
    BIGNUM *number = BN_secure_new();
    uint8_t bytes[CURVE_POINT_MAX_NBYTES];
    CK_RV rv = CKR_HOST_MEMORY;

    if (point == NULL || number == NULL || nbytes > 2 * curve->value_nbytes ||
        BN_bin2bn(value, (int)nbytes, number) == NULL) {
        goto done;
    }
    BN_set_flags(number, BN_FLG_CONSTTIME);
    rv = CKR_ATTRIBUTE_VALUE_INVALID;
    if (BN_is_zero(number) || BN_cmp(number, EC_GROUP_get0_order(group)) >= 0) {
        goto done;
    }
    if (EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
        EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, bytes, sizeof bytes, NULL) ==
            curve->point_nbytes) {
        rv = make_key(curve, bytes, number, out);
    }
done:
    BN_clear_free(number);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return rv;
}

static CK_RV read_point(const struct curve *curve, EVP_PKEY *key, uint8_t out[CURVE_POINT_MAX_NBYTES])
{
    size_t nbytes = 0;

    return EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, out, CURVE_POINT_MAX_NBYTES,
                                           &nbytes) == 1 &&
                   nbytes == curve->point_nbytes
               ? CKR_OK
               : CKR_FUNCTION_FAILED;
}

static CK_RV set_public_key_info(const struct curve *curve, struct object *object)
{
    uint8_t point[CURVE_POINT_MAX_NBYTES];
    CK_RV rv = read_point(curve, object->key, point);

    return rv == CKR_OK ? curve_set_info(curve, object, point) : rv;
}

static CK_RV complete_public(struct object *object)
{
    const struct attribute *point = attribute_find(object, CKA_EC_POINT);
    const struct curve *curve = NULL;
    const uint8_t *found = NULL;
    uint8_t bare[CURVE_POINT_MAX_NBYTES];
    CK_RV rv = curve_of_object(object, &curve);

    if (rv == CKR_OK) {
        found = point != NULL ? curve_bare_point(curve, attribute_bytes(point), point->nbytes) : NULL;
        rv = found != NULL ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (rv != CKR_OK) {
        return rv;
    }
    memcpy(bare, found, curve->point_nbytes); /* setting attributes moves what it points to */
    if (object->key == NULL) {
        rv = make_key(curve, bare, NULL, &object->key);
    }
    if (rv == CKR_OK) {
        rv = curve_set_point(curve, object, bare);
    }
    return rv == CKR_OK ? curve_set_info(curve, object, bare) : rv;
}

static CK_RV complete_private(struct object *object)
{
    const struct attribute *value = attribute_find(object, CKA_VALUE);
    const struct curve *curve = NULL;
    uint8_t padded[CURVE_VALUE_MAX_NBYTES];
    BIGNUM *number = NULL;
    CK_RV rv = curve_of_object(object, &curve);

    if (rv != CKR_OK) {
        return rv;
    }
    if (value == NULL || value->nbytes == 0) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (object->key == NULL) {
        rv = private_key(curve, attribute_bytes(value), value->nbytes, &object->key);
    }
    if (rv == CKR_OK && value->nbytes != curve->value_nbytes) { /* with leading zeros removed or added */
        int nbytes = (int)curve->value_nbytes;

        number = BN_bin2bn(attribute_bytes(value), (int)value->nbytes, NULL);
        rv = number != NULL && BN_bn2binpad(number, padded, nbytes) == nbytes ? CKR_OK : CKR_HOST_MEMORY;
        if (rv == CKR_OK) {
            rv = attribute_set(object, CKA_VALUE, padded, curve->value_nbytes);
        }
        BN_clear_free(number);
        OPENSSL_cleanse(padded, sizeof padded);
    }
    return rv == CKR_OK ? set_public_key_info(curve, object) : rv;
}

static CK_RV generate(const struct object *public_object, EVP_PKEY **out)
{
    const struct curve *curve = NULL;
    CK_RV rv = curve_of_object(public_object, &curve);

    if (rv != CKR_OK) {
        return rv;
    }
    *out = EVP_EC_gen(curve->name);
    return *out != NULL ? CKR_OK : CKR_FUNCTION_FAILED;
}

static CK_RV export_public(const struct curve *curve, EVP_PKEY *key, struct object *object)
{
    uint8_t point[CURVE_POINT_MAX_NBYTES];
    CK_RV rv = read_point(curve, key, point);

    if (rv == CKR_OK) {
        rv = curve_set_point(curve, object, point);
    }
    return rv == CKR_OK ? make_key(curve, point, NULL, &object->key) : rv; /* without the private value */
}

static CK_RV export_private(const struct curve *curve, EVP_PKEY *key, struct object *object)
{
    uint8_t value[CURVE_VALUE_MAX_NBYTES];
    int nbytes = (int)curve->value_nbytes;
    BIGNUM *number = NULL;
    CK_RV rv = CKR_FUNCTION_FAILED;

    if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
        BN_bn2binpad(number, value, nbytes) == nbytes) {
        rv = attribute_set(object, CKA_VALUE, value, curve->value_nbytes);
    }
    if (rv == CKR_OK) {
        rv = attribute_set(object, CKA_EC_PARAMS, curve->params, curve->params_nbytes);
    }
    if (rv == CKR_OK && EVP_PKEY_up_ref(key) == 1) {
        object->key = key;
    }
    BN_clear_free(number);
    OPENSSL_cleanse(value, sizeof value);
    return rv;
}

static CK_RV export_key(EVP_PKEY *key, struct object *public_object, struct object *private_object)
{
    const struct curve *curve = curve_of_key(key);
    CK_RV rv = CKR_OK;

    if (!EVP_PKEY_is_a(key, "EC")) {
        return CKR_WRAPPED_KEY_INVALID;
    }
    if (curve == NULL) {
        return CKR_CURVE_NOT_SUPPORTED;
    }
    if (public_object != NULL) {
        rv = export_public(curve, key, public_object);
    }
    return rv == CKR_OK && private_object != NULL ? export_private(curve, key, private_object) : rv;
}

const struct pair_type pair_ec = {CKK_EC, curve_check, generate, export_key, complete_public, complete_private};

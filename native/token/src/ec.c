/* SPDX-License-Identifier: Apache-2.0
 *
 * ec.c - keys on P-256: conversion between the forms of PKCS #11 and of libcrypto.
 */
#include "objects.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>

#define CURVE "P-256"
#define TAG_OCTET_STRING 0x04
#define TAG_OID 0x06

/* 1.2.840.10045.3.1.7, in DER (SEC 2; RFC 5480, 2.1.1.1) */
static const uint8_t curve_oid[] = {TAG_OID, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};

CK_RV ec_check_params(const uint8_t *params, CK_ULONG nbytes)
{
    if (nbytes == sizeof curve_oid && memcmp(params, curve_oid, nbytes) == 0) {
        return CKR_OK;
    }
    return nbytes >= 3 && params[0] == TAG_OID && params[1] == nbytes - 2 ? CKR_CURVE_NOT_SUPPORTED
                                                                          : CKR_ATTRIBUTE_VALUE_INVALID;
}

/* Make a key of libcrypto from a point, a private value, or both. */
static CK_RV make_key(const uint8_t *point, const BIGNUM *value, EVP_PKEY **out)
{
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    CK_RV rv = CKR_HOST_MEMORY;

    if (builder == NULL || ctx == NULL ||
        OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, CURVE, 0) != 1 ||
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, EC_POINT_NBYTES) != 1 ||
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

/* Find the point itself in a value that may be an OCTET STRING. NULL if the value is neither. */
static const uint8_t *bare_point(const uint8_t *point, CK_ULONG nbytes)
{
    if (nbytes == EC_POINT_NBYTES + 2 && point[0] == TAG_OCTET_STRING && point[1] == EC_POINT_NBYTES) {
        point += 2;
        nbytes -= 2;
    }
    return nbytes == EC_POINT_NBYTES && point[0] == POINT_CONVERSION_UNCOMPRESSED ? point : NULL;
}

CK_RV ec_public_key(const uint8_t *point, CK_ULONG nbytes, EVP_PKEY **out)
{
    const uint8_t *bare = bare_point(point, nbytes);

    return bare != NULL ? make_key(bare, NULL, out) : CKR_ATTRIBUTE_VALUE_INVALID;
}

/* Compute the point that belongs to a private value. */
static CK_RV private_key(const uint8_t *value, CK_ULONG nbytes, EVP_PKEY **out)
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *point = group != NULL ? EC_POINT_new(group) : NULL;
    BIGNUM *number = BN_secure_new();
    uint8_t bytes[EC_POINT_NBYTES];
    CK_RV rv = CKR_HOST_MEMORY;

    if (point == NULL || number == NULL || nbytes > 2 * EC_VALUE_NBYTES ||
        BN_bin2bn(value, (int)nbytes, number) == NULL) {
        goto done;
    }
    BN_set_flags(number, BN_FLG_CONSTTIME);
    rv = CKR_ATTRIBUTE_VALUE_INVALID;
    if (BN_is_zero(number) || BN_cmp(number, EC_GROUP_get0_order(group)) >= 0) {
        goto done;
    }
    if (EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
        EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, bytes, sizeof bytes, NULL) == sizeof bytes) {
        rv = make_key(bytes, number, out);
    }
done:
    BN_clear_free(number);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return rv;
}

/* SubjectPublicKeyInfo, which for one curve differs only in the point (RFC 5480, 2). */
static CK_RV set_public_key_info(struct object *object)
{
    static const uint8_t head[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
                                   0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
    uint8_t der[sizeof head + EC_POINT_NBYTES];
    size_t nbytes = 0;

    memcpy(der, head, sizeof head);
    if (EVP_PKEY_get_octet_string_param(object->key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, der + sizeof head,
                                        EC_POINT_NBYTES, &nbytes) != 1 ||
        nbytes != EC_POINT_NBYTES) {
        return CKR_FUNCTION_FAILED;
    }
    return attribute_set(object, CKA_PUBLIC_KEY_INFO, der, sizeof der);
}

static CK_RV set_point(struct object *object, const uint8_t *point)
{
    uint8_t der[EC_POINT_NBYTES + 2] = {TAG_OCTET_STRING, EC_POINT_NBYTES};

    memcpy(der + 2, point, EC_POINT_NBYTES);
    return attribute_set(object, CKA_EC_POINT, der, sizeof der);
}

static CK_RV check_object_params(const struct object *object)
{
    const struct attribute *params = attribute_find(object, CKA_EC_PARAMS);

    return params != NULL ? ec_check_params(attribute_bytes(params), params->nbytes) : CKR_TEMPLATE_INCOMPLETE;
}

CK_RV ec_complete_public(struct object *object)
{
    const struct attribute *point = attribute_find(object, CKA_EC_POINT);
    const uint8_t *found = point != NULL ? bare_point(attribute_bytes(point), point->nbytes) : NULL;
    uint8_t bare[EC_POINT_NBYTES];
    CK_RV rv = check_object_params(object);

    if (rv == CKR_OK && found == NULL) {
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (rv != CKR_OK) {
        return rv;
    }
    memcpy(bare, found, sizeof bare); /* setting attributes moves what it points to */
    if (object->key == NULL) {
        rv = make_key(bare, NULL, &object->key);
    }
    if (rv == CKR_OK) {
        rv = set_point(object, bare);
    }
    return rv == CKR_OK ? set_public_key_info(object) : rv;
}

CK_RV ec_complete_private(struct object *object)
{
    const struct attribute *value = attribute_find(object, CKA_VALUE);
    uint8_t padded[EC_VALUE_NBYTES];
    BIGNUM *number = NULL;
    CK_RV rv = check_object_params(object);

    if (rv != CKR_OK) {
        return rv;
    }
    if (value == NULL || value->nbytes == 0) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (object->key == NULL) {
        rv = private_key(attribute_bytes(value), value->nbytes, &object->key);
    }
    if (rv == CKR_OK && value->nbytes != EC_VALUE_NBYTES) { /* with leading zeros removed or added */
        number = BN_bin2bn(attribute_bytes(value), (int)value->nbytes, NULL);
        rv = number != NULL && BN_bn2binpad(number, padded, sizeof padded) == sizeof padded ? CKR_OK : CKR_HOST_MEMORY;
        if (rv == CKR_OK) {
            rv = attribute_set(object, CKA_VALUE, padded, sizeof padded);
        }
        BN_clear_free(number);
        OPENSSL_cleanse(padded, sizeof padded);
    }
    return rv == CKR_OK ? set_public_key_info(object) : rv;
}

CK_RV ec_generate(EVP_PKEY **out)
{
    *out = EVP_EC_gen(CURVE);
    return *out != NULL ? CKR_OK : CKR_FUNCTION_FAILED;
}

CK_RV ec_export(EVP_PKEY *key, struct object *public_object, struct object *private_object)
{
    uint8_t point[EC_POINT_NBYTES];
    uint8_t value[EC_VALUE_NBYTES];
    size_t point_nbytes = 0;
    BIGNUM *number = NULL;
    CK_RV rv = CKR_FUNCTION_FAILED;

    if (public_object != NULL) {
        if (EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, point, sizeof point,
                                            &point_nbytes) != 1 ||
            point_nbytes != sizeof point) {
            return CKR_FUNCTION_FAILED;
        }
        rv = set_point(public_object, point);
        if (rv == CKR_OK) { /* the public key gets a key of libcrypto without the private value */
            rv = make_key(point, NULL, &public_object->key);
        }
        if (rv != CKR_OK) {
            return rv;
        }
    }
    if (private_object != NULL) {
        if (EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 &&
            BN_bn2binpad(number, value, sizeof value) == sizeof value) {
            rv = attribute_set(private_object, CKA_VALUE, value, sizeof value);
        }
        if (rv == CKR_OK) {
            rv = attribute_set(private_object, CKA_EC_PARAMS, curve_oid, sizeof curve_oid);
        }
        if (rv == CKR_OK && EVP_PKEY_up_ref(key) == 1) {
            private_object->key = key;
        }
        BN_clear_free(number);
        OPENSSL_cleanse(value, sizeof value);
    }
    return rv;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * rsa_keys.c - RSA keys: conversion between the forms of PKCS #11 and of libcrypto. Numbers have no leading zeros. A private
 * key has all eight numbers.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "pairs.h"
#include "rsa.h"

#define PUBLIC_PARTS 2
#define PARTS 8
#define EXPONENT_MAX_BITS 64 /* libcrypto's limit for moduli of more than 3072 bits */

static const uint8_t default_exponent[] = {1, 0, 1}; /* 65537: PKCS #11, "PKCS #1 RSA key pair generation" */

static const struct {
    CK_ATTRIBUTE_TYPE type;
    const char *name;
} parts[PARTS] = {
    {CKA_MODULUS, OSSL_PKEY_PARAM_RSA_N},
    {CKA_PUBLIC_EXPONENT, OSSL_PKEY_PARAM_RSA_E},
    {CKA_PRIVATE_EXPONENT, OSSL_PKEY_PARAM_RSA_D},
    {CKA_PRIME_1, OSSL_PKEY_PARAM_RSA_FACTOR1},
    {CKA_PRIME_2, OSSL_PKEY_PARAM_RSA_FACTOR2},
    {CKA_EXPONENT_1, OSSL_PKEY_PARAM_RSA_EXPONENT1},
    {CKA_EXPONENT_2, OSSL_PKEY_PARAM_RSA_EXPONENT2},
    {CKA_COEFFICIENT, OSSL_PKEY_PARAM_RSA_COEFFICIENT1},
};

/* Remove leading zeros. */
static CK_RV trim(struct object *object, CK_ATTRIBUTE_TYPE type)
{
    const struct attribute *attribute = attribute_find(object, type);
    const uint8_t *bytes = attribute != NULL ? attribute_bytes(attribute) : NULL;
    CK_ULONG nbytes = attribute != NULL ? attribute->nbytes : 0;

    while (nbytes > 0 && *bytes == 0) {
        bytes++;
        nbytes--;
    }
    if (nbytes == 0 || nbytes > RSA_MAX_NBYTES) {
        return CKR_ATTRIBUTE_VALUE_INVALID;
    }
    return nbytes < attribute->nbytes ? attribute_set(object, type, bytes, nbytes) : CKR_OK;
}

static BIGNUM *number_of(const struct object *object, CK_ATTRIBUTE_TYPE type)
{
    const struct attribute *attribute = attribute_find(object, type);
    BIGNUM *number = BN_secure_new();

    if (number != NULL && BN_bin2bn(attribute_bytes(attribute), (int)attribute->nbytes, number) == NULL) {
        BN_clear_free(number);
        number = NULL;
    }
    return number;
}

static bool exponent_fits(const BIGNUM *exponent)
{
    return BN_is_odd(exponent) && !BN_is_one(exponent) && BN_num_bits(exponent) <= EXPONENT_MAX_BITS;
}

static bool modulus_fits(const BIGNUM *modulus)
{
    return BN_is_odd(modulus) && BN_num_bits(modulus) >= RSA_MIN_BITS && BN_num_bits(modulus) <= RSA_MAX_BITS;
}

static CK_RV key_from(OSSL_PARAM_BLD *builder, int selection, EVP_PKEY **out)
{
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    CK_RV rv = params != NULL && ctx != NULL ? CKR_OK : CKR_HOST_MEMORY;

    if (rv == CKR_OK && (EVP_PKEY_fromdata_init(ctx) != 1 || EVP_PKEY_fromdata(ctx, out, selection, params) != 1)) {
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    return rv;
}

/* Make libcrypto's key from the first parts of an object. */
static CK_RV make_key(struct object *object, size_t count)
{
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *numbers[PARTS] = {NULL};
    CK_RV rv = builder != NULL ? CKR_OK : CKR_HOST_MEMORY;

    for (size_t i = 0; i < count && rv == CKR_OK; i++) {
        rv = trim(object, parts[i].type);
        numbers[i] = rv == CKR_OK ? number_of(object, parts[i].type) : NULL;
        if (rv == CKR_OK && (numbers[i] == NULL || OSSL_PARAM_BLD_push_BN(builder, parts[i].name, numbers[i]) != 1)) {
            rv = CKR_HOST_MEMORY;
        }
    }
    if (rv == CKR_OK && (!modulus_fits(numbers[0]) || !exponent_fits(numbers[1]))) {
        rv = CKR_ATTRIBUTE_VALUE_INVALID;
    }
    if (rv == CKR_OK) {
        rv = key_from(builder, count > PUBLIC_PARTS ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, &object->key);
    }
    for (size_t i = 0; i < PARTS; i++) {
        BN_clear_free(numbers[i]);
    }
    OSSL_PARAM_BLD_free(builder);
    return rv;
}

static CK_RV set_public_key_info(struct object *object)
{
    uint8_t *der = NULL;
    int nbytes = i2d_PUBKEY(object->key, &der);
    CK_RV rv = nbytes > 0 ? attribute_set(object, CKA_PUBLIC_KEY_INFO, der, (CK_ULONG)nbytes) : CKR_FUNCTION_FAILED;

    OPENSSL_free(der);
    return rv;
}

static CK_RV complete_public(struct object *object)
{
    CK_RV rv = object->key == NULL ? make_key(object, PUBLIC_PARTS) : CKR_OK;

    if (rv == CKR_OK) {
        rv = attribute_set_ulong(object, CKA_MODULUS_BITS, (CK_ULONG)EVP_PKEY_get_bits(object->key));
    }
    return rv == CKR_OK ? set_public_key_info(object) : rv;
}

static CK_RV complete_private(struct object *object)
{
    CK_RV rv = object->key == NULL ? make_key(object, PARTS) : CKR_OK;

    return rv == CKR_OK ? set_public_key_info(object) : rv;
}

/* The exponent that the template asks for. */
static BIGNUM *wanted_exponent(const struct object *public_object)
{
    return attribute_find(public_object, CKA_PUBLIC_EXPONENT) != NULL
               ? number_of(public_object, CKA_PUBLIC_EXPONENT)
               : BN_bin2bn(default_exponent, sizeof default_exponent, NULL);
}

static CK_RV check(const struct object *public_object)
{
    const struct attribute *exponent = attribute_find(public_object, CKA_PUBLIC_EXPONENT);
    CK_ULONG bits = attribute_ulong(public_object, CKA_MODULUS_BITS);
    BIGNUM *number = NULL;
    bool fits = bits >= RSA_MIN_BITS && bits <= RSA_MAX_BITS;

    if (attribute_find(public_object, CKA_MODULUS_BITS) == NULL) {
        return CKR_TEMPLATE_INCOMPLETE;
    }
    fits = fits && (exponent == NULL || exponent->nbytes <= RSA_MAX_NBYTES);
    number = fits ? wanted_exponent(public_object) : NULL;
    fits = number != NULL && exponent_fits(number);
    BN_free(number);
    return fits ? CKR_OK : CKR_ATTRIBUTE_VALUE_INVALID;
}

static CK_RV generate(const struct object *public_object, EVP_PKEY **out)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    BIGNUM *exponent = wanted_exponent(public_object);
    int bits = (int)attribute_ulong(public_object, CKA_MODULUS_BITS);
    bool is_done = ctx != NULL && exponent != NULL && EVP_PKEY_keygen_init(ctx) == 1 &&
                   EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, bits) == 1 &&
                   EVP_PKEY_CTX_set1_rsa_keygen_pubexp(ctx, exponent) == 1 && EVP_PKEY_generate(ctx, out) == 1;

    BN_free(exponent);
    EVP_PKEY_CTX_free(ctx);
    return is_done ? CKR_OK : CKR_FUNCTION_FAILED;
}

/* Set an attribute to a number of libcrypto's key. */
static CK_RV export_part(EVP_PKEY *key, size_t part, struct object *object)
{
    uint8_t bytes[RSA_MAX_NBYTES];
    BIGNUM *number = NULL;
    CK_RV rv = CKR_WRAPPED_KEY_INVALID;

    if (EVP_PKEY_get_bn_param(key, parts[part].name, &number) == 1 && BN_num_bytes(number) <= RSA_MAX_NBYTES) {
        rv = attribute_set(object, parts[part].type, bytes, (CK_ULONG)BN_bn2bin(number, bytes));
    }
    BN_clear_free(number);
    OPENSSL_cleanse(bytes, sizeof bytes);
    return rv;
}

static CK_RV export_key(EVP_PKEY *key, struct object *public_object, struct object *private_object)
{
    BIGNUM *third = NULL;
    bool has_more = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_FACTOR3, &third) == 1;
    CK_RV rv = EVP_PKEY_is_a(key, "RSA") && !has_more ? CKR_OK : CKR_WRAPPED_KEY_INVALID; /* PKCS #11 has two primes */

    BN_clear_free(third);
    for (size_t i = 0; public_object != NULL && i < PUBLIC_PARTS && rv == CKR_OK; i++) {
        rv = export_part(key, i, public_object);
    }
    for (size_t i = 0; private_object != NULL && i < PARTS && rv == CKR_OK; i++) {
        rv = export_part(key, i, private_object);
    }
    return rv;
}

const struct pair_type pair_rsa = {CKK_RSA, check, generate, export_key, complete_public, complete_private};

/* SPDX-License-Identifier: Apache-2.0
 *
 * pkcs8.c - writes and reads private keys as PKCS #8, by libcrypto.
 */
#include "pkcs8.h"

#include <openssl/x509.h>

#include "pairs.h"

CK_RV pkcs8_export(const struct object *key, struct secret *out)
{
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key->key);
    int nbytes = info != NULL ? i2d_PKCS8_PRIV_KEY_INFO(info, &out->data) : 0;

    PKCS8_PRIV_KEY_INFO_free(info);
    out->nbytes = nbytes > 0 ? (CK_ULONG)nbytes : 0;
    out->capacity = out->nbytes;
    return out->nbytes > 0 ? CKR_OK : CKR_FUNCTION_FAILED;
}

CK_RV pkcs8_import(struct object *object, const struct secret *plain)
{
    const uint8_t *next = plain->data;
    PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &next, (long)plain->nbytes);
    EVP_PKEY *key = info != NULL && next == plain->data + plain->nbytes ? EVP_PKCS82PKEY(info) : NULL;
    CK_RV rv = CKR_WRAPPED_KEY_INVALID;

    if (key != NULL) {
        rv = pair_type(object->key_type)->export_key(key, NULL, object);
    }
    if (rv == CKR_OK && !pair_matches(key)) {
        rv = CKR_WRAPPED_KEY_INVALID;
    }
    EVP_PKEY_free(key);
    PKCS8_PRIV_KEY_INFO_free(info);
    return rv;
}

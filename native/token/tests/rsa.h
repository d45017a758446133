/* SPDX-License-Identifier: Apache-2.0
 *
 * rsa.h - RSA keys that tests of the token share.
 */
#ifndef TOKEN_TESTS_RSA_H
#define TOKEN_TESTS_RSA_H

#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "token.h"

#define RSA_NBYTES 256

static CK_ULONG rsa_bits = 2048;

/** Generate a pair with 2048 bits, and up to eight more attributes in the template of each. */
static inline CK_RV rsa_pair_with(CK_SESSION_HANDLE session, CK_ATTRIBUTE *public_flags, CK_ULONG public_count,
                                  CK_ATTRIBUTE *private_flags, CK_ULONG private_count, CK_OBJECT_HANDLE *out_public,
                                  CK_OBJECT_HANDLE *out_private)
{
    CK_MECHANISM generate = {CKM_RSA_PKCS_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE public_template[10] = {{CKA_MODULUS_BITS, &rsa_bits, sizeof rsa_bits}};

    for (CK_ULONG i = 0; i < public_count; i++) {
        public_template[1 + i] = public_flags[i];
    }
    return p11->C_GenerateKeyPair(session, &generate, public_template, public_count + 1, private_flags, private_count,
                                  out_public, out_private);
}

/** libcrypto's key of a public object. */
static inline EVP_PKEY *public_key_of(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key)
{
    CK_BYTE info[700];
    CK_ATTRIBUTE attribute = {CKA_PUBLIC_KEY_INFO, info, sizeof info};
    const unsigned char *next = info;
    EVP_PKEY *out = NULL;

    OK(p11->C_GetAttributeValue(session, key, &attribute, 1));
    out = d2i_PUBKEY(NULL, &next, (long)attribute.ulValueLen);
    CHECK(out != NULL);
    return out;
}

#endif

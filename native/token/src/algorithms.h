/* SPDX-License-Identifier: Apache-2.0
 *
 * algorithms.h - the algorithms that C_Initialize fetches from libcrypto, once.
 */
#ifndef TOKEN_ALGORITHMS_H
#define TOKEN_ALGORITHMS_H

#include <stdbool.h>

#include <openssl/evp.h>

enum digest_id {
    DIGEST_MD5, /* for programs that expect it; never in PSS or OAEP */
    DIGEST_SHA1,
    DIGEST_SHA224,
    DIGEST_SHA256,
    DIGEST_SHA384,
    DIGEST_SHA512,
    DIGEST_SHA3_224,
    DIGEST_SHA3_256,
    DIGEST_SHA3_384,
    DIGEST_SHA3_512,
    DIGESTS,
    DIGEST_NONE = DIGESTS
};

enum cipher_mode { MODE_ECB, MODE_CBC, MODE_CTR, MODE_GCM, MODE_WRAP, MODE_WRAP_PAD, MODES, MODE_NONE = MODES };

/** A member is NULL if this libcrypto, as it is configured, does not offer the algorithm. */
struct algorithms {
    EVP_MD *digests[DIGESTS];
    EVP_CIPHER *aes[MODES][3]; /* 128, 192, 256 bits */
    EVP_MAC *hmac;
    EVP_KDF *x963;
};

extern struct algorithms algorithms;

void algorithms_fetch(void);
void algorithms_free(void);

/** libcrypto's name of a digest. */
const char *digest_name(enum digest_id id);

/** The cipher for a key of that many bytes; NULL if there is none. */
const EVP_CIPHER *aes_cipher(enum cipher_mode mode, size_t key_nbytes);

#endif

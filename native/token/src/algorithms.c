/* SPDX-License-Identifier: Apache-2.0
 *
 * algorithms.c - fetches the algorithms of libcrypto once, since a fetch takes longer than to digest a short message.
 */
#include "algorithms.h"

#include <string.h>

#include <openssl/kdf.h>

struct algorithms algorithms;

static const char *const digest_names[DIGESTS] = {"MD5",      "SHA1",     "SHA2-224", "SHA2-256", "SHA2-384",
                                                  "SHA2-512", "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"};

static const char *const aes_names[MODES][3] = {
    [MODE_ECB] = {"AES-128-ECB", "AES-192-ECB", "AES-256-ECB"},
    [MODE_CBC] = {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC"},
    [MODE_CTR] = {"AES-128-CTR", "AES-192-CTR", "AES-256-CTR"},
    [MODE_GCM] = {"AES-128-GCM", "AES-192-GCM", "AES-256-GCM"},
    [MODE_WRAP] = {"AES-128-WRAP", "AES-192-WRAP", "AES-256-WRAP"},
    [MODE_WRAP_PAD] = {"AES-128-WRAP-PAD", "AES-192-WRAP-PAD", "AES-256-WRAP-PAD"},
};

/* A child of fork() uses what its parent has fetched. */
void algorithms_fetch(void)
{
    for (int id = 0; id < DIGESTS; id++) {
        if (algorithms.digests[id] == NULL) {
            algorithms.digests[id] = EVP_MD_fetch(NULL, digest_names[id], NULL);
        }
    }
    for (int mode = 0; mode < MODES; mode++) {
        for (int size = 0; size < 3; size++) {
            if (algorithms.aes[mode][size] == NULL) {
                algorithms.aes[mode][size] = EVP_CIPHER_fetch(NULL, aes_names[mode][size], NULL);
            }
        }
    }
    if (algorithms.hmac == NULL) {
        algorithms.hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    }
    if (algorithms.x963 == NULL) {
        algorithms.x963 = EVP_KDF_fetch(NULL, "X963KDF", NULL);
    }
}

void algorithms_free(void)
{
    for (int id = 0; id < DIGESTS; id++) {
        EVP_MD_free(algorithms.digests[id]);
    }
    for (int mode = 0; mode < MODES; mode++) {
        for (int size = 0; size < 3; size++) {
            EVP_CIPHER_free(algorithms.aes[mode][size]);
        }
    }
    EVP_MAC_free(algorithms.hmac);
    EVP_KDF_free(algorithms.x963);
    memset(&algorithms, 0, sizeof algorithms);
}

const char *digest_name(enum digest_id id)
{
    return digest_names[id];
}

const EVP_CIPHER *aes_cipher(enum cipher_mode mode, size_t key_nbytes)
{
    if (mode >= MODES || (key_nbytes != 16 && key_nbytes != 24 && key_nbytes != 32)) {
        return NULL;
    }
    return algorithms.aes[mode][key_nbytes / 8 - 2];
}

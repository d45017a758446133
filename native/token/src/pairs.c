/* SPDX-License-Identifier: Apache-2.0
 *
 * pairs.c - the types of pairs.
 */
#include "pairs.h"

const struct pair_type *pair_type(CK_KEY_TYPE key_type)
{
    static const struct pair_type *const types[] = {&pair_rsa, &pair_ec, &pair_edwards};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i]->key_type == key_type) {
            return types[i];
        }
    }
    return NULL;
}

bool pair_matches(EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    bool matches = ctx != NULL && EVP_PKEY_check(ctx) == 1;

    EVP_PKEY_CTX_free(ctx);
    return matches;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: keys from the generator whose output anybody can ask for by C_GenerateRandom, so that a weakness of it would
 * disclose the keys, too.
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "token.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

/* The module calls these functions of the program in place of those of libcrypto. */
static int public_nbytes;
static int private_nbytes;

static int call_next(const char *name, unsigned char *out, int nbytes)
{
    int (*next)(unsigned char *, int) = NULL;

    token_symbol(RTLD_NEXT, name, &next);
    return next(out, nbytes);
}

__attribute__((visibility("default"))) int RAND_bytes(unsigned char *out, int nbytes)
{
    public_nbytes += nbytes;
    return call_next("RAND_bytes", out, nbytes);
}

__attribute__((visibility("default"))) int RAND_priv_bytes(unsigned char *out, int nbytes)
{
    private_nbytes += nbytes;
    return call_next("RAND_priv_bytes", out, nbytes);
}

int main(void)
{
    CK_MECHANISM generate = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ULONG nbytes = 32;
    CK_ATTRIBUTE template[] = {{CKA_VALUE_LEN, &nbytes, sizeof nbytes}};
    CK_OBJECT_HANDLE key = 0;
    CK_SESSION_HANDLE session = 0;
    CK_BYTE out[100];
    int before = 0;

#ifdef __APPLE__
    return CHECK_SKIPPED; /* a library's calls cannot be replaced by the program there */
#endif
    CHECK(OpenSSL_version_num() != 0); /* so that the program is linked with libcrypto */
    token_start();
    session = user_session();
    public_nbytes = private_nbytes = 0;
    OK(p11->C_GenerateRandom(session, out, sizeof out));
    CHECK(public_nbytes == 100 && private_nbytes == 0);
    before = public_nbytes;
    OK(p11->C_GenerateKey(session, &generate, template, 1, &key));
    CHECK_EQ(private_nbytes, 32);
    CHECK(public_nbytes - before < 32); /* what is left is the object's CKA_UNIQUE_ID */
    OK(p11->C_Finalize(NULL));
    return 0;
}

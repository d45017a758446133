/* SPDX-License-Identifier: Apache-2.0
 *
 * attacks.h - what the attacks on sensitive keys share, and the run of a program's attacks under both policies for keys.
 *
 * Each attack is one of the literature, by a program that has logged in as the user, and stands for a host that was taken
 * over. Under the policy "standard" each succeeds: that proves the attack right. Under the policy "safe" one of its calls
 * is refused, with the return value beside the attack.
 *
 *   Clulow 2003     J. Clulow, "On the Security of PKCS #11", CHES 2003
 *   DKS 2008        S. Delaune, S. Kremer, G. Steel, "Formal Analysis of PKCS#11", CSF 2008
 *   Tookan 2010     M. Bortolozzo, M. Centenaro, R. Focardi, G. Steel, "Attacking and Fixing PKCS#11 Security Tokens",
 *                   CCS 2010
 *   Bardou 2012     R. Bardou, R. Focardi, Y. Kawamoto, L. Simionato, G. Steel, J.-K. Tsay, "Efficient Padding Oracle
 *                   Attacks on Cryptographic Hardware", CRYPTO 2012
 */
#ifndef TOKEN_TESTS_ATTACKS_H
#define TOKEN_TESTS_ATTACKS_H

#include <openssl/evp.h>

#include "token.h"

#define KEY_NBYTES 16
#define BLOCK_NBYTES 16

static CK_SESSION_HANDLE session;
static CK_BYTE iv[BLOCK_NBYTES] = {7};
static CK_BYTE known[KEY_NBYTES] = "a key I know 16b";
static CK_OBJECT_CLASS secret_class = CKO_SECRET_KEY;
static CK_KEY_TYPE aes = CKK_AES;
static CK_ULONG key_nbytes = KEY_NBYTES;
static CK_MECHANISM kwp = {CKM_AES_KEY_WRAP_KWP, NULL, 0};
static CK_MECHANISM pad = {CKM_AES_CBC_PAD, iv, sizeof iv};
static CK_MECHANISM ecb = {CKM_AES_ECB, NULL, 0};
static CK_MECHANISM aes_gen = {CKM_AES_KEY_GEN, NULL, 0};

/* Return the first error of an attack, which is where it was stopped. */
#define TRY(call) \
    do { \
        CK_RV try_rv = (call); \
        if (try_rv != CKR_OK) { \
            return try_rv; \
        } \
    } while (0)

/* ---- what attackers do
 * ----------------------------------------------------------------------------------------------- */

/* The key to be stolen: sensitive, and extractable so that it can be backed up by wrapping. */
static CK_OBJECT_HANDLE target;

static inline CK_RV generate(CK_ATTRIBUTE *flags, CK_ULONG count, CK_OBJECT_HANDLE *out)
{
    CK_ATTRIBUTE template[8] = {{CKA_VALUE_LEN, &key_nbytes, sizeof key_nbytes}};

    for (CK_ULONG i = 0; i < count; i++) {
        template[1 + i] = flags[i];
    }
    return p11->C_GenerateKey(session, &aes_gen, template, count + 1, out);
}

/* Make the key to be stolen. */
static inline void make_target(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_SENSITIVE, &yes, 1}, {CKA_EXTRACTABLE, &yes, 1}};

    OK(generate(flags, 2, &target));
}

/* Whether these bytes are the value of the target: they give the same ciphertext. */
static inline bool is_target(const CK_BYTE *value)
{
    CK_BYTE zeros[BLOCK_NBYTES] = {0};
    CK_BYTE expected[BLOCK_NBYTES];
    CK_BYTE got[2 * BLOCK_NBYTES];
    CK_ULONG nbytes = sizeof expected;
    int got_nbytes = 0;
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    CHECK(ctx != NULL);
    OK(p11->C_EncryptInit(session, &ecb, target));
    OK(p11->C_Encrypt(session, zeros, sizeof zeros, expected, &nbytes));
    CHECK_EQ(EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, value, NULL), 1);
    CHECK_EQ(EVP_EncryptUpdate(ctx, got, &got_nbytes, zeros, sizeof zeros), 1);
    EVP_CIPHER_CTX_free(ctx);
    return memcmp(expected, got, sizeof expected) == 0;
}

/* Unwrap by RFC 5649 with a key that the attacker knows, without the token. */
static inline void unwrap_offline(const CK_BYTE *key, const CK_BYTE *wrapped, CK_ULONG nbytes, CK_BYTE *out)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int out_nbytes = 0;

    CHECK(ctx != NULL);
    EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    CHECK_EQ(EVP_DecryptInit_ex(ctx, EVP_aes_128_wrap_pad(), NULL, key, NULL), 1);
    CHECK_EQ(EVP_DecryptUpdate(ctx, out, &out_nbytes, wrapped, (int)nbytes), 1);
    CHECK_EQ(out_nbytes, KEY_NBYTES);
    EVP_CIPHER_CTX_free(ctx);
}

/* Wrap by CBC with padding, without the token. */
static inline void wrap_offline(const CK_BYTE *key, const CK_BYTE *value, CK_BYTE out[2 * BLOCK_NBYTES])
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int first = 0;
    int last = 0;

    CHECK(ctx != NULL);
    CHECK_EQ(EVP_EncryptInit_ex(ctx, EVP_aes_128_cbc(), NULL, key, iv), 1);
    CHECK_EQ(EVP_EncryptUpdate(ctx, out, &first, value, KEY_NBYTES), 1);
    CHECK_EQ(EVP_EncryptFinal_ex(ctx, out + first, &last), 1);
    CHECK_EQ(first + last, 2 * BLOCK_NBYTES);
    EVP_CIPHER_CTX_free(ctx);
}

static inline CK_RV unwrap(CK_OBJECT_HANDLE key, CK_MECHANISM *mechanism, CK_BYTE *wrapped, CK_ULONG nbytes,
                           CK_ATTRIBUTE *flags, CK_ULONG count, CK_OBJECT_HANDLE *out)
{
    CK_ATTRIBUTE template[8] = {{CKA_CLASS, &secret_class, sizeof secret_class}, {CKA_KEY_TYPE, &aes, sizeof aes}};

    for (CK_ULONG i = 0; i < count; i++) {
        template[2 + i] = flags[i];
    }
    return p11->C_UnwrapKey(session, mechanism, key, wrapped, nbytes, template, count + 2, out);
}

/* Wrap the target by CBC, and decrypt the result as if it were data. */
static inline CK_RV wrap_and_decrypt(CK_OBJECT_HANDLE wrapping, CK_OBJECT_HANDLE decrypting)
{
    CK_BYTE wrapped[64];
    CK_BYTE value[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_ULONG value_nbytes = sizeof value;

    TRY(p11->C_WrapKey(session, &pad, wrapping, target, wrapped, &nbytes));
    TRY(p11->C_DecryptInit(session, &pad, decrypting));
    TRY(p11->C_Decrypt(session, wrapped, nbytes, value, &value_nbytes));
    CHECK_EQ(value_nbytes, KEY_NBYTES);
    CHECK(is_target(value));
    return CKR_OK;
}

/* The same by RFC 5649, which the attacker undoes with the block cipher: RFC 3394, 2.2.2, for two blocks of eight bytes. */
static inline CK_RV wrap_and_undo(CK_OBJECT_HANDLE wrapping, CK_OBJECT_HANDLE decrypting)
{
    CK_BYTE wrapped[64];
    CK_ULONG nbytes = sizeof wrapped;

    TRY(p11->C_WrapKey(session, &kwp, wrapping, target, wrapped, &nbytes));
    CHECK_EQ(nbytes, KEY_NBYTES + 8);
    for (int step = 11; step >= 0; step--) {
        CK_BYTE block[BLOCK_NBYTES];
        CK_ULONG block_nbytes = sizeof block;
        CK_BYTE *half = wrapped + 8 + step % 2 * 8;

        memcpy(block, wrapped, 8);
        block[7] ^= (CK_BYTE)(step + 1);
        memcpy(block + 8, half, 8);
        TRY(p11->C_DecryptInit(session, &ecb, decrypting));
        TRY(p11->C_Decrypt(session, block, sizeof block, block, &block_nbytes));
        memcpy(wrapped, block, 8);
        memcpy(half, block + 8, 8);
    }
    CHECK(is_target(wrapped + 8));
    return CKR_OK;
}

/* Wrap the target with a key that has the known value. */
static inline CK_RV wrap_with_known(CK_OBJECT_HANDLE wrapping)
{
    CK_BYTE wrapped[64];
    CK_BYTE value[64];
    CK_ULONG nbytes = sizeof wrapped;

    TRY(p11->C_WrapKey(session, &kwp, wrapping, target, wrapped, &nbytes));
    unwrap_offline(known, wrapped, nbytes, value);
    CHECK(is_target(value));
    return CKR_OK;
}

static inline CK_RV derive(CK_OBJECT_HANDLE base, CK_BYTE *point, CK_KEY_TYPE key_type, CK_ULONG nbytes,
                           CK_ATTRIBUTE *flags, CK_ULONG count, CK_OBJECT_HANDLE *out)
{
    CK_ECDH1_DERIVE_PARAMS params = {CKD_NULL, 0, NULL, 67, point};
    CK_MECHANISM ecdh = {CKM_ECDH1_DERIVE, &params, sizeof params};
    CK_ATTRIBUTE template[8] = {{CKA_KEY_TYPE, &key_type, sizeof key_type}, {CKA_VALUE_LEN, &nbytes, sizeof nbytes}};

    for (CK_ULONG i = 0; i < count; i++) {
        template[2 + i] = flags[i];
    }
    return p11->C_DeriveKey(session, &ecdh, base, template, count + 2, out);
}

/* Generate a pair, and read its point. */
static inline void pair(CK_ATTRIBUTE *flags, CK_ULONG count, CK_OBJECT_HANDLE *out_private, CK_BYTE out_point[67])
{
    CK_MECHANISM gen = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_ATTRIBUTE public_template[] = {{CKA_EC_PARAMS, p256, sizeof p256}};
    CK_ATTRIBUTE point = {CKA_EC_POINT, out_point, 67};
    CK_ATTRIBUTE template[8] = {{CKA_DERIVE, &yes, 1}};
    CK_OBJECT_HANDLE public_key = 0;

    for (CK_ULONG i = 0; i < count; i++) {
        template[1 + i] = flags[i];
    }
    OK(p11->C_GenerateKeyPair(session, &gen, public_template, 1, template, count + 1, &public_key, out_private));
    OK(p11->C_GetAttributeValue(session, public_key, &point, 1));
}

/* ---- both policies
 * ---------------------------------------------------------------------------------------------------- */

struct attack {
    const char *name;
    CK_RV (*run)(void);
    CK_RV safe; /* the return value of the call that the policy "safe" refuses */
};

/* Run all attacks under one policy. Returns the number of those that ended unexpectedly. */
static inline int attacks_under(const char *policy, bool is_safe, const struct attack *attacks, size_t count)
{
    int wrong = 0;

    CHECK_EQ(setenv("CSIDE_TOKEN_POLICY", policy, 1), 0);
    OK(p11->C_Initialize(NULL));
    session = user_session();
    for (size_t i = 0; i < count; i++) {
        CK_RV expected = is_safe ? attacks[i].safe : CKR_OK;
        CK_RV rv = CKR_OK;

        make_target();
        rv = attacks[i].run();
        if (rv != expected) {
            fprintf(stderr, "policy \"%s\": %s: %#lx, not %#lx\n", policy, attacks[i].name, rv, expected);
            wrong++;
        }
    }
    OK(p11->C_Finalize(NULL));
    return wrong;
}

static inline void attacks_run(const struct attack *attacks, size_t count)
{
    int wrong = 0;

    CHECK_EQ(setenv("CSIDE_TOKEN_PRESET", "test:" SO_PIN ":" USER_PIN, 1), 0);
    token_load();
    wrong += attacks_under("standard", false, attacks, count);
    wrong += attacks_under("safe", true, attacks, count);
    wrong += attacks_under("", true, attacks, count); /* the default */
    CHECK_EQ(wrong, 0);
}

#endif

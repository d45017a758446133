/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a sensitive key that becomes readable by means of RSA keys, or by keys that are joined.
 */
#include "rsa.h"

#include "attacks.h" /* its session is a global variable */

static CK_RSA_PKCS_OAEP_PARAMS oaep_params = {CKM_SHA256, CKG_MGF1_SHA256, CKZ_DATA_SPECIFIED, NULL, 0};
static CK_MECHANISM oaep = {CKM_RSA_PKCS_OAEP, &oaep_params, sizeof oaep_params};
static CK_MECHANISM raw = {CKM_RSA_X_509, NULL, 0};

/* ---- RSA
 * -------------------------------------------------------------------------------------------------------------- */

/* Clulow 2003, 3.3: a trojan public key, whose private key the attacker has, wraps. Here the private key is in the token, as
 * one that decrypts. */
static CK_RV trojan_public_key(void)
{
    CK_ATTRIBUTE wraps = {CKA_WRAP, &yes, 1};
    CK_BYTE wrapped[RSA_NBYTES];
    CK_BYTE value[RSA_NBYTES];
    CK_ULONG nbytes = sizeof wrapped;
    CK_ULONG value_nbytes = sizeof value;
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;

    OK(rsa_pair_with(session, &wraps, 1, NULL, 0, &public_key, &private_key));
    TRY(p11->C_WrapKey(session, &oaep, public_key, target, wrapped, &nbytes));
    TRY(p11->C_DecryptInit(session, &oaep, private_key));
    TRY(p11->C_Decrypt(session, wrapped, nbytes, value, &value_nbytes));
    CHECK(value_nbytes == KEY_NBYTES && is_target(value));
    return CKR_OK;
}

/* Wrap a secret of somebody else for a pair, outside of the token. */
static void wrap_for(CK_OBJECT_HANDLE public_key, const CK_BYTE *secret, CK_BYTE out[RSA_NBYTES])
{
    EVP_PKEY *key = public_key_of(session, public_key);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    size_t nbytes = RSA_NBYTES;

    CHECK(EVP_PKEY_encrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1);
    CHECK_EQ(EVP_PKEY_encrypt(ctx, out, &nbytes, secret, KEY_NBYTES), 1);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(key);
}

/* To sign without padding is to decrypt: a key that unwraps, and signs, gives the secret with the padding before it. */
static CK_RV decrypt_by_signing(void)
{
    static const CK_BYTE secret[KEY_NBYTES] = "somebody's key!!";
    CK_ATTRIBUTE roles[] = {{CKA_UNWRAP, &yes, 1}, {CKA_SIGN, &yes, 1}};
    CK_BYTE wrapped[RSA_NBYTES];
    CK_BYTE padded[RSA_NBYTES];
    CK_ULONG nbytes = sizeof padded;
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;

    TRY(rsa_pair_with(session, NULL, 0, roles, 2, &public_key, &private_key));
    wrap_for(public_key, secret, wrapped);
    TRY(p11->C_SignInit(session, &raw, private_key));
    TRY(p11->C_Sign(session, wrapped, sizeof wrapped, padded, &nbytes));
    CHECK(memcmp(padded + RSA_NBYTES - KEY_NBYTES, secret, KEY_NBYTES) == 0);
    return CKR_OK;
}

/* ---- keys that are joined
 * ------------------------------------------------------------------------------------------------ */

/* The target, as a key that may be joined. */
static void make_base(void)
{
    CK_ATTRIBUTE flag = {CKA_DERIVE, &yes, 1};

    OK(generate(&flag, 1, &target));
}

/* Find the target byte by byte: the n-th key that is derived has n of its bytes, and the MAC of a known message tells which
 * of 256 values the new one has. The key ends with these bytes, of `whole` in all. */
static CK_RV guess_target(CK_MECHANISM_TYPE type, CK_ULONG whole)
{
    CK_MECHANISM hmac = {CKM_SHA256_HMAC, NULL, 0};
    CK_BYTE value[2 * KEY_NBYTES] = {0};

    for (CK_ULONG n = 1; n <= KEY_NBYTES; n++) {
        CK_BYTE zeros[KEY_NBYTES] = {0};
        CK_ULONG nbytes = whole > n ? whole : n;
        CK_KEY_DERIVATION_STRING_DATA data = {zeros, type == CKM_XOR_BASE_AND_DATA ? n : nbytes - n};
        CK_MECHANISM derivation = {type, &data, sizeof data};
        CK_ATTRIBUTE template[] = {{CKA_SIGN, &yes, 1}, {CKA_VALUE_LEN, &nbytes, sizeof nbytes}};
        CK_BYTE mac[32];
        CK_ULONG mac_nbytes = sizeof mac;
        CK_OBJECT_HANDLE key = 0;
        CK_BYTE mine[64];
        int guess = -1;

        TRY(p11->C_DeriveKey(session, &derivation, target, template, 2, &key));
        TRY(p11->C_SignInit(session, &hmac, key));
        TRY(p11->C_Sign(session, known, sizeof known, mac, &mac_nbytes));
        memmove(value, value + (whole > 0 ? 1 : 0), sizeof value - 1); /* the known bytes move to the front */
        do {
            size_t mine_nbytes = 0;

            CHECK(++guess < 256);
            value[nbytes - 1] = (CK_BYTE)guess;
            CHECK(EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, value, nbytes, known, sizeof known, mine, sizeof mine,
                            &mine_nbytes) != NULL);
        } while (memcmp(mac, mine, sizeof mac) != 0);
    }
    CHECK(is_target(value));
    return CKR_OK;
}

/* Clulow 2003, 3.4 (reduced key space), by exclusive or with ever more zeros. */
static CK_RV short_keys_by_xor(void)
{
    make_base();
    return guess_target(CKM_XOR_BASE_AND_DATA, 0);
}

/* The same with keys that are long enough, of which the attacker knows all but one byte. */
static CK_RV known_bytes_before(void)
{
    make_base();
    return guess_target(CKM_CONCATENATE_DATA_AND_BASE, KEY_NBYTES);
}

/* Exclusive or with zeros gives the value of a wrapping key to one that decrypts. */
static CK_RV clone_by_xor(void)
{
    CK_BYTE zeros[KEY_NBYTES] = {0};
    CK_KEY_DERIVATION_STRING_DATA data = {zeros, sizeof zeros};
    CK_MECHANISM derivation = {CKM_XOR_BASE_AND_DATA, &data, sizeof data};
    CK_ATTRIBUTE wraps[] = {{CKA_WRAP, &yes, 1}, {CKA_DERIVE, &yes, 1}};
    CK_ATTRIBUTE template[] = {{CKA_KEY_TYPE, &aes, sizeof aes}, {CKA_DECRYPT, &yes, 1}};
    CK_OBJECT_HANDLE wrapping = 0;
    CK_OBJECT_HANDLE same = 0;

    OK(generate(wraps, 2, &wrapping));
    TRY(p11->C_DeriveKey(session, &derivation, wrapping, template, 2, &same));
    return wrap_and_undo(wrapping, same);
}

int main(void)
{
    static const struct attack attacks[] = {
        {"a public key of the attacker wraps (Clulow 2003)", trojan_public_key, CKR_KEY_NOT_WRAPPABLE},
        {"decrypt a wrapped key by signing it", decrypt_by_signing, CKR_TEMPLATE_INCONSISTENT},
        {"reduced key space by exclusive or (Clulow 2003)", short_keys_by_xor, CKR_KEY_SIZE_RANGE},
        {"known bytes before one that is not", known_bytes_before, CKR_KEY_SIZE_RANGE},
        {"a wrapping key with another role by exclusive or", clone_by_xor, CKR_KEY_FUNCTION_NOT_PERMITTED},
    };

    attacks_run(attacks, COUNT(attacks));
    return 0;
}

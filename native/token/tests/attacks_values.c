/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a sensitive key that becomes readable because it is wrapped with a known value, loses its sensitivity on
 * the way, or is guessed in parts.
 */
#include "attacks.h"

/* ---- keys that somebody knows
 * -------------------------------------------------------------------------------------------- */

/* Clulow 2003, 3.3, with a secret key: a trojan wrapping key is created from a known value. */
static CK_RV trojan_wrapping_key(void)
{
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret_class, sizeof secret_class},
                               {CKA_KEY_TYPE, &aes, sizeof aes},
                               {CKA_VALUE, known, KEY_NBYTES},
                               {CKA_WRAP, &yes, 1}};
    CK_OBJECT_HANDLE key = 0;

    TRY(p11->C_CreateObject(session, template, COUNT(template), &key));
    return wrap_with_known(key);
}

/* A key that is derived with the attacker's own point is known to the attacker, and wraps. */
static CK_RV trojan_by_derivation(void)
{
    CK_ATTRIBUTE readable[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_ATTRIBUTE wraps[] = {{CKA_WRAP, &yes, 1}};
    CK_BYTE point[67];
    CK_BYTE own_point[67];
    CK_ATTRIBUTE value = {CKA_VALUE, known, KEY_NBYTES};
    CK_OBJECT_HANDLE base = 0;
    CK_OBJECT_HANDLE own = 0;
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE same = 0;

    pair(NULL, 0, &base, point);
    pair(readable, 2, &own, own_point); /* the attacker's, on a machine of his own */
    TRY(derive(own, point, CKK_AES, KEY_NBYTES, readable, 2, &same));
    TRY(p11->C_GetAttributeValue(session, same, &value, 1));
    TRY(derive(base, own_point, CKK_AES, KEY_NBYTES, wraps, 1, &key));
    return wrap_with_known(key);
}

/* A wrapping key is read while it may be, and then made sensitive. */
static CK_RV read_first(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_ATTRIBUTE then[] = {{CKA_SENSITIVE, &yes, 1}, {CKA_EXTRACTABLE, &no, 1}};
    CK_ATTRIBUTE value = {CKA_VALUE, known, KEY_NBYTES};
    CK_OBJECT_HANDLE key = 0;

    TRY(generate(flags, 3, &key));
    TRY(p11->C_GetAttributeValue(session, key, &value, 1));
    TRY(p11->C_SetAttributeValue(session, key, then, 2));
    return wrap_with_known(key);
}

/* ---- sensitivity
 * ------------------------------------------------------------------------------------------------------ */

/* A sensitive key is wrapped, and unwrapped as one that can be read. */
static CK_RV not_sensitive_by_unwrapping(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE readable[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_BYTE wrapped[64];
    CK_BYTE value[KEY_NBYTES];
    CK_ULONG nbytes = sizeof wrapped;
    CK_ATTRIBUTE read = {CKA_VALUE, value, sizeof value};
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE again = 0;

    TRY(generate(flags, 2, &key));
    TRY(p11->C_WrapKey(session, &kwp, key, target, wrapped, &nbytes));
    TRY(unwrap(key, &kwp, wrapped, nbytes, readable, 2, &again));
    TRY(p11->C_GetAttributeValue(session, again, &read, 1));
    CHECK(is_target(value));
    return CKR_OK;
}

/* The secret that a sensitive private key shares with somebody else is derived as a key that can be read. */
static CK_RV not_sensitive_by_derivation(void)
{
    CK_ATTRIBUTE readable[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_BYTE point[67];
    CK_BYTE other_point[67];
    CK_BYTE value[32];
    CK_ATTRIBUTE read = {CKA_VALUE, value, sizeof value};
    CK_OBJECT_HANDLE base = 0;
    CK_OBJECT_HANDLE other = 0;
    CK_OBJECT_HANDLE key = 0;

    pair(NULL, 0, &base, point);
    pair(NULL, 0, &other, other_point);
    TRY(derive(base, other_point, CKK_GENERIC_SECRET, 32, readable, 2, &key));
    TRY(p11->C_GetAttributeValue(session, key, &read, 1));
    CHECK_EQ(read.ulValueLen, 32);
    return CKR_OK;
}

/* Clulow 2003, 3.4 (reduced key space): short keys are derived from one secret, and each is found by trying the 256
 * values of one more byte against a MAC. */
static CK_RV reduced_key_space(void)
{
    CK_ATTRIBUTE signs[] = {{CKA_SIGN, &yes, 1}};
    CK_MECHANISM hmac = {CKM_SHA256_HMAC, NULL, 0};
    CK_BYTE point[67];
    CK_BYTE other_point[67];
    CK_BYTE found[8];
    CK_BYTE mac[32];
    CK_BYTE mine[64];
    CK_BYTE whole[32];
    CK_ATTRIBUTE readable[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_ATTRIBUTE read = {CKA_VALUE, whole, sizeof whole};
    CK_OBJECT_HANDLE base = 0;
    CK_OBJECT_HANDLE other = 0;
    CK_OBJECT_HANDLE key = 0;

    pair(NULL, 0, &base, point);
    pair(readable, 2, &other, other_point); /* not the attacker's; it checks the result */
    for (size_t n = 1; n <= sizeof found; n++) {
        CK_ULONG nbytes = sizeof mac;
        int guess = -1;

        TRY(derive(base, other_point, CKK_GENERIC_SECRET, n, signs, 1, &key));
        TRY(p11->C_SignInit(session, &hmac, key));
        TRY(p11->C_Sign(session, known, sizeof known, mac, &nbytes));
        do { /* the key is the end of the secret, so the new byte is the first */
            size_t mine_nbytes = 0;

            CHECK(++guess < 256);
            found[sizeof found - n] = (CK_BYTE)guess;
            CHECK(EVP_Q_mac(NULL, "HMAC", NULL, "SHA256", NULL, found + sizeof found - n, n, known, sizeof known, mine,
                            sizeof mine, &mine_nbytes) != NULL);
        } while (memcmp(mac, mine, sizeof mac) != 0);
    }
    OK(derive(other, point, CKK_GENERIC_SECRET, 32, readable, 2, &key));
    OK(p11->C_GetAttributeValue(session, key, &read, 1));
    CHECK(memcmp(whole + sizeof whole - sizeof found, found, sizeof found) == 0);
    return CKR_OK;
}

/* ---- integrity
 * -------------------------------------------------------------------------------------------------------- */

/* Whether the padding is right when these two blocks are unwrapped. */
static CK_RV oracle(CK_OBJECT_HANDLE key, const CK_BYTE *front, const CK_BYTE *block, bool *out_right)
{
    CK_KEY_TYPE generic = CKK_GENERIC_SECRET;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret_class, sizeof secret_class},
                               {CKA_KEY_TYPE, &generic, sizeof generic}};
    CK_BYTE pair_of_blocks[2 * BLOCK_NBYTES];
    CK_OBJECT_HANDLE made = 0;
    CK_RV rv = CKR_OK;

    memcpy(pair_of_blocks, front, BLOCK_NBYTES);
    memcpy(pair_of_blocks + BLOCK_NBYTES, block, BLOCK_NBYTES);
    rv = p11->C_UnwrapKey(session, &pad, key, pair_of_blocks, sizeof pair_of_blocks, template, 2, &made);
    *out_right = rv == CKR_OK;
    if (rv == CKR_OK) {
        OK(p11->C_DestroyObject(session, made));
    }
    return rv == CKR_WRAPPED_KEY_INVALID ? CKR_OK : rv;
}

/* Bardou 2012, after Vaudenay 2002: C_UnwrapKey tells whether the padding of CBC is right, which is enough to decrypt the
 * first block. */
static CK_RV decrypt_by_padding(CK_OBJECT_HANDLE key, const CK_BYTE *wrapped, CK_BYTE out[BLOCK_NBYTES])
{
    CK_BYTE middle[BLOCK_NBYTES] = {0}; /* the block, decrypted, before it is combined with the block in front */

    for (int at = BLOCK_NBYTES - 1; at >= 0; at--) {
        CK_BYTE front[BLOCK_NBYTES] = {0};
        CK_BYTE padding = (CK_BYTE)(BLOCK_NBYTES - at);
        bool is_right = false;

        for (int i = at + 1; i < BLOCK_NBYTES; i++) {
            front[i] = middle[i] ^ padding;
        }
        for (int guess = 0; guess < 256 && !is_right; guess++) {
            front[at] = (CK_BYTE)guess;
            TRY(oracle(key, front, wrapped, &is_right));
            if (is_right && at == BLOCK_NBYTES - 1) { /* not a longer padding by chance */
                front[at - 1] ^= 1;
                TRY(oracle(key, front, wrapped, &is_right));
                front[at - 1] ^= 1;
            }
        }
        CHECK(is_right);
        middle[at] = front[at] ^ padding;
    }
    for (int i = 0; i < BLOCK_NBYTES; i++) {
        out[i] = middle[i] ^ iv[i];
    }
    return CKR_OK;
}

static CK_RV padding_oracle(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_BYTE wrapped[64];
    CK_BYTE value[BLOCK_NBYTES];
    CK_ULONG nbytes = sizeof wrapped;
    CK_OBJECT_HANDLE key = 0;

    TRY(generate(flags, 2, &key));
    TRY(p11->C_WrapKey(session, &pad, key, target, wrapped, &nbytes));
    CHECK_EQ(nbytes, 2 * BLOCK_NBYTES);
    TRY(decrypt_by_padding(key, wrapped, value));
    CHECK(is_target(value));
    return CKR_OK;
}

/* The same, where somebody else wrapped the key, by a key that was brought into the token and is sensitive there. */
static CK_RV padding_oracle_of_others(void)
{
    static const CK_BYTE secret[KEY_NBYTES] = "somebody's key!!";
    CK_ATTRIBUTE shared[] = {{CKA_CLASS, &secret_class, sizeof secret_class},
                             {CKA_KEY_TYPE, &aes, sizeof aes},
                             {CKA_VALUE, known, KEY_NBYTES}, /* not known to the attacker here */
                             {CKA_UNWRAP, &yes, 1}};
    CK_BYTE wrapped[2 * BLOCK_NBYTES];
    CK_BYTE value[BLOCK_NBYTES];
    CK_OBJECT_HANDLE key = 0;

    wrap_offline(known, secret, wrapped);
    TRY(p11->C_CreateObject(session, shared, COUNT(shared), &key));
    TRY(decrypt_by_padding(key, wrapped, value));
    CHECK(memcmp(value, secret, sizeof secret) == 0);
    return CKR_OK;
}

int main(void)
{
    static const struct attack attacks[] = {
        {"a wrapping key with a known value (Clulow 2003)", trojan_wrapping_key, CKR_KEY_NOT_WRAPPABLE},
        {"a wrapping key derived with a known value", trojan_by_derivation, CKR_KEY_NOT_WRAPPABLE},
        {"a wrapping key that was read before", read_first, CKR_KEY_NOT_WRAPPABLE},
        {"unwrap as not sensitive", not_sensitive_by_unwrapping, CKR_TEMPLATE_INCONSISTENT},
        {"derive as not sensitive", not_sensitive_by_derivation, CKR_TEMPLATE_INCONSISTENT},
        {"reduced key space (Clulow 2003)", reduced_key_space, CKR_KEY_SIZE_RANGE},
        {"padding oracle (Bardou 2012)", padding_oracle, CKR_KEY_NOT_WRAPPABLE},
        {"padding oracle, others' key (Bardou 2012)", padding_oracle_of_others, CKR_MECHANISM_INVALID},
    };

    attacks_run(attacks, COUNT(attacks));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a sensitive key that becomes readable because one key, or two handles of it, both wrap keys and decrypt data.
 */
#include "attacks.h"

/* ---- roles
 * ----------------------------------------------------------------------------------------------------------- */

/* Clulow 2003, 3.1: one key wraps and decrypts. */
static CK_RV both_roles(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_DECRYPT, &yes, 1}};
    CK_OBJECT_HANDLE key = 0;

    TRY(generate(flags, 2, &key));
    return wrap_and_decrypt(key, key);
}

/* The same, where DECRYPT is the token's default. */
static CK_RV default_roles(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}};
    CK_BYTE block[BLOCK_NBYTES] = {0};
    CK_ULONG nbytes = sizeof block;
    CK_OBJECT_HANDLE key = 0;

    TRY(generate(flags, 1, &key));
    TRY(p11->C_DecryptInit(session, &ecb, key));
    TRY(p11->C_Decrypt(session, block, sizeof block, block, &nbytes));
    return wrap_and_decrypt(key, key);
}

/* Tookan 2010: first one role, then the other. */
static CK_RV role_after_role(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_ENCRYPT, &no, 1}, {CKA_DECRYPT, &no, 1}};
    CK_ATTRIBUTE first[] = {{CKA_WRAP, &no, 1}};
    CK_ATTRIBUTE then[] = {{CKA_DECRYPT, &yes, 1}};
    CK_BYTE wrapped[64];
    CK_BYTE value[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_ULONG value_nbytes = sizeof value;
    CK_OBJECT_HANDLE key = 0;

    TRY(generate(flags, 3, &key));
    TRY(p11->C_WrapKey(session, &kwp, key, target, wrapped, &nbytes));
    TRY(p11->C_SetAttributeValue(session, key, first, 1));
    TRY(p11->C_SetAttributeValue(session, key, then, 1));
    TRY(p11->C_DecryptInit(session, &ecb, key)); /* with the block cipher RFC 5649 is undone easily */
    TRY(p11->C_Decrypt(session, wrapped, 16, value, &value_nbytes));
    TRY(p11->C_SetAttributeValue(session, key, flags, 1));
    return wrap_and_decrypt(key, key);
}

/* Tookan 2010: a copy has the other role. */
static CK_RV role_by_copy(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_ENCRYPT, &no, 1}, {CKA_DECRYPT, &no, 1}};
    CK_ATTRIBUTE other[] = {{CKA_WRAP, &no, 1}, {CKA_DECRYPT, &yes, 1}};
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE copy = 0;

    TRY(generate(flags, 3, &key));
    TRY(p11->C_CopyObject(session, key, other, 2, &copy));
    return wrap_and_decrypt(key, copy);
}

/* DKS 2008: a key that encrypts and unwraps imports a known key, which wraps. The block is that of RFC 3394, which is
 * computed here with the token's ECB. */
static CK_RV encrypt_and_unwrap(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_ENCRYPT, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE wraps[] = {{CKA_WRAP, &yes, 1}};
    CK_MECHANISM kw = {CKM_AES_KEY_WRAP, NULL, 0};
    CK_BYTE wrapped[KEY_NBYTES + 8];
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE trojan = 0;

    TRY(generate(flags, 2, &key));
    memset(wrapped, 0xa6, 8);
    memcpy(wrapped + 8, known, KEY_NBYTES);
    for (int step = 0; step < 12; step++) { /* RFC 3394, 2.2.1, for two blocks of eight bytes */
        CK_BYTE in[BLOCK_NBYTES];
        CK_BYTE out[BLOCK_NBYTES];
        CK_ULONG nbytes = sizeof out;
        CK_BYTE *half = wrapped + 8 + step % 2 * 8;

        memcpy(in, wrapped, 8);
        memcpy(in + 8, half, 8);
        TRY(p11->C_EncryptInit(session, &ecb, key));
        TRY(p11->C_Encrypt(session, in, sizeof in, out, &nbytes));
        memcpy(wrapped, out, 8);
        wrapped[7] ^= (CK_BYTE)(step + 1);
        memcpy(half, out + 8, 8);
    }
    TRY(unwrap(key, &kw, wrapped, sizeof wrapped, wraps, 1, &trojan));
    return wrap_with_known(trojan);
}

/* DKS 2008: a wrapping key that is itself wrapped comes back a second time, to decrypt. */
static CK_RV wrapped_twice(void)
{
    CK_ATTRIBUTE outer_flags[] = {{CKA_WRAP, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE inner_flags[] = {{CKA_WRAP, &yes, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_ATTRIBUTE decrypts[] = {{CKA_DECRYPT, &yes, 1}};
    CK_ATTRIBUTE no_more = {CKA_EXTRACTABLE, &no, 1};
    CK_BYTE wrapped[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_OBJECT_HANDLE outer = 0;
    CK_OBJECT_HANDLE inner = 0;
    CK_OBJECT_HANDLE again = 0;

    TRY(generate(outer_flags, 2, &outer));
    TRY(generate(inner_flags, 2, &inner));
    TRY(p11->C_WrapKey(session, &kwp, outer, inner, wrapped, &nbytes));
    TRY(unwrap(outer, &kwp, wrapped, nbytes, decrypts, 1, &again));
    TRY(p11->C_SetAttributeValue(session, inner, &no_more, 1)); /* as if it had always been so */
    return wrap_and_undo(inner, again);
}

/* Tookan 2010: somebody else sends a key, wrapped, and with it wraps another key. The first key is unwrapped twice: to
 * unwrap the second, as it should, and to decrypt it. A CKA_UNWRAP_TEMPLATE is the remedy, without which "safe" does not
 * make such keys at all; unwrap_template.c tests it. */
static CK_RV unwrapped_twice(void)
{
    CK_ATTRIBUTE outer_flags[] = {{CKA_WRAP, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE sent[] = {{CKA_CLASS, &secret_class, sizeof secret_class},
                           {CKA_KEY_TYPE, &aes, sizeof aes},
                           {CKA_VALUE, known, KEY_NBYTES}, /* not known to the attacker here */
                           {CKA_EXTRACTABLE, &yes, 1}};
    CK_ATTRIBUTE unwraps[] = {{CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE decrypts[] = {{CKA_DECRYPT, &yes, 1}};
    static const CK_BYTE second[KEY_NBYTES] = "the second key!!";
    CK_BYTE wrapped[64];
    CK_BYTE second_wrapped[2 * BLOCK_NBYTES];
    CK_BYTE value[2 * BLOCK_NBYTES];
    CK_ULONG nbytes = sizeof wrapped;
    CK_ULONG value_nbytes = sizeof value;
    CK_OBJECT_HANDLE outer = 0;
    CK_OBJECT_HANDLE inner = 0;
    CK_OBJECT_HANDLE again = 0;

    TRY(generate(outer_flags, 2, &outer));
    TRY(p11->C_CreateObject(session, sent, COUNT(sent), &inner));
    TRY(p11->C_WrapKey(session, &kwp, outer, inner, wrapped, &nbytes));
    wrap_offline(known, second, second_wrapped);
    TRY(unwrap(outer, &kwp, wrapped, nbytes, unwraps, 1, &again));
    TRY(unwrap(outer, &kwp, wrapped, nbytes, decrypts, 1, &again));
    TRY(p11->C_DecryptInit(session, &pad, again));
    TRY(p11->C_Decrypt(session, second_wrapped, sizeof second_wrapped, value, &value_nbytes));
    CHECK(value_nbytes == KEY_NBYTES && memcmp(value, second, KEY_NBYTES) == 0);
    return CKR_OK;
}

/* A policy that does not exist is an error, and not the default or its opposite. */
static void unknown_policy(void)
{
    CHECK_EQ(setenv("CSIDE_TOKEN_POLICY", "save", 1), 0);
    EXPECT(p11->C_Initialize(NULL), CKR_GENERAL_ERROR);
}

int main(void)
{
    static const struct attack attacks[] = {
        {"wrap and decrypt with one key (Clulow 2003)", both_roles, CKR_TEMPLATE_INCONSISTENT},
        {"wrap and decrypt by default (Clulow 2003)", default_roles, CKR_KEY_FUNCTION_NOT_PERMITTED},
        {"first wrap, then decrypt (Tookan 2010)", role_after_role, CKR_ATTRIBUTE_READ_ONLY},
        {"decrypt with a copy (Tookan 2010)", role_by_copy, CKR_ATTRIBUTE_READ_ONLY},
        {"encrypt, then unwrap a known key (DKS 2008)", encrypt_and_unwrap, CKR_TEMPLATE_INCONSISTENT},
        {"a wrapping key comes back to decrypt (DKS 2008)", wrapped_twice, CKR_KEY_NOT_WRAPPABLE},
        {"unwrap a key twice (Tookan 2010)", unwrapped_twice, CKR_TEMPLATE_INCONSISTENT},
    };

    attacks_run(attacks, COUNT(attacks));
    unknown_policy();
    return 0;
}

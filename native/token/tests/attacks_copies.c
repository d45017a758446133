/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a key whose copy, or whose descendant, is trusted, public or free of a PIN, which the key itself is not.
 */
#include "attacks.h"

/* ---- other attributes
 * ------------------------------------------------------------------------------------------------- */

/* The SO trusts a key to wrap. A copy of it is trusted too, and decrypts. */
static CK_RV trust_by_copy(void)
{
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret_class, sizeof secret_class},
                               {CKA_KEY_TYPE, &aes, sizeof aes},
                               {CKA_VALUE, known, KEY_NBYTES},
                               {CKA_PRIVATE, &no, 1},
                               {CKA_WRAP, &yes, 1},
                               {CKA_ENCRYPT, &no, 1},
                               {CKA_DECRYPT, &no, 1},
                               {CKA_TRUSTED, &yes, 1}};
    CK_ATTRIBUTE guarded[] = {{CKA_EXTRACTABLE, &yes, 1}, {CKA_WRAP_WITH_TRUSTED, &yes, 1}};
    CK_BYTE wrapped[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE copy = 0;
    CK_OBJECT_HANDLE other = 0;

    OK(p11->C_Logout(session));
    OK(p11->C_Login(session, CKU_SO, text(SO_PIN), strlen(SO_PIN)));
    OK(p11->C_CreateObject(session, template, COUNT(template), &key));
    OK(p11->C_Logout(session));
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)));
    OK(generate(guarded, 2, &other));
    OK(p11->C_WrapKey(session, &kwp, key, other, wrapped, &nbytes)); /* what trust is for */
    TRY(p11->C_CopyObject(session, key, NULL, 0, &copy));
    nbytes = sizeof wrapped;
    TRY(p11->C_WrapKey(session, &kwp, copy, other, wrapped, &nbytes));
    return CKR_OK;
}

/* A private key is copied as a public object, which anybody uses who has not logged in. */
static CK_RV not_private_by_copy(void)
{
    CK_ATTRIBUTE open_to_all[] = {{CKA_PRIVATE, &no, 1}};
    CK_BYTE block[BLOCK_NBYTES] = {0};
    CK_ULONG nbytes = sizeof block;
    CK_OBJECT_HANDLE copy = 0;
    CK_RV rv = CKR_OK;

    TRY(p11->C_CopyObject(session, target, open_to_all, 1, &copy));
    OK(p11->C_Logout(session));
    rv = p11->C_DecryptInit(session, &ecb, copy);
    if (rv == CKR_OK) {
        rv = p11->C_Decrypt(session, block, sizeof block, block, &nbytes);
    }
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)));
    return rv;
}

/* The same by wrapping and unwrapping. */
static CK_RV not_private_by_unwrapping(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE open_to_all[] = {{CKA_PRIVATE, &no, 1}};
    CK_BYTE wrapped[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE again = 0;
    CK_RV rv = CKR_OK;

    TRY(generate(flags, 2, &key));
    TRY(p11->C_WrapKey(session, &kwp, key, target, wrapped, &nbytes));
    TRY(unwrap(key, &kwp, wrapped, nbytes, open_to_all, 1, &again));
    OK(p11->C_Logout(session));
    rv = p11->C_DecryptInit(session, &ecb, again);
    nbytes = sizeof wrapped;
    if (rv == CKR_OK) {
        rv = p11->C_Decrypt(session, known, sizeof known, wrapped, &nbytes);
    }
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)));
    return rv;
}

/* A trusted key that may be wrapped comes back to decrypt what it wraps. */
static CK_RV trusted_and_extractable(void)
{
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &secret_class, sizeof secret_class},
                               {CKA_KEY_TYPE, &aes, sizeof aes},
                               {CKA_VALUE, known, KEY_NBYTES},
                               {CKA_PRIVATE, &no, 1},
                               {CKA_WRAP, &yes, 1},
                               {CKA_EXTRACTABLE, &yes, 1},
                               {CKA_TRUSTED, &yes, 1}};
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE decrypts[] = {{CKA_DECRYPT, &yes, 1}};
    CK_BYTE wrapped[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE outer = 0;
    CK_OBJECT_HANDLE again = 0;

    OK(p11->C_Logout(session));
    OK(p11->C_Login(session, CKU_SO, text(SO_PIN), strlen(SO_PIN)));
    OK(p11->C_CreateObject(session, template, COUNT(template), &key));
    OK(p11->C_Logout(session));
    OK(p11->C_Login(session, CKU_USER, text(USER_PIN), strlen(USER_PIN)));
    make_target(); /* the logout ended the first */
    TRY(generate(flags, 2, &outer));
    TRY(p11->C_WrapKey(session, &kwp, outer, key, wrapped, &nbytes));
    TRY(unwrap(outer, &kwp, wrapped, nbytes, decrypts, 1, &again));
    return wrap_and_undo(key, again);
}

/* A private key that asks for the PIN before each use is used without. */
static CK_RV no_pin_by_derivation(void)
{
    CK_ATTRIBUTE guarded[] = {{CKA_ALWAYS_AUTHENTICATE, &yes, 1}};
    CK_BYTE point[67];
    CK_OBJECT_HANDLE base = 0;
    CK_OBJECT_HANDLE key = 0;

    pair(guarded, 1, &base, point);
    return derive(base, point, CKK_AES, KEY_NBYTES, NULL, 0, &key);
}

/* The same key is wrapped, and unwrapped as one that asks for no PIN. */
static CK_RV no_pin_by_unwrapping(void)
{
    CK_ATTRIBUTE flags[] = {{CKA_WRAP, &yes, 1}, {CKA_UNWRAP, &yes, 1}};
    CK_ATTRIBUTE guarded[] = {{CKA_ALWAYS_AUTHENTICATE, &yes, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_OBJECT_CLASS private_class = CKO_PRIVATE_KEY;
    CK_KEY_TYPE ec = CKK_EC;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &private_class, sizeof private_class}, {CKA_KEY_TYPE, &ec, sizeof ec}};
    CK_MECHANISM ecdsa = {CKM_ECDSA_SHA256, NULL, 0};
    CK_BYTE point[67];
    CK_BYTE wrapped[512];
    CK_BYTE signature[64];
    CK_ULONG nbytes = sizeof wrapped;
    CK_ULONG signature_nbytes = sizeof signature;
    CK_OBJECT_HANDLE wrapping = 0;
    CK_OBJECT_HANDLE key = 0;
    CK_OBJECT_HANDLE again = 0;

    TRY(generate(flags, 2, &wrapping));
    pair(guarded, 2, &key, point);
    TRY(p11->C_WrapKey(session, &kwp, wrapping, key, wrapped, &nbytes));
    TRY(p11->C_UnwrapKey(session, &kwp, wrapping, wrapped, nbytes, template, 2, &again));
    TRY(p11->C_SignInit(session, &ecdsa, again));
    return p11->C_Sign(session, known, sizeof known, signature, &signature_nbytes);
}

int main(void)
{
    static const struct attack attacks[] = {
        {"a trusted copy", trust_by_copy, CKR_KEY_NOT_WRAPPABLE},
        {"a copy that is not private", not_private_by_copy, CKR_ATTRIBUTE_READ_ONLY},
        {"unwrap as not private", not_private_by_unwrapping, CKR_TEMPLATE_INCONSISTENT},
        {"a trusted key that is extractable", trusted_and_extractable, CKR_KEY_NOT_WRAPPABLE},
        {"no PIN: derive", no_pin_by_derivation, CKR_KEY_FUNCTION_NOT_PERMITTED},
        {"no PIN: unwrap", no_pin_by_unwrapping, CKR_KEY_NOT_WRAPPABLE},
    };

    attacks_run(attacks, COUNT(attacks));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: results that differ from published test vectors, whose sources stand beside them, and from libcrypto's for long
 * inputs.
 */
#include "token.h"

#include <openssl/evp.h>

static CK_SESSION_HANDLE session;

static void digests(void)
{
    /* FIPS 180-4 and FIPS 202, the examples for "abc" */
    static const struct {
        CK_MECHANISM_TYPE type;
        const char *name;
        const char *digest;
    } rows[] = {
        {CKM_SHA_1, "SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {CKM_SHA224, "SHA224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"},
        {CKM_SHA256, "SHA256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {CKM_SHA384, "SHA384",
         "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"},
        {CKM_SHA512, "SHA512",
         "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce"
         "80e"
         "2a9ac94fa54ca49f"},
        {CKM_SHA3_224, "SHA3-224", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"},
        {CKM_SHA3_256, "SHA3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
        {CKM_SHA3_384, "SHA3-384",
         "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"},
        {CKM_SHA3_512, "SHA3-512",
         "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d"
         "5a5"
         "6592f8274eec53f0"},
    };
    size_t long_nbytes = 100000;
    uint8_t *data = check_alloc(long_nbytes);

    check_fill(data, long_nbytes);
    for (size_t i = 0; i < COUNT(rows); i++) {
        CK_MECHANISM mechanism = {rows[i].type, NULL, 0};
        CK_BYTE got[64];
        CK_ULONG got_nbytes = sizeof got;
        CK_ULONG nbytes = 0;
        CK_BYTE *expected = unhex(rows[i].digest, &nbytes);
        uint8_t theirs[64];

        OK(p11->C_DigestInit(session, &mechanism));
        OK(p11->C_Digest(session, text("abc"), 3, got, &got_nbytes));
        CHECK_EQ(got_nbytes, nbytes);
        CHECK(memcmp(got, expected, nbytes) == 0);

        CHECK(EVP_Digest(data, long_nbytes, theirs, NULL, EVP_get_digestbyname(rows[i].name), NULL) == 1);
        OK(p11->C_DigestInit(session, &mechanism));
        for (size_t at = 0; at < long_nbytes;) {
            size_t part = at % 997 + 1;

            part = part < long_nbytes - at ? part : long_nbytes - at;
            OK(p11->C_DigestUpdate(session, data + at, part));
            at += part;
        }
        OK(p11->C_DigestFinal(session, got, &got_nbytes));
        CHECK(memcmp(got, theirs, nbytes) == 0);
        free(expected);
    }
    free(data);
}

static void hmacs(void)
{
    /* RFC 2202, case 2, and RFC 4231, case 2 */
    static const struct {
        CK_MECHANISM_TYPE type;
        CK_MECHANISM_TYPE general;
        CK_KEY_TYPE key_type;
        const char *mac;
    } rows[] = {
        {CKM_SHA_1_HMAC, CKM_SHA_1_HMAC_GENERAL, CKK_SHA_1_HMAC, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
        {CKM_SHA224_HMAC, CKM_SHA224_HMAC_GENERAL, CKK_SHA224_HMAC,
         "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"},
        {CKM_SHA256_HMAC, CKM_SHA256_HMAC_GENERAL, CKK_SHA256_HMAC,
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {CKM_SHA384_HMAC, CKM_SHA384_HMAC_GENERAL, CKK_GENERIC_SECRET,
         "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649"},
        {CKM_SHA512_HMAC, CKM_SHA512_HMAC_GENERAL, CKK_GENERIC_SECRET,
         "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6"
         "b4b"
         "636e070a38bce737"},
    };
    CK_BYTE *data = text("what do ya want for nothing?");

    for (size_t i = 0; i < COUNT(rows); i++) {
        CK_OBJECT_HANDLE key = secret_key(session, rows[i].key_type, "Jefe", 4);
        CK_MECHANISM mechanism = {rows[i].type, NULL, 0};
        CK_ULONG general_nbytes = 10;
        CK_MECHANISM general = {rows[i].general, &general_nbytes, sizeof general_nbytes};
        CK_ULONG nbytes = 0;
        CK_BYTE *expected = unhex(rows[i].mac, &nbytes);
        CK_BYTE got[64];
        CK_ULONG got_nbytes = sizeof got;

        OK(p11->C_SignInit(session, &mechanism, key));
        OK(p11->C_Sign(session, data, 28, got, &got_nbytes));
        CHECK_EQ(got_nbytes, nbytes);
        CHECK(memcmp(got, expected, nbytes) == 0);
        OK(p11->C_VerifyInit(session, &mechanism, key));
        OK(p11->C_VerifyUpdate(session, data, 10));
        OK(p11->C_VerifyUpdate(session, data + 10, 18));
        OK(p11->C_VerifyFinal(session, expected, nbytes));
        OK(p11->C_SignInit(session, &general, key));
        OK(p11->C_Sign(session, data, 28, got, &got_nbytes));
        CHECK_EQ(got_nbytes, 10);
        CHECK(memcmp(got, expected, 10) == 0);
        OK(p11->C_VerifyInit(session, &general, key));
        OK(p11->C_Verify(session, data, 28, got, 10));
        free(expected);
    }
}

static void one_cipher(CK_MECHANISM *mechanism, const char *key_digits, const char *plain_digits,
                       const char *cipher_digits)
{
    CK_ULONG key_nbytes = 0;
    CK_ULONG plain_nbytes = 0;
    CK_ULONG cipher_nbytes = 0;
    CK_BYTE *key_value = unhex(key_digits, &key_nbytes);
    CK_BYTE *plain = unhex(plain_digits, &plain_nbytes);
    CK_BYTE *cipher = unhex(cipher_digits, &cipher_nbytes);
    CK_OBJECT_HANDLE key = secret_key(session, CKK_AES, key_value, key_nbytes);
    CK_BYTE got[256];
    CK_ULONG nbytes = sizeof got;
    CK_ULONG at = 0;

    OK(p11->C_EncryptInit(session, mechanism, key));
    OK(p11->C_Encrypt(session, plain, plain_nbytes, got, &nbytes));
    CHECK_EQ(nbytes, cipher_nbytes);
    CHECK(memcmp(got, cipher, nbytes) == 0);
    nbytes = sizeof got;
    OK(p11->C_DecryptInit(session, mechanism, key));
    OK(p11->C_Decrypt(session, cipher, cipher_nbytes, got, &nbytes));
    CHECK_EQ(nbytes, plain_nbytes);
    CHECK(memcmp(got, plain, nbytes) == 0);
    OK(p11->C_DecryptInit(session, mechanism, key)); /* byte by byte */
    for (CK_ULONG i = 0; i < cipher_nbytes; i++) {
        nbytes = sizeof got - at;
        OK(p11->C_DecryptUpdate(session, cipher + i, 1, got + at, &nbytes));
        at += nbytes;
    }
    nbytes = sizeof got - at;
    OK(p11->C_DecryptFinal(session, got + at, &nbytes));
    CHECK_EQ(at + nbytes, plain_nbytes);
    CHECK(memcmp(got, plain, plain_nbytes) == 0);
    free(key_value);
    free(plain);
    free(cipher);
}

static void ciphers(void)
{
    /* SP 800-38A: F.1.1, F.2.1, F.5.1; "The Galois/Counter Mode of Operation", test case 4 */
    const char *key = "2b7e151628aed2a6abf7158809cf4f3c";
    const char *plain = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51";
    CK_ULONG unused = 0;
    CK_BYTE *iv = unhex("000102030405060708090a0b0c0d0e0f", &unused);
    CK_BYTE *gcm_iv = unhex("cafebabefacedbaddecaf888", &unused);
    CK_BYTE *aad = unhex("feedfacedeadbeeffeedfacedeadbeefabaddad2", &unused);
    CK_AES_CTR_PARAMS counter = {128, {0}};
    CK_GCM_PARAMS gcm = {gcm_iv, 12, 96, aad, 20, 128};
    CK_MECHANISM ecb = {CKM_AES_ECB, NULL, 0};
    CK_MECHANISM cbc = {CKM_AES_CBC, iv, 16};
    CK_MECHANISM ctr = {CKM_AES_CTR, &counter, sizeof counter};
    CK_MECHANISM aes_gcm = {CKM_AES_GCM, &gcm, sizeof gcm};

    for (int i = 0; i < 16; i++) {
        counter.cb[i] = (CK_BYTE)(0xf0 + i);
    }
    one_cipher(&ecb, key, plain, "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf");
    one_cipher(&cbc, key, plain, "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2");
    one_cipher(&ctr, key, plain, "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff");
    one_cipher(
        &aes_gcm, "feffe9928665731c6d6a8f9467308308",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5"
        "aa0de657ba637b39",
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b39"
        "6a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47");
    free(iv);
    free(gcm_iv);
    free(aad);
}

static void one_wrap(CK_MECHANISM_TYPE type, const char *wrapping_digits, const char *key_digits, const char *digits)
{
    CK_MECHANISM mechanism = {type, NULL, 0};
    CK_ULONG wrapping_nbytes = 0;
    CK_ULONG key_nbytes = 0;
    CK_ULONG expected_nbytes = 0;
    CK_BYTE *wrapping_value = unhex(wrapping_digits, &wrapping_nbytes);
    CK_BYTE *key_value = unhex(key_digits, &key_nbytes);
    CK_BYTE *expected = unhex(digits, &expected_nbytes);
    CK_OBJECT_HANDLE wrapping = wrapping_key(session, wrapping_value, wrapping_nbytes);
    CK_OBJECT_HANDLE key = secret_key(session, CKK_GENERIC_SECRET, key_value, key_nbytes);
    CK_OBJECT_HANDLE again = 0;
    CK_OBJECT_CLASS object_class = CKO_SECRET_KEY;
    CK_KEY_TYPE key_type = CKK_GENERIC_SECRET;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &object_class, sizeof object_class},
                               {CKA_KEY_TYPE, &key_type, sizeof key_type},
                               {CKA_SENSITIVE, &no, 1},
                               {CKA_EXTRACTABLE, &yes, 1}};
    CK_BYTE got[64];
    CK_ULONG nbytes = sizeof got;
    CK_ATTRIBUTE value = {CKA_VALUE, got, sizeof got};

    OK(p11->C_WrapKey(session, &mechanism, wrapping, key, got, &nbytes));
    CHECK_EQ(nbytes, expected_nbytes);
    CHECK(memcmp(got, expected, nbytes) == 0);
    OK(p11->C_UnwrapKey(session, &mechanism, wrapping, expected, expected_nbytes, template, COUNT(template), &again));
    OK(p11->C_GetAttributeValue(session, again, &value, 1));
    CHECK_EQ(value.ulValueLen, key_nbytes);
    CHECK(memcmp(got, key_value, key_nbytes) == 0);
    free(wrapping_value);
    free(key_value);
    free(expected);
}

static void wraps(void)
{
    /* RFC 3394, 4.1; RFC 5649, 6 */
    one_wrap(CKM_AES_KEY_WRAP, "000102030405060708090A0B0C0D0E0F", "00112233445566778899AABBCCDDEEFF",
             "1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5");
    one_wrap(CKM_AES_KEY_WRAP_PAD, "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8",
             "c37b7e6492584340bed12207808941155068f738",
             "138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a");
    one_wrap(CKM_AES_KEY_WRAP_KWP, "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8", "466f7250617369",
             "afbeb0f07dfbf5419200f2ccb50bb24f");
}

static CK_OBJECT_HANDLE ec_object(CK_OBJECT_CLASS object_class, CK_ATTRIBUTE_TYPE type, CK_BYTE *value, CK_ULONG nbytes)
{
    CK_KEY_TYPE key_type = CKK_EC;
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE template[] = {
        {CKA_CLASS, &object_class, sizeof object_class},
        {CKA_KEY_TYPE, &key_type, sizeof key_type},
        {CKA_EC_PARAMS, p256, sizeof p256},
        {type, value, nbytes},
        {CKA_DERIVE, &yes, 1},
        {CKA_SENSITIVE, &no, 1},
    };

    OK(p11->C_CreateObject(session, template, COUNT(template) - (object_class == CKO_PUBLIC_KEY), &key));
    return key;
}

static void curves(void)
{
    CK_ULONG nbytes = 0;
    CK_ULONG point_nbytes = 0;
    /* RFC 6979, A.2.5: the key, and the signature of "sample" with SHA-256 */
    CK_BYTE *point = unhex("0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
                           "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
                           &point_nbytes);
    CK_BYTE *signature = unhex("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
                               "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
                               &nbytes);
    CK_BYTE *value = unhex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721", &nbytes);
    /* RFC 5903, 8.1: one side's secret, the other's point, and what they agree on */
    CK_BYTE *own = unhex("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433", &nbytes);
    CK_BYTE *other = unhex("04D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63"
                           "56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB",
                           &nbytes);
    CK_BYTE *shared = unhex("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE", &nbytes);
    CK_MECHANISM ecdsa = {CKM_ECDSA_SHA256, NULL, 0};
    CK_ECDH1_DERIVE_PARAMS params = {CKD_NULL, 0, NULL, 65, other};
    CK_MECHANISM ecdh = {CKM_ECDH1_DERIVE, &params, sizeof params};
    CK_OBJECT_HANDLE public_key = ec_object(CKO_PUBLIC_KEY, CKA_EC_POINT, point, point_nbytes);
    CK_OBJECT_HANDLE private_key = ec_object(CKO_PRIVATE_KEY, CKA_VALUE, value, 32);
    CK_OBJECT_HANDLE agreed = 0;
    CK_ATTRIBUTE derived[] = {{CKA_SENSITIVE, &no, 1}, {CKA_EXTRACTABLE, &yes, 1}};
    CK_BYTE got[128];
    CK_ULONG got_nbytes = sizeof got;
    CK_ATTRIBUTE wanted = {CKA_VALUE, got, sizeof got};

    OK(p11->C_VerifyInit(session, &ecdsa, public_key));
    OK(p11->C_Verify(session, text("sample"), 6, signature, 64));
    OK(p11->C_SignInit(session, &ecdsa, private_key));
    OK(p11->C_Sign(session, text("sample"), 6, got, &got_nbytes));
    CHECK_EQ(got_nbytes, 64);
    OK(p11->C_VerifyInit(session, &ecdsa, public_key)); /* the public key belongs to the private key */
    OK(p11->C_Verify(session, text("sample"), 6, got, 64));

    private_key = ec_object(CKO_PRIVATE_KEY, CKA_VALUE, own, 32);
    OK(p11->C_DeriveKey(session, &ecdh, private_key, derived, COUNT(derived), &agreed));
    OK(p11->C_GetAttributeValue(session, agreed, &wanted, 1));
    CHECK_EQ(wanted.ulValueLen, 32);
    CHECK(memcmp(got, shared, 32) == 0);
    free(point);
    free(signature);
    free(value);
    free(own);
    free(other);
    free(shared);
}

int main(void)
{
    token_start();
    session = user_session();
    digests();
    hmacs();
    ciphers();
    wraps();
    curves();
    OK(p11->C_Finalize(NULL));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Risk: a stored object with a right checksum and attributes that the token would never have written, which is loaded,
 * or overflows memory. store_format.c describes the format.
 */
#include <openssl/evp.h>

#include "store_files.h"

static CK_BYTE file[1 << 20];
static size_t file_nbytes;

static void add(const void *data, size_t nbytes)
{
    CHECK(nbytes <= sizeof file - file_nbytes);
    if (nbytes > 0) {
        memcpy(file + file_nbytes, data, nbytes);
    }
    file_nbytes += nbytes;
}

static void add_number(uint64_t number, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++) {
        CK_BYTE byte = (CK_BYTE)(number >> 8 * (nbytes - 1 - i));

        add(&byte, 1);
    }
}

static void add_attribute(CK_ATTRIBUTE_TYPE type, const void *value, size_t nbytes)
{
    add_number(type, 4);
    add_number(nbytes, 4);
    add(value, nbytes);
}

static void begin(void)
{
    file_nbytes = 0;
    add("CSOBJ\1", 6);
}

/* The attributes up to CKA_LABEL of a data object that the token could have written. */
static void begin_data(void)
{
    static const CK_BYTE class_data[8] = {0};

    begin();
    add_attribute(CKA_CLASS, class_data, sizeof class_data);
    add_attribute(CKA_TOKEN, &yes, 1);
    add_attribute(CKA_PRIVATE, &no, 1);
    add_attribute(CKA_LABEL, "sound", 5);
}

#define ID "00112233445566778899aabbccddeeff"

/* Write the file, load the store, and check whether the object is there. */
static void expect_loaded(bool is_sound)
{
    char path[PATH_NBYTES];
    CK_BYTE sum[32];
    CK_SESSION_HANDLE session = 0;
    CK_OBJECT_HANDLE found[4];

    CHECK_EQ(EVP_Digest(file, file_nbytes, sum, NULL, EVP_sha256(), NULL), 1);
    add(sum, sizeof sum);
    slot_path(0, ID ".object", path);
    file_write(path, file, file_nbytes);
    OK(p11->C_Initialize(NULL));
    session = user_session();
    CHECK_EQ(find_all(session, found, 4), is_sound ? 2 : 1); /* the other object is always there */
    OK(p11->C_Finalize(NULL));
    CHECK_EQ(store_each(0, NULL), 3); /* the file is left alone */
}

static void sound(void)
{
    begin_data();
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    expect_loaded(true);
}

/* 65,504 is the capacity after which sixteen bits overflow. */
static void too_many(void)
{
    begin();
    for (uint64_t i = 0; i < 65505; i++) {
        add_attribute(0x1000000 + i, NULL, 0);
    }
    expect_loaded(false);
    begin_data();
    for (uint64_t i = 0; i < 65505; i++) {
        add_attribute(0x1000000 + i, NULL, 0);
    }
    expect_loaded(false);
}

static void unsound(void)
{
    static const CK_BYTE class_none[8] = {0, 0, 0, 0, 0, 0, 0x12, 0x34};
    static const CK_BYTE two = 2;

    begin(); /* no class */
    add_attribute(CKA_TOKEN, &yes, 1);
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    expect_loaded(false);
    begin(); /* a class that the token does not have */
    add_attribute(CKA_CLASS, class_none, 8);
    add_attribute(CKA_TOKEN, &yes, 1);
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    expect_loaded(false);
    begin(); /* a class of four bytes */
    add_attribute(CKA_CLASS, class_none, 4);
    add_attribute(CKA_TOKEN, &yes, 1);
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    expect_loaded(false);
    begin_data(); /* the identity of another file */
    add_attribute(CKA_UNIQUE_ID, "ff112233445566778899aabbccddeeff", 32);
    expect_loaded(false);
    begin_data(); /* twice the same attribute */
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    expect_loaded(false);
    begin_data(); /* not in order */
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_attribute(CKA_LABEL, "x", 1);
    expect_loaded(false);
    begin_data(); /* an attribute of another class */
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_attribute(CKA_ENCRYPT, &yes, 1);
    expect_loaded(false);
    begin_data(); /* neither true nor false */
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_attribute(CKA_MODIFIABLE, &two, 1);
    expect_loaded(false);
    begin_data(); /* longer than the file */
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_number(CKA_COPYABLE, 4);
    add_number(0xffffffff, 4);
    expect_loaded(false);
    begin_data(); /* the head of an attribute is cut off */
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_number(CKA_COPYABLE, 4);
    expect_loaded(false);
    begin();
    expect_loaded(false);
}

/* Begin a stored secret key whose CKA_UNWRAP_TEMPLATE is these bytes. */
static void key_with_array(const void *content, size_t nbytes)
{
    static const CK_BYTE class_secret[8] = {[7] = CKO_SECRET_KEY};
    static const CK_BYTE generic[8] = {[7] = CKK_GENERIC_SECRET};

    begin();
    add_attribute(CKA_CLASS, class_secret, sizeof class_secret);
    add_attribute(CKA_TOKEN, &yes, 1);
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_attribute(CKA_VALUE, "value", 5);
    add_attribute(CKA_KEY_TYPE, generic, sizeof generic);
    add_attribute(CKA_UNWRAP_TEMPLATE, content, nbytes);
}

static void arrays(void)
{
    static const CK_BYTE right[] = {0, 0, 1, 7, 0, 0, 0, 1, 1};         /* CKA_UNWRAP is true */
    static const CK_BYTE wrong_bool[] = {0, 0, 1, 7, 0, 0, 0, 1, 2};    /* neither true nor false */
    static const CK_BYTE wrong_length[] = {0, 0, 1, 7, 0, 0, 0, 2, 1};  /* longer than the array */
    static const CK_BYTE wrong_class[] = {0, 0, 0, 16, 0, 0, 0, 1, 1};  /* CKA_APPLICATION */
    static const CK_BYTE wrong_number[] = {0, 0, 1, 97, 0, 0, 0, 1, 1}; /* CKA_VALUE_LEN in one byte */
    static const CK_BYTE nested[] = {0x40, 0, 2, 18, 0, 0, 0, 0};       /* CKA_UNWRAP_TEMPLATE */
    CK_BYTE many[65 * 9];

    key_with_array(right, sizeof right);
    expect_loaded(true);
    key_with_array(NULL, 0);
    expect_loaded(true);
    for (size_t nbytes = 1; nbytes < sizeof right; nbytes++) {
        key_with_array(right, nbytes);
        expect_loaded(false);
    }
    key_with_array(wrong_bool, sizeof wrong_bool);
    expect_loaded(false);
    key_with_array(wrong_length, sizeof wrong_length);
    expect_loaded(false);
    key_with_array(wrong_class, sizeof wrong_class);
    expect_loaded(false);
    key_with_array(wrong_number, sizeof wrong_number);
    expect_loaded(false);
    key_with_array(nested, sizeof nested);
    expect_loaded(false);
    for (size_t i = 0; i < sizeof many; i++) {
        many[i] = right[i % 9];
    }
    key_with_array(many, sizeof many); /* twice the same attribute, and more */
    expect_loaded(false);
}

/* A public RSA key, with or without what it needs, and with an attribute of keys on curves, which has the class too. */
static void rsa_key(size_t modulus_nbytes, bool has_exponent, bool has_point)
{
    static const CK_BYTE class_public[8] = {[7] = CKO_PUBLIC_KEY};
    static const CK_BYTE rsa[8] = {[7] = CKK_RSA};
    CK_BYTE modulus[256];

    memset(modulus, 0xff, sizeof modulus);
    begin();
    add_attribute(CKA_CLASS, class_public, sizeof class_public);
    add_attribute(CKA_TOKEN, &yes, 1);
    add_attribute(CKA_UNIQUE_ID, ID, 32);
    add_attribute(CKA_KEY_TYPE, rsa, sizeof rsa);
    add_attribute(CKA_MODULUS, modulus, modulus_nbytes);
    if (has_exponent) {
        add_attribute(CKA_PUBLIC_EXPONENT, "\1\0\1", 3);
    }
    if (has_point) {
        add_attribute(CKA_EC_POINT, modulus, 65);
    }
}

static void rsa_keys(void)
{
    rsa_key(256, true, false);
    expect_loaded(true);
    rsa_key(255, true, false); /* too small */
    expect_loaded(false);
    rsa_key(256, false, false);
    expect_loaded(false);
    rsa_key(256, true, true);
    expect_loaded(false);
}

int main(void)
{
    CK_SESSION_HANDLE session = 0;
    CK_OBJECT_HANDLE object = 0;

    store_create();
    token_start();
    session = user_session();
    OK(store_object(session, "other", &object));
    OK(p11->C_Finalize(NULL));
    sound();
    unsound();
    arrays();
    rsa_keys();
    too_many();
    store_destroy();
    return 0;
}
